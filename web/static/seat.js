// One seat's own page: tap the hand, then see what can be done with it. The hand goes to the program alone.

import { $, cardFace, cardSign, cardWords, h, isRed, RANKS, rankSign, say, send, show, SUITS } from "./dom.js";
import { follow } from "./live.js";

const seat = document.body.dataset.ownSeat;
const AGAIN_MS = 500;
let shown = null; // what the program says of this seat
let tapped = new Set();
let changing = false;
let asked = 0;
let timer;

async function refresh() {
  clearTimeout(timer);
  const number = ++asked;
  try {
    const response = await fetch(`/api/seat/${seat}`);
    const answer = await response.json();
    if (number !== asked) return; // A newer question was sent meanwhile.
    if (!response.ok) { say(answer.error); return; }
    onSeat(answer);
  } catch {
    timer = setTimeout(refresh, 2000);
  }
}

function onSeat(news) {
  const before = shown;
  shown = news;
  const asking = news.phase === "tell" || (news.phase === "known" && news.missing > 0);
  const fresh = asking && !(before && (before.phase === "tell" || before.missing > 0));
  if (fresh) tapped = new Set(news.hand);
  // What is seen on the table meanwhile is no longer in a hand.
  tapped = new Set([...tapped].filter((card) => news.offered.includes(card)));
  if (news.phase !== "known") changing = false;
  draw(asking || changing);
  if (news.pending) timer = setTimeout(refresh, AGAIN_MS);
}

function draw(choosing) {
  $("page").dataset.phase = shown.phase;
  $("whose").textContent = `${shown.name}'s hand`;
  document.title = `${shown.headline} - ${shown.name}'s hand`;
  $("headline").textContent = shown.headline;
  $("page").dataset.turn = shown.turn ? "yes" : "no";
  const playing = shown.phase === "tell" || shown.phase === "known";
  $("own").hidden = !playing;
  $("last").textContent = playing ? "" : shown.more;
  $("own-title").textContent = shown.phase === "known" ? `My hand: ${shown.size} ${shown.size === 1 ? "card" : "cards"}` : "My hand";
  $("wrong").textContent = shown.wrong ? `This can't be right: ${shown.wrong}` : "";
  $("more").textContent = changing ? "Tap cards to put them right." : shown.more;
  show($("hand"), choosing ? [] : shown.hand.map((card) => cardFace(card)));
  $("choosing").hidden = !choosing;
  for (const id of ["change", "forget"]) $(id).hidden = choosing || shown.phase !== "known";
  $("privacy").hidden = !choosing;
  $("keep").hidden = !changing;
  if (choosing) drawGrid();
  drawAdvice(choosing);
}

// --- the hand ------------------------------------------------------------------------------------------------------

function drawGrid() {
  const free = RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit));
  const stop = free.find((card) => card === $("grid").dataset.at && shown.offered.includes(card)) ?? free.find((card) => shown.offered.includes(card));
  show($("grid"), free.map((card) => (shown.offered.includes(card) ? cell(card, card === stop) : h("span", { class: "gone", "aria-hidden": "true" }, rankSign(card[0])))));
  const left = shown.size - tapped.size;
  $("tally").textContent = left > 0 ? `${tapped.size} of ${shown.size}` : left < 0 ? `${-left} too many` : `${shown.size} of ${shown.size}`;
  $("tell").disabled = left !== 0;
  $("drop").disabled = tapped.size === 0;
}

function cell(card, stop) {
  const on = tapped.has(card);
  return h("button", {
    type: "button", class: `cell ${isRed(card) ? "red" : ""}`, "aria-pressed": String(on), "aria-label": cardWords(card),
    "data-card": card, "data-key": `cell-${card}`, tabindex: stop ? 0 : -1, onclick: () => tap(card),
  }, cardSign(card));
}

function tap(card) {
  if (!tapped.delete(card)) tapped.add(card);
  $("grid").dataset.at = card;
  drawGrid();
}

