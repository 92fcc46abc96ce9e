// An earlier deal that is open again: what that means, and the way back to the deal that waits.

import { $, h, show } from "./dom.js";
import { t } from "./texts.js";

export function showMending(state, act) {
  const open = state.mending;
  show($("mending"), open && h("section", { class: "panel mending", role: "status", "data-deal": open.deal },
    h("h2", {}, t("An earlier deal")),
    h("p", { class: "text" }, open.text),
    h("p", { class: "go" }, h("button", { type: "button", class: "strong", "data-key": "mending-back", disabled: !open.over, onclick: act.next }, open.back)),
    open.over ? null : h("p", { class: "hint" }, t("It can be closed once it is over: do again what was undone, or add what happened."))));
}
