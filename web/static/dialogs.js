// The dialogs: which card is it, and what happened.

import { $, cardFace, cardSign, choose, h, RANKS, say, send, show, SUITS } from "./dom.js";
import { answered } from "./letters.js";
import { t, tn } from "./texts.js";

const ALL = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
const NEAR_RANKS = { 6: "89", 9: "68", 8: "69", 3: "8", J: "QK", Q: "JK", K: "QJ", 5: "6", 7: "A", A: "47", 4: "A", 2: "7", T: "9" };
const SUIT_TWIN = { S: "C", C: "S", H: "D", D: "H" };

export class CorrectDialog {
  constructor(current, missed) {
    this.current = current;
    this.box = $("correct-dialog");
    $("not-there").addEventListener("click", () => { this.box.close(); missed.wrong(this.card); });
  }

  // `card` is what it was taken for; `others` are the eye's further candidates, the likeliest first.
  open({ card, track = null, others = [] }) {
    this.seen = this.current.state.seq;
    this.card = card;
    this.track = track;
    const seen = this.current.view?.cards ?? [];
    const same = seen.find((one) => one.card === card && (track === null || one.track === track));
    this.track = track ?? same?.track ?? null;
    const likely = [...new Set([...(others.length ? others : (same?.others ?? [])), ...guesses(card)])].filter((one) => one !== card && !one.includes("?")).slice(0, 6);
    const elsewhere = new Set(this.placed());
    $("correct-title").textContent = t("Not the {card}?", { card: cardSign(card) });
    $("correct-hint").textContent = t("Pick the card that really lies there. A card that is known elsewhere is pale: the two are exchanged.");
    const face = (one) => cardFace(one, { onclick: () => this.pick(one), classes: elsewhere.has(one) ? "elsewhere" : "", key: `pick-${one}` });
    show($("likely"), likely.map(face));
    show($("all-cards"), ALL.map(face));
    $("not-there").hidden = this.current.state.phase === "waiting" || card.includes("?");
    this.box.showModal();
  }

  placed() {
    const state = this.current.state;
    return [...(state?.table ?? []).flatMap((group) => group.cards), ...(state?.seats ?? []).flatMap((seat) => seat.pile.flat())];
  }

  async pick(now) {
    this.box.close();
    await send("correct", { seen: this.seen, was: this.card, now, track: this.track });
  }
}

function guesses(card) {
  const [rank, suit] = card;
  const twin = SUIT_TWIN[suit] ?? "S";
  return [rank + twin, ...SUITS.map((one) => rank + one), ...[...(NEAR_RANKS[rank] ?? "")].flatMap((one) => [one + suit, one + twin])];
}

const VERBS = {
  "laugh-and-lie-down": [
    ["mate", t("mates"), t("{name} mates {cards}")], ["lay", t("lays from the hand"), t("{name} lays {cards} from the hand")],
    ["lie-down", t("lies down"), t("{name} lies down with {cards}")], ["claim", t("claims"), t("{name} claims {cards}")],
    ["take", t("takes a mournival"), t("{name} takes the mournival {cards}")],
  ],
  "rolling-stone": [["play", t("plays"), t("{name} plays {cards}")], ["pick-up", t("picks up"), t("{name} picks the trick up")]],
  sbros: [["cover", t("covers"), t("{name} covers with {cards}")], ["reset", t("puts aside"), t("{name} puts {cards} aside")], ["pass", t("passes"), t("{name} passes")]],
};

export class ActionDialog {
  constructor(current) {
    this.current = current;
    this.box = $("action-dialog");
    $("clear-action").addEventListener("click", () => { this.cards = []; this.draw(); });
    $("send-action").addEventListener("click", () => this.enter(this.line()));
    $("look-again").addEventListener("click", () => this.lookAgain());
  }

  // `seat`: whose action it is; `at`: the done action that it stands for, or before.
  async open({ seat = null, at = null } = {}) {
    const state = this.current.state;
    this.waiting = state.phase === "waiting";
    this.at = at;
    this.instead = true;
    if (!(await this.look(state))) return;
    this.seat = seat ?? state.seats.find((one) => one.turn)?.seat ?? 1;
    this.verb = VERBS[state.game.name][0][0];
    this.cards = this.waiting ? (this.current.view?.cards ?? []).filter((card) => card.zone === "table" && !card.card.includes("?")).map((card) => card.card) : [];
    $("own-action").open = this.waiting;
    $("action-title").textContent = this.waiting ? t("Which cards lie on the table?") : at ? t("Not: {what}?", { what: at.text }) : t("What happened?");
    this.draw();
    this.box.showModal();
  }

