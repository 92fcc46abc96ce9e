// A card that lies there and was missed, or one that does not lie there: which card, then what may have happened.

import { $, cardFace, cardSign, h, RANKS, say, send, show, SUITS } from "./dom.js";
import { answered } from "./letters.js";
import { t } from "./texts.js";

export class MissedDialog {
  constructor(current) {
    this.current = current;
    this.box = $("missed-dialog");
  }

  // A card that nobody noticed: any that does not lie open yet.
  open() {
    const state = this.current.state;
    const there = new Set([...(state.table ?? []).flatMap((group) => group.cards), ...(state.middle?.cards ?? []).map((one) => one.card), ...state.seats.flatMap((seat) => seat.pile.flat())]);
    $("missed-title").textContent = t("Which card was missed?");
    $("missed-hint").textContent = t("Pick the card; then say how it came there.");
    show($("missed-ways"));
    show($("missed-cards"), SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)).filter((card) => !there.has(card)).map((card) => cardFace(card, { key: `missed-${card}`, onclick: () => this.ask(card, false) })));
    this.box.showModal();
  }

  // A card that does not lie there.
  async wrong(card) {
    show($("missed-cards"));
    this.box.showModal();
    await this.ask(card, true);
  }

  async ask(card, wrong) {
    const answer = await fetch(`/api/ways?${new URLSearchParams(wrong ? { card, wrong: 1 } : { card })}`).catch(() => null);
    const told = answer && (await answered(answer).catch(() => null));
    if (!answer?.ok) { say(told?.error ?? t("The program does not answer: is it still running?")); return; }
    $("missed-title").textContent = wrong ? t("No {card} lies there", { card: cardSign(card) }) : t("The {card} was missed", { card: cardSign(card) });
    $("missed-hint").textContent = told.ways.length
      ? (wrong ? t("What is it that did not happen?") : t("How did it come there?"))
      : wrong
        ? t("It was dealt face up, so some card lies in its place: close this, click it and pick the right one.")
        : t("Nothing that is allowed brings it there now: another card may have been misread, click that one instead.");
    show($("missed-ways"), told.ways.map((way, place) => h("li", {}, h("button", { type: "button", "data-key": `way-${place}`, onclick: () => this.take(way, told.seq) }, way.text))));
    $("missed-ways").querySelector("button")?.focus();
  }

  async take(way, seq) {
    this.box.close(); // what is refused is said over the table as it is now
    await send(way.path, { seen: seq, ...way.body });
  }
}
