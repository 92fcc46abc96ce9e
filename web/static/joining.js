// A deal that was under way before anybody watched: what can't be seen is asked in one small form.

import { $, h, say, send, show } from "./dom.js";

export class Joining {
  constructor(current) {
    this.current = current;
  }

  // The form stays as it is while somebody fills it in, also if a card flickers meanwhile.
  show() {
    const { state, joining } = this.current;
    const wanted = state.phase === "waiting" && joining?.held > 0;
    const box = $("joining");
    if (!wanted && !box.contains(document.activeElement)) { show(box); return; }
    if (state.phase !== "waiting") { show(box); return; }
    if (wanted && !box.children.length) show(box, this.form(state, joining));
    if (wanted) $("join-held").textContent = String(joining.held);
  }

  form(state, joining) {
    const rows = state.seats.map((seat) =>
      h("div", { class: "row" },
        h("b", {}, seat.name),
        h("label", {}, h("input", { type: "radio", name: "join-turn", value: seat.seat }), "in turn"),
        h("label", {}, h("input", { type: "number", min: 0, max: 20, "data-join": seat.seat, "aria-label": `Cards that ${seat.name} holds; empty if out` }), "cards")));
    return h("section", { class: "panel join" },
      h("h2", {}, "A deal is under way"),
      h("p", { class: "text" }, h("b", { id: "join-held" }, String(joining.held)), " cards are in the hands. Who is in turn, and how many does each hold? Leave it empty for whoever is out."),
      h("div", { class: "rows" }, rows),
      h("p", { class: "go" }, h("button", { type: "button", class: "strong", id: "join-go", onclick: () => this.go() }, "Go on from here")));
  }

  async go() {
    const hands = {};
    for (const input of document.querySelectorAll("[data-join]")) if (input.value !== "") hands[input.dataset.join] = Number(input.value);
    const turn = Number(document.querySelector("[name='join-turn']:checked")?.value ?? 0);
    if (!turn) { say("Say who is in turn."); return; }
    if (await send("join", { seen: this.current.state.seq, to_act: turn, hands })) show($("joining"));
  }
}
