// The settlement: the result as a table, and how it comes about step by step. All steps stand there to be read at any
// pace; whoever wants to watch plays them, and the pot fills and empties with each.

import { $, h, s, show } from "./dom.js";
import { t } from "./texts.js";
import { ruled, sentence } from "./troubles.js";

const signed = (count) => (count > 0 ? `+${count}` : count < 0 ? `−${-count}` : "0");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const STAKES_MS = 1100;
const STEP_MS = 2800;

let shown = "";
let phase = null;
let playing = null;

export function showSettlement(state, act) {
  const fresh = phase === "playing" && state.phase === "settled";
  phase = state.phase;
  const all = JSON.stringify([state.settlement, state.doubts, state.joined, state.mending, state.deal, state.phase]);
  if (all === shown) return;
  shown = all;
  playing?.stop();
  playing = null;
  const result = state.settlement;
  if (!result) {
    show($("steps"), null);
    const none = state.phase === "settled" ? state.doubts.map((doubt) => h("p", { class: "doubt" }, doubt)) : [];
    show($("settlement"), none.length ? h("section", { class: "panel settled unsure" }, h("h2", {}, t("No settlement")), none, go(state, act, false)) : null);
    return;
  }
  playing = new Steps(result);
  show($("settlement"), h("section", { class: `panel settled ${result.sure ? "" : "unsure"}` },
    h("div", { class: "settled-head" }, h("h2", {}, title(result)), go(state, act, true)),
    result.doubts.map((doubt) => h("p", { class: "doubt" }, doubt)),
    state.joined ? h("p", { class: "hint" }, t("This deal was joined under way: the result rests on what lay there then, and on what was answered.")) : null,
    table(result),
    playing.element));
  show($("steps"), h("section", { class: "panel step-list" }, h("h2", {}, t("Step by step")), playing.list));
  if (fresh && result.sure && !still.matches && !document.hidden) playing.again();
}

function title(result) {
  if (result.pot === undefined) return result.sure ? t("Result") : t("Result, not sure yet");
  return result.sure ? t("Settlement") : t("Settlement, not sure yet");
}

function go(state, act, settled) {
  return h("p", { class: "go" },
    h("a", { class: "button", href: "/api/record.deal", download: `deal-${state.deal}.deal` }, t("Record")),
    h("a", { class: "button", href: `/deal/${state.deal}` }, t("Look back")),
    h("a", { class: "button", href: "/account", "data-key": "to-account" }, t("The account")),
    settled ? h("button", { type: "button", class: "strong", id: "next-deal", "data-key": "next-deal", onclick: act.next }, state.mending ? state.mending.back : t("Next deal")) : null);
}

// What a seat draws; the last one in sees what it is made of.
const drawn = (seat) => (seat.bonus && seat.received > seat.bonus ? `${seat.received - seat.bonus} + ${seat.bonus}` : seat.received || "");

function table(result) {
  const stakes = result.pot !== undefined;
  const head = stakes ? [t("Player"), t("Cards"), t("Staked"), t("Pays in"), t("Draws"), t("Result")] : [t("Player"), t("Cards"), t("Score")];
  const rows = result.seats.map((seat) => {
    const cells = stakes ? [seat.cards, seat.staked, seat.paid_in || "", drawn(seat)] : [seat.cards];
    const net = stakes ? seat.net : seat.score;
    return h("tr", { "data-seat": seat.seat },
      h("th", { scope: "row" }, result.bonus?.seat === seat.seat ? t("{name} (last in)", { name: seat.name }) : seat.name),
      cells.map((cell) => h("td", {}, String(cell))),
      h("td", { class: `net ${net > 0 ? "plus" : net < 0 ? "minus" : ""}` }, stakes ? signed(net) : score(net), seat.money ? h("small", { class: "in-money" }, seat.money) : null));
  });
  const total = (name) => String(result.seats.reduce((sum, seat) => sum + seat[name], 0));
  return h("table", { class: "results" },
    h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows),
    stakes ? h("tfoot", {}, h("tr", {}, h("th", { scope: "row" }, t("Together")), ["cards", "staked", "paid_in", "received"].map((name) => h("td", {}, total(name))), h("td", { class: "net" }, signed(result.sum)))) : null);
}

const score = (points) => String(Math.round(points * 100) / 100);

// The steps with their stage: the pot, the seats round it, and the buttons.
class Steps {
  constructor(result) {
    this.result = result;
    this.steps = result.steps;
    this.stakes = result.pot !== undefined;
    this.at = this.steps.length - 1;
    this.timer = null;
    this.says = h("p", { class: "step-now" });
    this.stage = h("div", { class: "stage", "aria-hidden": "true" });
    this.play = h("button", { type: "button", class: "step-play", "data-key": "step-play", onclick: () => (this.timer ? this.pause() : this.at === this.steps.length - 1 ? this.again() : this.run()) });
    this.back = h("button", { type: "button", class: "step-back", "data-key": "step-back", onclick: () => this.by(-1) }, t("Back"));
    this.next = h("button", { type: "button", class: "step-next", "data-key": "step-next", onclick: () => this.by(1) }, t("Next step"));
    this.end = h("button", { type: "button", class: "step-end", "data-key": "step-end", onclick: () => { this.pause(); this.go(this.steps.length - 1); } }, t("To the end"));
    this.list = h("ol", { class: "steps" }, this.steps.map((step) => h("li", { "data-kind": step.kind }, h("span", { class: "step-text" }, step.text), ruled(step.why, step.rule))));
    this.element = h("div", { class: "playing" },
      h("h3", {}, t("How it comes about")),
      this.stage, this.says,
      h("div", { class: "step-buttons", role: "group", "aria-label": t("Step through the settlement") }, this.back, this.play, this.next, this.end));
    this.draw();
  }

