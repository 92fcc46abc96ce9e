// What went wrong and the ways out of it: questions, table and game that disagree, broken rules, corrections.

import { $, cardFace, h, show } from "./dom.js";
import { isHost, mayAnswer } from "./role.js";
import { t, tn } from "./texts.js";

export const sentence = (text) => (text && !/[.!?]$/.test(text) ? `${text}.` : text);

export function ruled(why, rule) {
  return why ? h("details", { class: "why" }, h("summary", {}, t("Why?")), h("p", {}, why, rule ? ` (${rule})` : "")) : null;
}

export function showTroubles(state, act) {
  const [asked, ...later] = state.questions;
  show($("asks"), asked ? question(asked, later.length, act) : null, state.alarms.map(alarm), state.disagreement ? disagreement(state, act) : null, state.mended ? mended(state.mended, act) : null);
}

// What is asked stands first, so that all its answers are in view; further questions come once it is answered.
// "Something else" has the number after the last choice.
function question(asked, later, act) {
  return h("section", { class: "panel ask", "data-question": asked.seq },
    h("h2", {}, t("A question"), later ? h("span", { class: "later" }, tn("{n} more comes after it", "{n} more come after it", later)) : null),
    h("p", { class: "text" }, asked.text),
    mayAnswer(asked) ? answers(asked, act) : [
      h("ul", {}, asked.choices.map((choice) => h("li", {}, sentence(choice.text)))),
      h("p", { class: "hint" }, t("The host answers this."))]);
}

function answers(asked, act) {
  const key = (number) => h("span", { class: "key" }, String(number));
  const otherwise = asked.choices.length + 1;
  return h("div", { class: "choices" },
    asked.choices.map((choice, index) =>
      h("button", { type: "button", "data-key": `choice-${asked.seq}-${index}`, onclick: () => act.answer(asked, index) }, key(index + 1), sentence(choice.text))),
    h("button", { type: "button", "data-key": `choice-${asked.seq}-else`, onclick: () => act.answer(asked, null) }, key(otherwise), t("Something else")));
}

function alarm(one) {
  return h("section", { class: "panel alarm", role: "alert", "data-alarm": one.code },
    h("h2", {}, t("Against the rules")),
    h("div", { class: "alarm-body" },
      one.cards.length ? h("div", { class: "alarm-cards" }, one.cards.slice(0, 4).map((card) => cardFace(card))) : null,
      h("p", { class: "text" }, sentence(one.text))),
    ruled(one.why, one.rule),
    h("p", { class: "hint" }, t("This goes as soon as the table is right again.")));
}

function side(title, cards, nothing) {
  const lines = cards.map((one) => h("li", {}, cardFace(one.card), h("span", {}, one.where)));
  return h("div", { class: "sides" }, h("h3", {}, title), lines.length ? h("ul", {}, lines) : h("p", { class: "hint" }, nothing));
}

function disagreement(state, act) {
  const wrong = state.disagreement;
  const told = wrong.missing.length || wrong.unexpected.length;
  return h("section", { class: "panel wrong", role: "alert" },
    h("h2", {}, t("The table and the game disagree")),
    told
      ? h("div", { class: "both" },
          side(t("The camera sees"), wrong.unexpected, t("nothing more there")),
          side(t("The game expects"), wrong.missing, t("nothing more there")))
      : h("p", { class: "text" }, wrong.text),
    h("p", { class: "still" }, t("Nothing is counted until they agree.")),
    isHost ? ways(state, act) : null,
    wrong.back.length
      ? h("details", { class: "back", open: wrong.back.length < 4 }, h("summary", {}, t("Or put the cards back")), h("ul", {}, wrong.back.map((line) => h("li", {}, line))))
      : null,
    h("p", { class: "hint" }, isHost ? t("A card that was misread is put right by clicking it.") : t("The host puts this right.")));
}

// What the host may do about it.
function ways(state, act) {
  const wrong = state.disagreement;
  return h("div", { class: "ways" },
    wrong.accept
      ? h("button", { type: "button", class: "strong", "data-key": "accept", id: "accept", onclick: () => act.accept("table") }, h("span", {}, t("The table is right"), wrong.accept.map((line) => h("span", { class: "then" }, line))))
      : null,
    state.phase === "settled" ? h("button", { type: "button", "data-key": "accept-game", id: "accept-game", onclick: () => act.accept("game") }, t("It is counted rightly")) : null,
    state.undo ? h("button", { type: "button", "data-key": "wrong-undo", id: "wrong-undo", onclick: () => act.undo() }, t("Undo: {what}", { what: sentence(state.undo.text) })) : null,
    h("button", { type: "button", "data-key": "wrong-edit", id: "wrong-edit", onclick: () => act.edit() }, t("Say what happened")));
}

function mended(one, act) {
  return h("section", { class: "panel mended" },
    h("p", { class: "text" }, one.text),
    isHost && h("p", { class: "go" },
      h("button", { type: "button", "data-key": "mended-undo", onclick: () => act.undo(one.seq) }, t("Take the correction back")),
      one.confirm ? h("button", { type: "button", class: "strong", "data-key": "mended-right", onclick: () => act.confirm(one.seq) }, t("It is right so")) : null));
}
