// The hints of the table's page, each with the rule behind it, and how much the table wants to be told.

import { $, h } from "./dom.js";
import { keep } from "./kept.js";
import { rankSign } from "./letters.js";
import { isHost } from "./role.js";
import { t } from "./texts.js";

const LEVELS = [
  ["coach", t("Coach"), t("Everything as it happens: what may be done, and what was missed.")],
  ["referee", t("Referee"), t("Whose turn it is, broken rules, and what was missed once it is called or the deal is over.")],
  ["silent", t("Silent"), t("Only the scores, and what the program has to ask.")],
];

export function showHints(state, act) {
  const [turn, ...more] = state.hints[0]?.kind === "turn" ? state.hints : [null, ...state.hints];
  $("mates-panel").hidden = state.phase === "settled" || !(state.hints.length || isHost);
  $("mates-title").textContent = $("to-hints-text").textContent = turn?.title ?? t("Hints");
  $("page").classList.toggle("pressed", Boolean(turn && ($("asks").firstChild || $("claims").firstChild)));
  keep($("mates"), turn?.lines ?? [], (one) => one.text, line);
  keep($("more-hints"), more, (section) => section.kind, section);
  $("help-level").hidden = !isHost;
  keep($("help-level"), isHost ? LEVELS.map(([level, name, says]) => ({ level, name, says, on: level === state.help })) : [], (one) => one.level, (one) => choice(one, act));
  $("help-says").textContent = state.help === "coach" && state.phase === "playing" ? "" : LEVELS.find(([level]) => level === state.help)[2];
}

function choice(one, act) {
  return h("button", { type: "button", "aria-pressed": String(one.on), title: one.says, "data-key": `help-${one.level}`, onclick: () => act.help(one.level) }, one.name);
}

function line(one) {
  return h("li", {},
    one.rank ? h("span", { class: "rank-chip", "aria-hidden": "true" }, rankSign(one.rank)) : null,
    h("span", { class: "say" }, one.text),
    one.rule.text ? h("details", { class: "why" }, h("summary", { "data-key": `why-${one.text}` }, t("Why?")), h("p", {}, one.rule.text, ` (${one.rule.number})`)) : null);
}

// What is certain is for those who count along: it is opened when it is wanted.
function section(part) {
  const list = h("ul", {}, part.lines.map(line));
  return part.kind === "certain"
    ? h("details", { class: "part" }, h("summary", { "data-key": "hints-certain" }, part.title), list)
    : h("div", { class: "part" }, h("h3", {}, part.title), list);
}
