// One's own pack, learned step by step: lay cards out, take a picture, see what is missing, answer, use it or not.

import { $, cardFace, h, say, show } from "./dom.js";
import { t, tn } from "./texts.js";

const SUITS = [..."SHDC"];
const RANKS = [..."A23456789TJQK"];
const EVERY = 700;

export class PackForm {
  constructor() {
    this.told = "";
    $("pack-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask("begin", { name: $("pack-name").value });
    });
    this.ask("");
  }

  async ask(path, body) {
    try {
      const response = await fetch(`/api/packs${path && `/${path}`}`, path ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body ?? {}) } : {});
      const answer = await response.json();
      if (response.ok) this.show(answer);
      else if (path) say(answer.error);
    } catch {
      say(t("The program does not answer: is it still running?"));
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.again(), EVERY);
  }

  // While something is made or done the page looks again and again; else it rests.
  again() {
    if (this.state?.making || this.state?.busy) this.ask("");
  }

  show(state) {
    this.state = state;
    const key = JSON.stringify(state);
    if (key === this.told) return;
    this.told = key;
    const busy = state.busy !== "";
    $("pack-said").textContent = state.busy || state.trouble;
    $("pack-said").dataset.well = state.trouble ? "no" : "";
    $("pack-form").hidden = state.making !== null;
    show($("packs"), this.shelf(state, busy));
    $("pack-making").hidden = state.making === null;
    show($("pack-making"), state.making ? this.making(state.making, busy) : null);
  }

  button(text, path, body, { strong = false, busy = false } = {}) {
    return h("button", { type: "button", class: strong ? "strong" : "", disabled: busy, "data-key": `pack-${path}-${JSON.stringify(body ?? "")}`, onclick: () => this.ask(path, body) }, text);
  }

  shelf({ packs, in_use: used }, busy) {
    if (!packs.length) return null;
    const row = (name, text, chosen, good) => h("li", { class: chosen ? "chosen" : "" },
      h("span", {}, h("b", {}, name), h("span", { class: "hint" }, text)),
      chosen ? h("span", { class: "in-use" }, t("in use")) : good ? this.button(t("Use it"), "use", { name: name === t("No pack of your own") ? "any" : name }, { busy }) : null);
    return h("ul", { class: "packs" }, packs.map((one) => row(one.name, one.text, one.name === used, one.good)),
      row(t("No pack of your own"), t("Cards are read as in general."), used === null, true));
  }

  making(one, busy) {
    const pictures = one.pictures.length;
    const done = one.learned !== null && !one.doubtful.length;
    return [
      h("h3", {}, t("Pack: {name}", { name: one.name })),
      h("ol", { class: "how" },
        h("li", {}, t("Lay nine or ten cards face up before the camera, in any order, with room between them.")),
        h("li", {}, t("Take your hands away and take the picture. Then lay out the next ones, until all 52 were shown.")),
        h("li", {}, t("Learn the pack, say what is asked, and use it."))),
      h("p", { class: "tally" }, t("{shown} of 52 cards so far, in {pictures}.", { shown: one.shown, pictures: tn("{n} picture", "{n} pictures", pictures) })),
      one.missing.length && one.missing.length < 52 ? h("div", { class: "missing" }, h("p", {}, t("Not seen yet:")), h("div", { class: "small-cards" }, one.missing.map((card) => cardFace(card)))) : null,
      one.doubtful.length ? h("div", { class: "doubts" }, h("p", {}, tn("{n} card isn't sure. Which is it?", "{n} cards aren't sure. Which are they?", one.doubtful.length)), this.doubt(one.doubtful[0], busy)) : null,
      one.learned ? h("p", { class: "figures" }, one.learned.text) : null,
      h("p", { class: "go" },
        this.button(t("Leave it"), "leave", undefined, { busy }),
        pictures ? this.button(t("Last picture away"), "forget", undefined, { busy }) : null,
        this.button(t("Take the picture"), "picture", undefined, { strong: one.learned === null, busy }),
        pictures && !one.learned ? this.button(t("Learn it"), "learn", undefined, { strong: !one.missing.length, busy }) : null,
        done ? this.button(t("Keep it for later"), "keep", { use: false }, { busy }) : null,
        done ? this.button(t("Use it from now on"), "keep", { use: true }, { strong: true, busy }) : null),
    ];
  }

  doubt({ number, guesses }, busy) {
    const answer = (card) => () => { if (!busy) this.ask("answer", { number, card }); };
    const others = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
    return h("div", { class: "doubt-card" },
      h("img", { src: `/api/packs/card/${number}.jpg`, alt: t("The card as the camera saw it"), width: 150 }),
      h("div", { class: "likely" }, guesses.map((card) => cardFace(card, { onclick: answer(card), key: `guess-${card}` }))),
      h("button", { type: "button", "data-key": "leave-out", onclick: answer(null) }, t("Leave it out")),
      h("details", {}, h("summary", {}, t("Any card")), h("div", { class: "all-cards" }, others.map((card) => cardFace(card, { onclick: answer(card), key: `any-${card}` })))));
  }
}