  // What may be chosen rests on this state: what is sent says so, and the program refuses it once the table has moved on.
  async look(state) {
    this.seen = state;
    this.offers = state.actions;
    this.moved();
    return !this.at || this.askOffers();
  }

  // Meanwhile somebody else, or the camera, has gone on: what came of that stands here, above what is offered.
  moved() {
    const state = this.current.state;
    const told = (one) => one.history.map((done) => done.text);
    const [before, now] = [told(this.seen), told(state)];
    const came = now.filter((text) => !before.includes(text)).map((text) => `${text}.`);
    const went = before.filter((text) => !now.includes(text)).map((what) => t("Taken back: {what}.", { what }));
    $("action-moved").hidden = state.seq === this.seen.seq;
    show($("action-news"), [...went, ...came].map((text) => h("li", {}, text)));
  }

  // A new state has come: whoever has the dialog open is told.
  told() {
    if (this.box.open && !this.sending && this.current.state.seq !== this.seen.seq) this.moved();
  }

  // Now that it was seen, what is offered rests on the table as it is.
  async lookAgain() {
    const state = this.current.state;
    const gone = this.at && !state.history.some((done) => done.seq === this.at.seq);
    const other = this.waiting !== (state.phase === "waiting") || this.seen.deal !== state.deal || state.game.name !== this.seen.game.name || state.seats.length !== this.seen.seats.length;
    if (gone || other || !(await this.look(state))) { this.box.close(); return; }
    this.draw();
    this.box.focus();
  }

  // What might have been done where the action stands.
  async askOffers() {
    const response = await fetch(`/api/offers?at=${this.at.seq}`).catch(() => null);
    const answer = response && (await answered(response).catch(() => null));
    if (!response?.ok) say(answer?.error ?? t("The program does not answer: is it still running?"));
    this.offers = answer?.actions ?? [];
    return response?.ok ?? false;
  }

  line() {
    return [this.seat, this.verb, ...this.cards].join(" ");
  }

  draw() {
    const state = this.current.state;
    const again = (change) => (value) => { change(value); this.draw(); };
    choose($("action-seats"), this.waiting ? [] : state.seats.map((seat) => [seat.seat, seat.name]), this.seat, again((seat) => { this.seat = seat; }));
    $("action-place").hidden = !this.at;
    choose($("action-place"), this.at ? [[true, t("Instead of it")], [false, t("Before it")]] : [], this.instead, again((instead) => { this.instead = instead; }));
    const offers = this.offers.filter((offer) => offer.seat === this.seat);
    show($("offers"), this.waiting ? [] : offers.length
      ? offers.map((offer) => h("li", {}, h("button", { type: "button", "data-line": offer.line, onclick: () => this.enter(offer.line) }, `${offer.text}.`)))
      : h("li", { class: "hint" }, t("Nothing that can be listed: put it together below.")));
    choose($("action-verbs"), this.waiting ? [] : VERBS[state.game.name], this.verb, again((verb) => { this.verb = verb; }));
    $("composed").textContent = this.waiting
      ? tn("{some} of {n} card", "{some} of {n} cards", state.tableSize, { some: this.cards.length })
      : t(VERBS[state.game.name].find(([verb]) => verb === this.verb)[2], { name: state.seats[this.seat - 1].name, cards: this.cards.map(cardSign).join(" ") });
    const choices = this.waiting ? ALL : [...ALL, ...RANKS.map((rank) => `${rank}?`)];
    show($("action-cards"), choices.map((card) => cardFace(card, {
      classes: this.cards.includes(card) ? "picked" : "", key: `action-${card}`,
      onclick: () => {
        const at = this.cards.indexOf(card);
        if (at < 0 || card.includes("?")) this.cards.push(card); else this.cards.splice(at, 1);
        this.draw();
      },
    })));
    $("send-action").textContent = this.waiting ? t("Begin the deal") : t("Add it");
  }

  async enter(line) {
    const seen = this.seen.seq;
    this.sending = true; // what comes of it is no news
    const done = this.waiting
      ? await send("begin", { seen, table: this.cards.join(" ") })
      : this.at ? await send("change", { seen, line, target: this.at.seq, instead: this.instead }) : await send("action", { seen, line });
    this.sending = false;
    if (done) this.box.close();
    else this.told();
  }
}
