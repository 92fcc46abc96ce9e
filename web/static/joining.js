// A deal that was under way before anybody watched: what can't be seen is asked in one small form.

import { $, cardFace, cardSign, h, say, send, show } from "./dom.js";
import { t, tn } from "./texts.js";

const [STOCK, TRICK] = ["stock", "trick"];
const held = (joining) => (joining.asks === "hands" ? tn("{n} card is in the hands.", "{n} cards are in the hands.", joining.held) : "");
const QUESTIONS = {
  hands: () => t("Who is in turn, and how many does each hold? Leave it empty for whoever is out."),
  [STOCK]: () => t("Who is in turn, and how many cards are left in the stock?"),
  [TRICK]: () => t("Who is in turn, and how many cards does each hold now?"),
};
const PICKED = () => [["", t("no trick")], ["S", t("spades ♠")], ["H", t("hearts ♥")], ["D", t("diamonds ♦")], ["C", t("clubs ♣")]];

export class Joining {
  constructor(current) {
    this.current = current;
    this.lying = [];
    this.order = [];
  }

  // The form stays as it is while somebody fills it in, also if a card flickers meanwhile; not if the table moved on.
  show() {
    const { state, joining } = this.current;
    const open = state.phase === "waiting" || (state.phase === "playing" && joining?.asks === TRICK);
    const wanted = open && joining?.held > 0;
    const box = $("joining");
    if (!open || (!wanted && !box.contains(document.activeElement))) { show(box); return; }
    if (!wanted) return;
    const kind = `${state.phase} ${joining.plain} ${state.seq}`; // what is answered rests on this state
    if (!box.children.length || box.dataset.kind !== kind) {
      box.dataset.kind = kind;
      this.seen = state.seq;
      show(box, this.form(state, joining));
    }
    $("join-held").textContent = held(joining);
    if (joining.asks === TRICK) this.trick(joining.trick, state.seats.length);
  }

  form(state, joining) {
    [this.lying, this.order] = [null, []];
    const stock = joining.asks === STOCK;
    const rows = state.seats.map((seat) =>
      h("div", { class: "row" },
        h("b", {}, seat.name),
        h("label", {}, h("input", { type: "radio", name: "join-turn", value: seat.seat }), t("in turn")),
        stock ? null : h("label", {}, h("input", { type: "number", min: 0, max: joining.asks === TRICK ? 48 : 20, "data-join": seat.seat, "aria-label": this.sizeWords(joining, seat) }), t("cards"))));
    const asks = [
      h("p", { class: "text" }, h("b", { id: "join-held" }, held(joining)), " ", QUESTIONS[joining.asks]()),
      h("div", { class: "rows" }, rows,
        stock ? h("label", { class: "row" }, t("Cards in the stock"), " ", h("input", { type: "number", min: 1, max: 37, id: "join-stock" })) : null),
      joining.asks === TRICK ? h("div", { id: "join-trick" }) : null,
      h("p", { class: "go" },
        h("button", { type: "button", class: "strong", id: "join-go", onclick: () => this.go() }, t("Go on from here")),
        state.phase === "waiting" && joining.asks === TRICK ? h("button", { type: "button", id: "join-new", onclick: () => this.begin() }, t("A new deal begins")) : null),
    ];
    if (joining.plain) return h("section", { class: "panel join" }, h("h2", {}, t("A deal is under way")), asks);
    return h("details", { class: "panel join" }, h("summary", {}, t("Was this deal under way already?")), asks);
  }

  sizeWords(joining, seat) {
    return joining.asks === TRICK ? t("Cards that {name} holds", { name: seat.name }) : t("Cards that {name} holds; empty if out", { name: seat.name });
  }

  // The cards that lie there, to be tapped in their order; who has just picked up where none does.
  trick(cards, seats) {
    if (this.lying !== null && cards.join() === this.lying.join()) return;
    [this.lying, this.order] = [cards, []];
    if (!cards.length) {
      show($("join-trick"), h("label", { class: "row" }, t("Whoever is in turn has just picked up"), " ",
        h("select", { id: "join-picked" }, PICKED().map(([suit, words]) => h("option", { value: suit }, words)))));
      return;
    }
    this.faces(cards, seats);
  }

  faces(cards, seats) {
    const asked = cards.length > 1 && cards.length < seats;
    const face = (card) => {
      const place = this.order.indexOf(card) + 1;
      return h("span", { class: "placed" },
        cardFace(card, { key: `join-${card}`, onclick: asked ? () => this.tap(card, cards, seats) : undefined }),
        asked ? h("b", {}, place || "·") : null);
    };
    show($("join-trick"),
      h("p", { class: "text" }, asked ? t("Tap the cards in the order in which they were played:") : t("In the trick lies:")),
      h("div", { class: "order", role: "group", "aria-label": t("The trick") }, cards.map(face)),
      asked ? h("p", { class: "hint", role: "status" }, this.order.map((card, place) => `${place + 1}. ${cardSign(card)}`).join("  ")) : null);
  }

  // Once all but one have their place, the last one has its too; a card that is tapped again begins anew.
  tap(card, cards, seats) {
    this.order = this.order.includes(card) ? [] : [...this.order, card];
    const left = cards.filter((one) => !this.order.includes(one));
    if (left.length === 1) this.order.push(left[0]);
    this.faces(cards, seats);
    document.querySelector(`[data-key="join-${card}"]`)?.focus();
  }

  begin() {
    send("begin", { seen: this.seen, table: "" });
  }

  async go() {
    const hands = {};
    for (const input of document.querySelectorAll("[data-join]")) if (input.value !== "") hands[input.dataset.join] = Number(input.value);
    const turn = Number(document.querySelector("[name='join-turn']:checked")?.value ?? 0);
    if (!turn) { say(t("Say who is in turn.")); return; }
    const [stock, picked] = [$("join-stock"), $("join-picked")];
    const told = { ...(stock ? { stock: Number(stock.value) } : {}), ...(picked ? { picked: picked.value } : {}), ...(this.order.length ? { order: this.order.join(" ") } : {}) };
    if (await send("join", { seen: this.seen, to_act: turn, hands, ...told })) show($("joining"));
  }
}
