// What the page says: whose turn, what may be done, what was missed, what lies there, who has what.

import { $, cardFace, cardSign, h, isRed, rankSign, s, show } from "./dom.js";
import { ruled, sentence } from "./troubles.js";

const signed = (count) => (count > 0 ? `+${count}` : count < 0 ? `−${-count}` : "0");

export function showHead(state) {
  const title = state.game?.title ?? "";
  $("where").textContent = `Deal ${state.deal}, ${title}`;
  $("headline").textContent = state.headline.text;
  $("more").textContent = state.headline.more;
  $("last").textContent = state.last ? sentence(state.last.text) : "";
  document.title = `${state.headline.text} - Mournival`;
  $("page").dataset.phase = state.phase;
  $("undo").disabled = !state.undo;
  $("undo").title = state.undo ? `Undo: ${state.undo.text} (U)` : "";
  $("redo").disabled = state.redo === null;
}

export function showClaims(state, act) {
  const claims = state.claims.map((claim) =>
    h("section", { class: "panel claim", "data-claim": claim.code },
      h("h2", {}, state.phase === "settled" ? "Missed, and may still be claimed" : "Missed"),
      h("p", { class: "text" }, sentence(claim.text)),
      h("p", { class: "who-may" }, `May claim: ${claim.claimants.join(", ")}.`),
      ruled(claim.why, claim.code),
      h("div", { class: "claimers" }, claim.actions.map((offer) =>
        h("button", { type: "button", "data-key": `claim-${offer.line}`, onclick: () => act.enter(offer.line) }, `${offer.name} claims`)))));
  show($("claims"), claims);
  const told = new Set(state.claims.map((claim) => claim.code));
  const notices = state.notices.filter((notice) => !told.has(notice.code)).map((notice) =>
    h("section", { class: "panel notice" }, h("p", {}, sentence(notice.text)), ruled(notice.why, notice.rule)));
  show($("notices"), notices);
}

export function showMates(state) {
  const silent = state.phase !== "playing" || state.setup.options.help === "silent";
  $("mates-panel").hidden = silent;
  if (silent) return;
  const turn = state.seats.find((seat) => seat.turn);
  if (state.middle) {
    $("mates-title").textContent = turn ? `What ${turn.name} may do` : "What may be done";
    show($("mates"), state.advice.map((line) => h("li", {}, line)));
    return;
  }
  $("mates-title").textContent = turn ? `What ${turn.name} may mate` : "What may be mated";
  const lines = state.mates.map((mate) => h("li", {}, h("span", { class: "rank-chip" }, rankSign(mate.rank)), h("div", {}, mate.text, ruled(mate.why))));
  show($("mates"), lines.length ? lines : h("li", { class: "none" }, "Nothing that lies there can be mated: lie down."));
}

// A trick, or the two centre cards, each with what stands under it; and the stock beside them.
function showMiddle(middle, wrong, pick) {
  $("pool-title").textContent = middle.title;
  const cards = middle.cards.map((one) =>
    h("div", { class: "rank-group" }, cardFace(one.card, { onclick: () => pick({ card: one.card }), classes: wrong.has(one.card) ? "missing" : "", key: `pool-${one.card}` }), h("span", { class: "under-name" }, one.under)));
  const stock = middle.stock === null ? null : h("div", { class: "rank-group stock" }, h("span", { class: `heap ${middle.stock ? "" : "none"}`, role: "img", "aria-label": `${middle.stock} cards in the stock` }, String(middle.stock)), h("span", { class: "under-name" }, "stock"));
  const note = middle.note ? h("p", { class: "note" }, middle.note) : null;
  show($("pool"), cards.length || stock ? [...cards, stock] : h("p", { class: "empty" }, middle.note || "No card lies there."), cards.length || stock ? note : null);
}

// While the cards are being dealt the table shows what the camera sees; then what the game knows.
export function showPool(state, view, pick) {
  const waiting = state.phase === "waiting";
  const wrong = new Set(state.disagreement?.missing.filter((one) => !one.place.startsWith("pile")).map((one) => one.card));
  $("lying").hidden = state.phase === "settled";
  if (state.middle) return showMiddle(state.middle, wrong, pick);
  const seen = waiting && view ? view.cards.filter((card) => card.zone === "table").map((card) => card.card) : [];
  const groups = waiting ? grouped(seen) : state.table;
  const count = groups.reduce((sum, group) => sum + group.cards.length, 0);
  $("pool-title").textContent = waiting && state.tableSize ? `On the table: ${count} of ${state.tableSize}` : "On the table";
  show($("pool"), groups.length
    ? groups.map((group) =>
        h("div", { class: "rank-group" },
          h("div", { class: "fan" }, group.cards.map((card) => cardFace(card, { onclick: () => pick({ card }), classes: wrong.has(card) ? "missing" : group.dead ? "dead" : "", key: `pool-${card}` }))),
          group.dead ? h("span", { class: "dead-name" }, "dead") : group.cards.length > 2 ? h("span", { class: "set-name" }, group.set) : null))
    : h("p", { class: "empty" }, waiting ? "No cards yet." : "The table is empty."));
}

