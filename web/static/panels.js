// What the page says: whose turn, what may be done, what was missed, what lies there, who has what.

import { cardWidth } from "./card_size.js";
import { $, cardFace, h, s, show } from "./dom.js";
import { keep } from "./kept.js";
import { isHost, isOwn } from "./role.js";
import { t, tn } from "./texts.js";
import { ruled, sentence } from "./troubles.js";

const signed = (count) => (count > 0 ? `+${count}` : count < 0 ? `−${-count}` : "0");

// A text that stays the same is left alone, so that nobody reads it out once more.
export function put(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text;
}

export function showHead(state) {
  put("where", t("Deal {deal}, {game}", { deal: state.deal, game: state.game?.title ?? "" }));
  put("headline", state.headline.text);
  put("last", state.last ? sentence(state.last.text) : "");
  document.title = `${state.headline.text} - Mournival`;
  $("page").dataset.phase = state.phase;
  $("undo").disabled = !state.undo;
  $("undo").title = state.undo ? t("Undo: {what} (U)", { what: state.undo.text }) : "";
  $("redo").disabled = state.redo === null;
}

export function showClaims(state, act) {
  const claims = state.claims.map((claim) =>
    h("section", { class: "panel claim", "data-claim": claim.code },
      h("h2", {}, state.phase === "settled" ? t("Missed, and may still be claimed") : t("Missed")),
      h("p", { class: "text" }, sentence(claim.text)),
      h("p", { class: "who-may" }, t("May claim: {names}.", { names: claim.claimants.join(", ") })),
      ruled(claim.why, claim.code),
      h("div", { class: "claimers" }, claim.actions.map((offer) =>
        h("button", { type: "button", "data-key": `claim-${offer.line}`, onclick: () => act.enter(offer.line) }, t("{name} claims", { name: offer.name }))))));
  show($("claims"), claims);
  const told = new Set(state.claims.map((claim) => claim.code));
  const notices = state.notices.filter((notice) => !told.has(notice.code)).map((notice) =>
    h("section", { class: "panel notice" }, h("p", {}, sentence(notice.text)), ruled(notice.why, notice.rule)));
  show($("notices"), notices);
}

// While the cards are being dealt the table shows what the camera sees; then what the game knows.
export function showPool(state, view, pick) {
  const wrong = (state.disagreement?.missing ?? []).filter((one) => !one.place.startsWith("pile")).map((one) => one.card);
  $("lying").hidden = state.phase === "settled";
  $("pool").dataset.kind = state.middle?.kind ?? "pool";
  const items = state.middle ? middleItems(state.middle, wrong) : rankItems(state, view, wrong);
  keep($("pool"), items, (item) => item.key, (item) => PLACES[item.kind](item, pick));
  sizeCards();
}

// A trick, or the two centre piles, each with what stands under it; and the stock beside them.
function middleItems(middle, wrong) {
  put("pool-title", middle.title);
  const items = middle.cards.map((one, place) => ({ kind: middle.kind, key: `card-${place}`, card: one.card, under: one.under, wrong: wrong.includes(one.card) }));
  if (middle.stock !== null) items.push({ kind: "stock", key: "stock", count: middle.stock });
  if (!items.length) return [{ kind: "empty", key: "empty", text: middle.note || t("No card lies there.") }];
  return middle.note ? [...items, { kind: "note", key: "note", text: middle.note }] : items;
}

function rankItems(state, view, wrong) {
  const waiting = state.phase === "waiting";
  const seen = waiting && view ? view.cards.filter((card) => card.zone === "table").map((card) => card.card) : [];
  const groups = waiting ? grouped(seen) : state.table;
  const count = groups.reduce((sum, group) => sum + group.cards.length, 0);
  put("pool-title", waiting && state.tableSize ? t("On the table: {n} of {all}", { n: count, all: state.tableSize }) : t("On the table"));
  if (!groups.length) return [{ kind: "empty", key: "empty", text: waiting ? t("No cards yet.") : t("The table is empty.") }];
  return groups.map((group) => ({ ...group, kind: "rank", key: `rank-${group.rank}`, wrong: group.cards.filter((card) => wrong.includes(card)) }));
}

const lone = (classes) => (one, pick) =>
  h("div", { class: `rank-group ${classes}` },
    cardFace(one.card, { onclick: pick && (() => pick({ card: one.card })), classes: one.wrong ? "missing" : "", key: `pool-${one.card}` }),
    h("span", { class: "under-name" }, one.under));