  // What a seat has won or lost up to the step, and how many cards it has.
  standing(seat) {
    const past = this.steps.slice(0, this.at + 1);
    const own = past.filter((step) => step.seat === seat.seat);
    const swept = this.steps.find((step) => step.kind === "sweep" && step.seat === seat.seat);
    const sums = { stake: -1, pays: -1, bonus: 1, draws: 1 };
    return {
      net: own.reduce((sum, step) => sum + (sums[step.kind] ?? 0) * step.amount, 0),
      cards: seat.cards - (swept && !past.includes(swept) ? swept.amount : 0),
      told: own.length > 0,
    };
  }

  draw() {
    const step = this.steps[this.at];
    const seats = this.result.seats.map((seat) => {
      const now = this.standing(seat);
      return h("div", { class: `stage-seat ${step.seat === seat.seat ? "acting" : ""}`, "data-of": seat.seat },
        h("span", { class: "stage-name" }, seat.name),
        h("span", { class: "stage-cards" }, this.stakes ? t("{n} of par {par}", { n: now.cards, par: this.result.par }) : t("{n} left", { n: now.cards })),
        this.stakes ? against(now.cards, this.result.par) : null,
        h("b", { class: now.net > 0 ? "plus" : now.net < 0 ? "minus" : "" }, this.stakes ? signed(now.net) : now.told ? score(seat.score) : "·"));
    });
    const pot = this.stakes ? h("div", { class: "pot" }, h("span", {}, t("Pot")), h("b", {}, String(step.pot)), h("span", { class: "coins" }, Array.from({ length: Math.min(step.pot, 24) }, () => h("i", {})))) : null;
    this.stage.style.setProperty("--players", seats.length);
    show(this.stage, pot, h("div", { class: "stage-seats" }, seats));
    this.says.textContent = sentence(step.text);
    [...this.list.children].forEach((line, place) => { line.dataset.when = place < this.at ? "past" : place === this.at ? "now" : "ahead"; });
    const last = this.at === this.steps.length - 1;
    this.play.textContent = this.timer ? t("Pause") : last ? t("Show it again") : t("Play");
    this.back.disabled = this.at === 0;
    this.next.disabled = last;
    this.end.disabled = last;
  }

  go(at) {
    this.at = at;
    this.draw();
  }

  // By hand: whoever listens hears the step.
  by(count) {
    this.pause();
    this.says.setAttribute("aria-live", "polite");
    this.go(this.at + count);
    if (count > 0) this.fly();
  }

  again() {
    this.at = -1;
    this.run();
  }

  run() {
    this.says.removeAttribute("aria-live");
    const step = () => {
      this.timer = setTimeout(step, this.steps[this.at + 1].kind === "stake" ? STAKES_MS : STEP_MS);
      this.at += 1;
      if (this.at === this.steps.length - 1) this.stop();
      this.draw();
      this.fly();
    };
    step();
  }

  pause() {
    this.stop();
    this.draw();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  // The stakes of this step go their way between the seat and the pot.
  fly() {
    const { kind, seat, amount } = this.steps[this.at];
    const [pot, place] = [this.stage.querySelector(".pot b"), this.stage.querySelector(`[data-of="${seat}"] b`)];
    if (still.matches || !pot || !place || !["stake", "pays", "bonus", "draws"].includes(kind)) return;
    const [from, to] = kind === "stake" || kind === "pays" ? [place, pot] : [pot, place];
    const [base, start, stop] = [this.stage, from, to].map((one) => one.getBoundingClientRect());
    const at = (box) => `translate(${box.left - base.left + box.width / 2}px, ${box.top - base.top + box.height / 2}px)`;
    for (let coin = 0; coin < amount; coin += 1) {
      const flying = h("i", { class: "flying" });
      this.stage.append(flying);
      flying.animate({ transform: [at(start), at(stop)], opacity: [1, 1, 0.2] }, { duration: 620, delay: coin * 110, easing: "cubic-bezier(.4,.1,.3,1)", fill: "backwards" }).finished.then(() => flying.remove(), () => flying.remove());
    }
  }
}

// The cards of a seat against par, which is in the middle.
function against(cards, par) {
  return h("span", { class: "meter" },
    s("svg", {},
      s("rect", { class: "fill", x: 0, y: 0, width: `${Math.min(1, cards / (par * 2)) * 100}%`, height: "100%", rx: 4 }),
      s("rect", { class: "par-mark", x: "50%", y: -3, width: 2, height: 13 })));
}