function grouped(cards) {
  const order = "A23456789TJQK?";
  const groups = new Map();
  for (const card of [...cards].sort((a, b) => order.indexOf(a[0]) - order.indexOf(b[0]))) {
    if (!groups.has(card[0])) groups.set(card[0], { rank: card[0], cards: [], set: "", dead: false });
    groups.get(card[0]).cards.push(card);
  }
  return [...groups.values()];
}

function meter(count, par) {
  const full = par * 2;
  const share = Math.min(1, count / full) * 100;
  return h("div", { class: "meter", role: "img", "aria-label": `${count} cards, par ${par}` },
    s("svg", {},
      s("rect", { class: "fill", x: 0, y: 0, width: `${share}%`, height: "100%", rx: 4 }),
      s("rect", { class: "par-mark", x: "50%", y: -3, width: 2, height: 13 })));
}

export function showSeats(state) {
  const box = $("seats");
  box.style.setProperty("--players", state.seats.length);
  const many = state.closed.length > 0;
  show(box, state.seats.map((seat) => {
    if (seat.par === null && state.phase !== "waiting") return handSeat(seat, state, many);
    const over = seat.par === null ? 0 : (seat.count - seat.par) / 2;
    const settled = state.phase === "settled";
    const bonus = seat.bonus ? `${over > 0 ? " + " : over < 0 ? ", draws " : "draws "}${seat.bonus}` : "";
    const standing = `${over > 0 ? `draws ${over}` : over < 0 ? `pays ${-over}` : bonus ? "" : "at par"}${bonus}`;
    const hand = state.phase !== "playing" ? "" : !seat.in ? "lies down" : seat.hand === null || seat.hand === undefined ? "" : `${seat.hand} in hand`;
    return h("article", { class: `seat ${seat.turn ? "turn" : ""} ${seat.in ? "" : "out"}`, "data-seat": seat.seat },
      h("div", { class: "top" },
        h("span", { class: "name", title: seat.name }, seat.name),
        seat.dealer ? h("span", { class: "chip deals" }, "deals") : null,
        h("span", { class: "hand" }, hand)),
      h("div", { class: "count" },
        h("b", {}, String(seat.count)),
        seat.par === null ? null : h("span", { class: "par" }, `par ${seat.par}`),
        seat.par === null || state.phase === "waiting" ? null : h("span", { class: `against ${over > 0 ? "over" : over < 0 ? "under" : ""}`, title: seat.bonus ? `${seat.bonus} as the last one in` : null }, settled ? standing : [h("span", { class: "if" }, "if it ended now: "), standing])),
      seat.par === null ? null : meter(seat.count, seat.par),
      h("div", { class: "foot" },
        h("div", { class: "pile", "aria-label": "Pile" }, seat.pile.map((group) => h("span", {}, group.map((card) => rankSign(card[0])).join(" "))),
          seat.swept ? h("span", { class: "swept" }, seat.pile.length ? `and ${seat.swept} swept` : `${seat.swept} swept`) : null),
        h("a", { class: "own-hand", href: `/seat/${seat.seat}`, "data-key": `hand-${seat.seat}`, "aria-label": `My hand: hints for ${seat.name}` }, "My hand")),
      many ? h("div", { class: "money" }, `Account ${signed(state.account[seat.seat - 1] ?? 0)}`) : null);
  }));
}

// A seat where the cards in the hand count, and what was won or put aside lies beside it.
function handSeat(seat, state, many) {
  const won = state.settlement?.winners?.includes(seat.seat);
  const beside = seat.tricks !== undefined
    ? h("span", {}, `${seat.tricks} ${seat.tricks === 1 ? "trick" : "tricks"} won`)
    : seat.aside?.length ? ["put aside ", ...seat.aside.map((card) => h("span", { class: `small-card ${isRed(card) ? "red" : ""}` }, cardSign(card)))] : h("span", {}, state.phase === "settled" ? "" : "nothing put aside");
  return h("article", { class: `seat ${seat.turn ? "turn" : ""}`, "data-seat": seat.seat },
    h("div", { class: "top" },
      h("span", { class: "name", title: seat.name }, seat.name),
      seat.dealer ? h("span", { class: "chip deals" }, "deals") : null,
      won ? h("span", { class: "chip wins" }, "wins") : null),
    h("div", { class: "count" }, h("b", {}, String(seat.count)), h("span", { class: "par" }, state.phase === "settled" ? "left in hand" : "in hand")),
    h("div", { class: "foot" },
      h("div", { class: "pile", "aria-label": "Beside it" }, beside),
      h("a", { class: "own-hand", href: `/seat/${seat.seat}`, "data-key": `hand-${seat.seat}`, "aria-label": `My hand: hints for ${seat.name}` }, "My hand")),
    many ? h("div", { class: "money" }, `Account ${signed(state.account[seat.seat - 1] ?? 0)}`) : null);
}