// Arrow keys go through the cards as they stand on the screen; of all cards one is in the order of the tab key.
$("grid").addEventListener("keydown", (event) => {
  const card = event.target.dataset?.card;
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!card || !steps) return;
  event.preventDefault();
  const upright = getComputedStyle($("grid")).gridAutoFlow === "row"; // suits side by side
  const [suits, ranks] = upright ? steps : [steps[1], steps[0]];
  let [rank, suit] = [RANKS.indexOf(card[0]) + ranks, SUITS.indexOf(card[1]) + suits];
  for (; RANKS[rank] && SUITS[suit]; rank += ranks, suit += suits) {
    const next = $("grid").querySelector(`[data-card="${RANKS[rank]}${SUITS[suit]}"]`);
    if (!next) continue;
    event.target.tabIndex = -1;
    next.tabIndex = 0;
    $("grid").dataset.at = next.dataset.card;
    next.focus();
    return;
  }
});

async function tell() {
  if (await send(`seat/${seat}/hand`, { cards: [...tapped].join(" ") })) { changing = false; await refresh(); $("change").focus(); }
}

$("tell").addEventListener("click", tell);
$("drop").addEventListener("click", () => { tapped.clear(); drawGrid(); $("grid").querySelector("[tabindex='0']")?.focus(); });
$("change").addEventListener("click", () => {
  changing = true;
  tapped = new Set(shown.hand.filter((card) => shown.offered.includes(card)));
  draw(true);
  $("grid").querySelector("[tabindex='0']")?.focus();
});
$("keep").addEventListener("click", () => { changing = false; draw(false); $("change").focus(); });
$("forget").addEventListener("click", async () => { if (await send(`seat/${seat}/forget`, {})) { tapped.clear(); await refresh(); } });

// --- what to do with it --------------------------------------------------------------------------------------------

function drawAdvice(choosing) {
  const known = shown.phase === "known" && !choosing;
  show($("advice"), !known ? [] : [
    ...shown.lists.map((list) => h("section", { class: `panel list ${list.ranked ? "ranked" : ""}` },
      h("h2", {}, list.title),
      h(list.ranked ? "ol" : "ul", {}, list.entries.map(entry)))),
    shown.pending ? h("p", { class: "note", role: "status" }, "Trying it out ...") : null,
    shown.note ? h("p", { class: "note" }, shown.note) : null,
  ]);
}

function entry(one) {
  const faces = (cards) => cards.map((card) => cardFace(card));
  return h("li", { "data-line": one.lines[0] },
    h("div", { class: "what" },
      one.own.length || one.taken.length
        ? h("span", { class: "faces" }, h("span", { class: "fan" }, faces(one.own)), one.own.length && one.taken.length ? h("span", { class: "meets", "aria-hidden": "true" }, "→") : null, h("span", { class: "fan" }, faces(one.taken)))
        : null,
      h("p", { class: "text" }, one.text)),
    one.value ? h("p", { class: "worth" }, h("b", {}, one.value), " ", h("span", { class: one.spread === "sure" ? "sure" : "" }, one.spread), one.near ? h("span", { class: "near" }, " about as good as the first") : null) : null,
    one.why ? h("p", { class: "reason" }, one.why) : null,
    one.rule.text ? h("details", { class: "why" }, h("summary", { "data-key": `rule-${one.lines[0]}` }, `Rule ${one.rule.number}`), h("p", {}, one.rule.text)) : null);
}

// --- live ----------------------------------------------------------------------------------------------------------

let linked = true;
let eye = { ok: true, text: "" };
function showEye() {
  $("eye").dataset.ok = linked && eye.ok ? "yes" : "no";
  $("eye-text").textContent = linked ? eye.text : "The program does not answer";
}

follow({
  state: refresh,
  eye: (news) => { eye = news; showEye(); },
  link: (ok) => { linked = ok; showEye(); },
});
