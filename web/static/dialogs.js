// The dialogs: which card is it, what happened, and how the table is set.

import { $, cardFace, cardSign, choose, h, RANKS, say, send, show, SUITS } from "./dom.js";

const ALL = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
const NEAR_RANKS = { 6: "89", 9: "68", 8: "69", 3: "8", J: "QK", Q: "JK", K: "QJ", 5: "6", 7: "A", A: "47", 4: "A", 2: "7", T: "9" };
const SUIT_TWIN = { S: "C", C: "S", H: "D", D: "H" };

export class CorrectDialog {
  constructor(current) {
    this.current = current;
    this.box = $("correct-dialog");
  }

  // `card` is what it was taken for; `others` are the eye's further candidates, the likeliest first.
  open({ card, track = null, others = [] }) {
    this.card = card;
    this.track = track;
    const seen = this.current.view?.cards ?? [];
    const same = seen.find((one) => one.card === card && (track === null || one.track === track));
    this.track = track ?? same?.track ?? null;
    const likely = [...new Set([...(others.length ? others : (same?.others ?? [])), ...guesses(card)])].filter((one) => one !== card && !one.includes("?")).slice(0, 6);
    const elsewhere = new Set(this.placed());
    $("correct-title").textContent = `Not the ${cardSign(card)}?`;
    $("correct-hint").textContent = "Pick the card that really lies there. A card that is known elsewhere is pale: the two are exchanged.";
    const face = (one) => cardFace(one, { onclick: () => this.pick(one), classes: elsewhere.has(one) ? "elsewhere" : "", key: `pick-${one}` });
    show($("likely"), likely.map(face));
    show($("all-cards"), ALL.map(face));
    this.box.showModal();
  }

  placed() {
    const state = this.current.state;
    return [...(state?.table ?? []).flatMap((group) => group.cards), ...(state?.seats ?? []).flatMap((seat) => seat.pile.flat())];
  }

  async pick(now) {
    this.box.close();
    await send("correct", { seen: this.current.state.seq, was: this.card, now, track: this.track });
  }
}

function guesses(card) {
  const [rank, suit] = card;
  const twin = SUIT_TWIN[suit] ?? "S";
  return [rank + twin, ...SUITS.map((one) => rank + one), ...[...(NEAR_RANKS[rank] ?? "")].flatMap((one) => [one + suit, one + twin])];
}

const VERBS = {
  "laugh-and-lie-down": [["mate", "mates"], ["lay", "lays from the hand"], ["lie-down", "lies down"], ["claim", "claims"], ["take", "takes a mournival"]],
  "rolling-stone": [["play", "plays"], ["pick-up", "picks up"]],
  sbros: [["cover", "covers"], ["reset", "puts aside"], ["pass", "passes"]],
};

export class ActionDialog {
  constructor(current) {
    this.current = current;
    this.box = $("action-dialog");
    $("clear-action").addEventListener("click", () => { this.cards = []; this.draw(); });
    $("send-action").addEventListener("click", () => this.enter(this.line()));
  }

  // `seat`: whose action it is; `at`: the done action that it stands for, or before.
  async open({ seat = null, at = null } = {}) {
    const state = this.current.state;
    this.waiting = state.phase === "waiting";
    this.at = at;
    this.instead = true;
    this.offers = state.actions;
    if (at && !(await this.askOffers())) return;
    this.seat = seat ?? state.seats.find((one) => one.turn)?.seat ?? 1;
    this.verb = VERBS[state.game.name][0][0];
    this.cards = this.waiting ? (this.current.view?.cards ?? []).filter((card) => card.zone === "table" && !card.card.includes("?")).map((card) => card.card) : [];
    $("own-action").open = this.waiting;
    $("action-title").textContent = this.waiting ? "Which cards lie on the table?" : at ? `Not: ${at.text}?` : "What happened?";
    this.draw();
    this.box.showModal();
  }

  // What might have been done where the action stands.
  async askOffers() {
    const response = await fetch(`/api/offers?at=${this.at.seq}`).catch(() => null);
    const answer = await response?.json().catch(() => null);
    if (!response?.ok) say(answer?.error ?? "The program does not answer: is it still running?");
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
    choose($("action-place"), this.at ? [[true, "Instead of it"], [false, "Before it"]] : [], this.instead, again((instead) => { this.instead = instead; }));
    const offers = this.offers.filter((offer) => offer.seat === this.seat);
    show($("offers"), this.waiting ? [] : offers.length
      ? offers.map((offer) => h("li", {}, h("button", { type: "button", "data-line": offer.line, onclick: () => this.enter(offer.line) }, `${offer.text}.`)))
      : h("li", { class: "hint" }, "Nothing that can be listed: put it together below."));
    choose($("action-verbs"), this.waiting ? [] : VERBS[state.game.name], this.verb, again((verb) => { this.verb = verb; }));
    $("composed").textContent = this.waiting
      ? `${this.cards.length} of ${state.tableSize} cards`
      : `${state.seats[this.seat - 1].name} ${VERBS[state.game.name].find(([verb]) => verb === this.verb)[1]} ${this.cards.map(cardSign).join(" ")}`;
    const choices = this.waiting ? ALL : [...ALL, ...RANKS.map((rank) => `${rank}?`)];
    show($("action-cards"), choices.map((card) => cardFace(card, {
      classes: this.cards.includes(card) ? "picked" : "", key: `action-${card}`,
      onclick: () => {
        const at = this.cards.indexOf(card);
        if (at < 0 || card.includes("?")) this.cards.push(card); else this.cards.splice(at, 1);
        this.draw();
      },
    })));
    $("send-action").textContent = this.waiting ? "Begin the deal" : "Add it";
  }