const PLACES = {
  trick: lone(""),
  centre: lone("centre-pile"),
  rank: (group, pick) =>
    h("div", { class: "rank-group" },
      h("div", { class: "fan" }, group.cards.map((card) => cardFace(card, { onclick: pick && (() => pick({ card })), classes: group.wrong.includes(card) ? "missing" : group.dead ? "dead" : "", key: `pool-${card}` }))),
      group.dead ? h("span", { class: "dead-name" }, t("dead")) : group.set && group.cards.length > 2 ? h("span", { class: "set-name" }, group.set) : null),
  stock: ({ count }) =>
    h("div", { class: "rank-group stock" },
      h("span", { class: `heap ${count ? "" : "none"}`, role: "img", "aria-label": tn("{n} card in the stock", "{n} cards in the stock", count) }, String(count)),
      h("span", { class: "under-name" }, t("stock"))),
  note: ({ text }) => h("p", { class: "note" }, text),
  empty: ({ text }) => h("p", { class: "empty" }, text),
};

// The cards on the table are as large as their place allows; where the page scrolls, as wide as reads well.
export function sizeCards() {
  const box = $("pool");
  const groups = [...box.querySelectorAll(".rank-group")].map((group) => Math.max(1, group.querySelectorAll(".card-face").length));
  if (!groups.length || !box.clientWidth) return;
  const place = document.querySelector(".pool");
  const fixed = getComputedStyle(place).overflowY === "auto";
  const large = document.documentElement.dataset.type === "large";
  const beside = [...place.children].filter((child) => !child.contains(box)).reduce((sum, child) => sum + child.offsetHeight, 0);
  const note = box.querySelector(".note");
  const height = fixed ? place.clientHeight - beside - (box.offsetTop - place.offsetTop) - (note ? note.offsetHeight + 12 : 0) - 8 : null;
  const most = fixed ? 132 : large ? Math.min(120, box.clientWidth / 2.6) : Math.min(92, box.clientWidth / 4.6);
  box.style.setProperty("--card", `${cardWidth(groups, { width: box.clientWidth, height, least: 44, most: Math.round(most), label: box.querySelector(".under-name") ? 32 : 4 })}px`);
}

function grouped(cards) {
  const [order, suits] = ["A23456789TJQK?", "SHDC?"];
  const groups = new Map();
  for (const card of [...cards].sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]) || suits.indexOf(a[1]) - suits.indexOf(b[1]))) {
    if (!groups.has(card[0])) groups.set(card[0], { rank: card[0], cards: [], set: "", dead: false });
    groups.get(card[0]).cards.push(card);
  }
  return [...groups.values()];
}

function meter(count, par) {
  const share = Math.min(1, count / (par * 2)) * 100;
  return h("div", { class: "meter", role: "img", "aria-label": t("{count} cards, par {par}", { count, par }) },
    s("svg", {},
      s("rect", { class: "fill", x: 0, y: 0, width: `${share}%`, height: "100%", rx: 4 }),
      s("rect", { class: "par-mark", x: "50%", y: -3, width: 2, height: 13 })));
}

export function showSeats(state) {
  const box = $("seats");
  box.style.setProperty("--players", state.seats.length);
  const { phase, closed, account, settlement } = state;
  const items = state.seats.map((seat) => ({ ...seat, phase, won: settlement?.winners?.includes(seat.seat), sum: closed.length ? account[seat.seat - 1] ?? 0 : null }));
  keep(box, items, (seat) => String(seat.seat), (seat) => (seat.par === null && phase !== "waiting" ? handSeat(seat) : pileSeat(seat)));
}

const top = (seat, ...more) =>
  h("div", { class: "top" },
    h("h3", { class: "name", title: seat.name }, seat.name),
    seat.turn ? h("span", { class: "chip in-turn", title: t("in turn") }, h("span", { class: "for-readers" }, t("in turn"))) : null,
    seat.dealer ? h("span", { class: "chip deals" }, t("deals")) : null,
    more);

const foot = (seat, label, ...beside) =>
  h("div", { class: "foot" },
    h("div", { class: "pile", role: "group", "aria-label": label }, beside),
    isOwn(seat.seat) ? h("a", { class: "own-hand", href: `/seat/${seat.seat}`, "data-key": `hand-${seat.seat}`, "aria-label": t("My hand: hints for {name}", { name: seat.name }) }, t("My hand")) : null);

const money = (seat) => (seat.sum === null ? null : h("div", { class: "money" }, t("Account {sum}", { sum: signed(seat.sum) })));

// What a seat would draw or pay by what lies in its pile; the last one in draws a bonus as well.
function standing(over, bonus) {
  if (bonus && over) return over > 0 ? t("draws {n} + {bonus}", { n: over, bonus }) : t("pays {n}, draws {bonus}", { n: -over, bonus });
  if (bonus) return t("draws {n}", { n: bonus });
  return over > 0 ? t("draws {n}", { n: over }) : over < 0 ? t("pays {n}", { n: -over }) : t("at par");
}