export function showStory(state, act) {
  const lines = [...state.history].reverse().map((done, index) =>
    h("li", { class: done.sure ? "" : "unsure" },
      h("span", { class: "say" }, sentence(done.text)),
      done.sure ? null : h("button", { type: "button", class: "plain", "data-key": `right-${done.seq}`, onclick: () => act.confirm(done.seq) }, "It is right"),
      h("button", { type: "button", class: "plain", "data-key": `change-${done.seq}`, "aria-label": `Change: ${done.text}`, onclick: () => act.change(done) }, "Change"),
      h("button", { type: "button", class: "plain", "data-key": `undo-${done.seq}`, "aria-label": `Undo: ${done.text}`, onclick: () => act.undo(done.seq) }, index === 0 ? "Undo" : "Take out")));
  const faults = state.faults.filter((fault) => fault.past).map((fault) => h("li", { class: "fault" }, h("span", { class: "say" }, fault.past)));
  const joined = state.joined ? h("li", { class: "hint" }, "Joined under way: what happened before was not seen.") : null;
  show($("history"), state.phase === "settled" ? faults : null, lines, joined);
  $("story").hidden = !lines.length && !joined;
}

// The account over the deals, once there is more to it than the deal that is being played.
export function showAccount(state) {
  const rows = state.closed.map((deal) => [`Deal ${deal.deal}${deal.sure ? "" : ", not sure"}`, deal.nets]);
  const settled = state.settlement?.pot === undefined ? null : state.settlement.seats.map((seat) => seat.net);
  if (!rows.length || state.phase === "playing") { show($("account")); return; }
  if (settled) rows.push([`Deal ${state.deal}`, settled]);
  const total = state.account.map((sum, seat) => sum + (settled?.[seat] ?? 0));
  const line = (name, nets) => h("tr", {}, h("th", { scope: "row" }, name), nets.map((net) => h("td", {}, signed(net))));
  show($("account"), h("h2", {}, "The account"), h("table", {},
    h("thead", {}, h("tr", {}, h("th", {}), state.setup.names.map((name) => h("th", { scope: "col" }, name)))),
    h("tbody", {}, rows.map(([name, nets]) => line(name, nets))),
    h("tfoot", {}, line("Together", total))));
}

// What a seat draws; the last one in sees what it is made of.
const drawn = (seat) => (seat.bonus && seat.received > seat.bonus ? `${seat.received - seat.bonus} + ${seat.bonus}` : seat.received || "");

export function showSettlement(state, act) {
  const result = state.settlement;
  if (!result) {
    const none = state.phase === "settled" ? state.doubts.map((doubt) => h("p", { class: "doubt" }, doubt)) : [];
    show($("settlement"), none.length ? h("section", { class: "panel settled unsure" }, h("h2", {}, "No settlement"), none) : null);
    return;
  }
  const stakes = result.pot !== undefined;
  const head = stakes ? ["", "Cards", "Staked", "Pays in", "Draws", "Result"] : ["", "Cards", "Score"];
  const rows = result.seats.map((seat) => {
    const cells = stakes ? [seat.cards, seat.staked, seat.paid_in || "", drawn(seat)] : [seat.cards];
    const net = stakes ? seat.net : seat.score;
    return h("tr", { "data-seat": seat.seat },
      h("td", {}, seat.name, result.bonus?.seat === seat.seat ? " (last in)" : ""),
      cells.map((cell) => h("td", {}, String(cell))),
      h("td", { class: `net ${net > 0 ? "plus" : net < 0 ? "minus" : ""}` }, stakes ? signed(net) : String(net)));
  });
  const total = (name) => String(result.seats.reduce((sum, seat) => sum + seat[name], 0));
  show($("settlement"), h("section", { class: `panel settled ${result.sure ? "" : "unsure"}` },
    h("h2", {}, `${stakes ? "Settlement" : "Result"}${result.sure ? "" : ", not sure yet"}`),
    result.doubts.map((doubt) => h("p", { class: "doubt" }, doubt)),
    state.joined ? h("p", { class: "hint" }, "This deal was joined under way: the result rests on the piles and the table as they lay then, and on the hand sizes that were told.") : null,
    h("div", { class: "steps" }, result.sentences.map((step) => h("p", {}, step))),
    h("table", {},
      h("thead", {}, h("tr", {}, head.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, rows),
      stakes ? h("tfoot", {}, h("tr", {}, h("td", {}, "Together"), ["cards", "staked", "paid_in", "received"].map((name) => h("td", {}, total(name))), h("td", { class: "net" }, signed(result.sum)))) : null),
    h("p", { class: "go" },
      h("a", { class: "button", href: "/api/record.deal", download: `deal-${state.deal}.deal` }, "Record"),
      h("button", { type: "button", class: "strong", id: "next-deal", "data-key": "next-deal", onclick: act.next }, "Next deal"))));
}