  async enter(line) {
    const seen = this.current.state.seq;
    const done = this.waiting
      ? await send("begin", { seen, table: this.cards.join(" ") })
      : this.at ? await send("change", { seen, line, target: this.at.seq, instead: this.instead }) : await send("action", { seen, line });
    if (done) this.box.close();
  }
}

const OPTIONS = {
  "laugh-and-lie-down": [
    ["help", "What the program says", [["coach", "All hints at once"], ["referee", "Mistakes when called"], ["silent", "Only the report"]]],
    ["prial_take", "The fourth card and a pair royal", [["should_take_three", "Take three, or lose two"], ["auto_three", "Must take three"], ["free_choice", "One or three, as you like"]]],
    ["missed_mate", "Lying down with a mate in hand", [["take_back", "Hand goes back"], ["noticer_takes_pair", "Who notices takes the pair"]]],
    ["claim_window", "Mistakes may be claimed", [["until_sweep", "To the end of the deal"], ["until_next_action", "Until the next action"]]],
    ["empty_hand", "Who has no cards left", [["out_at_next_turn", "Is out at the next turn"], ["out_at_once", "Is out at once"]]],
    ["mates_per_turn", "Mates in a turn", [["one", "One"], ["many", "As many as you can"]]],
  ],
  "rolling-stone": [
    ["voluntary_pickup", "Picking up though one could follow", [["off", "Not allowed"], ["on", "Allowed"]]],
    ["end_moment", "Who has no cards left wins", [["last_card_played", "At once"], ["trick_finished", "When the trick is finished"]]],
    ["stop", "A deal that does not end", [["pickups_15n", "Stops after very many pick-ups"], ["off", "Goes on"]]],
  ],
  sbros: [
    ["m2_step", "With their suits, over and under", [["any", "By any distance"], ["adjacent", "By one rank"]]],
    ["merge", "When the stock is empty", [["exchange", "Take what the other put aside"], ["own", "Take back one's own"]]],
  ],
};

export class SetupDialog {
  constructor(current) {
    this.current = current;
    this.box = $("setup-dialog");
    $("setup-game").addEventListener("change", () => { this.options({}); this.players(); this.names(); });
    $("setup-players").addEventListener("change", () => this.names());
    $("setup-save").addEventListener("click", () => this.save("setup"));
    $("setup-new").addEventListener("click", () => { if (window.confirm("Begin a new evening? The account starts at nought; this one stays in the journal.")) this.save("session"); });
    $("setup-again").addEventListener("click", () => this.again());
  }

  open() {
    const { state } = this.current;
    $("setup-game").value = state.game.name;
    this.players(state.setup.players);
    this.given = state.setup.names.map((name, index) => (name === `Seat ${index + 1}` ? "" : name));
    this.dealer = state.setup.dealer;
    this.names();
    this.options(state.setup.options);
    $("setup-again").disabled = state.phase === "waiting";
    $("setup-hint").textContent = state.closed.length ? "Another number of players needs a new evening, because the account belongs to these seats." : "";
    this.box.showModal();
  }

  // The numbers of players that the game is for; five or what is nearest, unless `wanted` is possible.
  players(wanted = Number($("setup-players").value) || 5) {
    const possible = $("setup-game").selectedOptions[0].dataset.players.split(" ").map(Number);
    const nearest = possible.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best));
    show($("setup-players"), possible.map((count) => h("option", { value: count, selected: count === nearest }, String(count))));
  }

  names() {
    const kept = [...$("setup-names").querySelectorAll("input[type=text]")].map((input) => input.value);
    const players = Number($("setup-players").value);
    this.dealer = Math.min(this.dealer, players);
    show($("setup-names"), Array.from({ length: players }, (_, index) =>
      h("div", { class: "name-row" },
        h("span", { class: "no" }, String(index + 1)),
        h("input", { type: "text", maxlength: 24, autocomplete: "off", placeholder: `Seat ${index + 1}`, "aria-label": `Name of seat ${index + 1}`, value: this.given?.[index] ?? kept[index] ?? "" }),
        h("label", { class: "deals" }, h("input", { type: "radio", name: "dealer", value: index + 1, checked: index + 1 === this.dealer, onchange: () => { this.dealer = index + 1; } }), "deals"))));
    this.given = null;
  }

  options(chosen) {
    const list = OPTIONS[$("setup-game").value] ?? [];
    $("setup-options-box").hidden = !list.length;
    show($("setup-options"), list.map(([name, text, values]) =>
      h("label", { class: "option-row" }, text,
        h("select", { "data-option": name, "data-default": values[0][0] }, values.map(([value, words]) => h("option", { value, selected: (chosen[name] ?? values[0][0]) === value }, words))))));
  }

  async save(path) {
    const names = [...$("setup-names").querySelectorAll("input[type=text]")].map((input, index) => input.value.trim() || `Seat ${index + 1}`);
    const options = {};
    for (const select of $("setup-options").querySelectorAll("select")) if (select.value !== select.dataset.default) options[select.dataset.option] = select.value;
    const done = await send(path, {
      seen: this.current.state.seq, game: $("setup-game").value, players: Number($("setup-players").value), dealer: this.dealer, names, options,
    });
    if (done) { this.box.close(); say("Saved."); }
  }

  async again() {
    if (!window.confirm("Forget this deal and deal again?")) return;
    if (await send("again", { seen: this.current.state.seq })) this.box.close();
  }
}