// A seat whose pile counts against par.
function pileSeat(seat) {
  const [settled, dealt] = [seat.phase === "settled", seat.phase !== "waiting"];
  const over = seat.par === null ? 0 : (seat.count - seat.par) / 2;
  const hand = seat.phase !== "playing" ? "" : !seat.in ? t("lies down") : seat.hand === null || seat.hand === undefined ? "" : t("{n} in hand", { n: seat.hand });
  const against = () => h("span", { class: `against ${over > 0 ? "over" : over < 0 ? "under" : ""}`, title: seat.bonus ? t("{n} as the last one in", { n: seat.bonus }) : null },
    settled ? null : h("span", { class: "if" }, t("if it ended now:"), " "), standing(over, seat.bonus));
  return h("article", { class: `seat ${seat.turn ? "turn" : ""} ${seat.in ? "" : "out"}`, "data-seat": seat.seat },
    top(seat, h("span", { class: "hand" }, hand)),
    h("div", { class: "count" },
      h("b", {}, String(seat.count)),
      seat.par === null ? null : h("span", { class: "par" }, t("par {par}", { par: seat.par })),
      seat.par !== null && dealt && (settled || seat.count) ? against() : null),
    seat.par === null ? null : meter(seat.count, seat.par),
    foot(seat, t("Pile"),
      seat.pile.map((group) => h("span", { class: "fan" }, group.map((card) => cardFace(card, { small: true })))),
      seat.swept ? h("span", { class: "swept" }, seat.pile.length ? t("and {n} swept", { n: seat.swept }) : t("{n} swept", { n: seat.swept })) : null),
    money(seat));
}

// The tricks that a seat has won lie face down, each across the one before.
const tricks = (count) => [
  h("span", { class: "backs", "aria-hidden": "true" }, Array.from({ length: Math.min(count, 8) }, () => h("i", {}))),
  h("span", {}, tn("{n} trick won", "{n} tricks won", count)),
];

// A seat where the cards in the hand count, and what was won or put aside lies beside it.
function handSeat(seat) {
  const settled = seat.phase === "settled";
  const beside = seat.tricks !== undefined
    ? tricks(seat.tricks)
    : seat.aside?.length ? [h("span", {}, t("put aside")), h("span", { class: "fan aside" }, seat.aside.map((card) => cardFace(card, { small: true })))] : h("span", {}, settled || !seat.aside ? "" : t("nothing put aside"));
  return h("article", { class: `seat ${seat.turn ? "turn" : ""}`, "data-seat": seat.seat },
    top(seat, seat.won ? h("span", { class: "chip wins" }, t("wins")) : null),
    h("div", { class: "count" }, h("b", {}, String(seat.count)), h("span", { class: "par" }, settled ? t("left in hand") : t("in hand"))),
    foot(seat, t("Beside it"), beside),
    money(seat));
}

export function showStory(state, act) {
  const lines = [...state.history].reverse().map((done, place) => ({ ...done, kind: "done", key: `done-${done.seq}`, newest: place === 0 }));
  const faults = state.faults.filter((fault) => fault.past).map((fault, place) => ({ kind: "fault", key: `fault-${place}`, text: fault.past }));
  const joined = state.joined ? [{ kind: "joined", key: "joined", text: t("Joined under way: what happened before was not seen.") }] : [];
  keep($("history"), [...(state.phase === "settled" ? faults : []), ...lines, ...joined], (item) => item.key, (item) => LINES[item.kind](item, act));
  $("story").hidden = !lines.length && !joined.length;
}

function changes(done, act) {
  const out = done.newest ? [t("Undo"), t("Undo: {what}", { what: done.text })] : [t("Take out"), t("Take out: {what}", { what: done.text })];
  return [
    done.sure ? null : h("button", { type: "button", class: "plain", "data-key": `right-${done.seq}`, onclick: () => act.confirm(done.seq) }, t("It is right")),
    h("button", { type: "button", class: "plain", "data-key": `change-${done.seq}`, "aria-label": t("Change: {what}", { what: done.text }), onclick: () => act.change(done) }, t("Change")),
    h("button", { type: "button", class: "plain", "data-key": `undo-${done.seq}`, "aria-label": out[1], onclick: () => act.undo(done.seq) }, out[0]),
  ];
}

const LINES = {
  done: (done, act) =>
    h("li", { class: done.sure ? "" : "unsure" },
      h("span", { class: "say" }, sentence(done.text), done.sure ? null : h("b", { class: "not-sure" }, t("not sure"))),
      isHost ? changes(done, act) : null),
  fault: ({ text }) => h("li", { class: "fault" }, h("span", { class: "say" }, text)),
  joined: ({ text }) => h("li", { class: "hint" }, text),
};
