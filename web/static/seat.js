// One seat's own page: tell the hand, then see what can be done with it. The hand goes to the program alone.

import { $, cardFace, cardSign, cardWords, h, RANKS, say, send, SUITS } from "./dom.js";
import { showEyeLine } from "./eye_line.js";
import { HandCamera } from "./hand_camera.js";
import { keep } from "./kept.js";
import { follow } from "./live.js";
import { answered, rankSign } from "./letters.js";
import { t, tn } from "./texts.js";

const seat = document.body.dataset.ownSeat;
const AGAIN_MS = 500;
const SEEN = `seen-${seat}`; // the entry that this page showed last; no card is kept
const PACK = RANKS.flatMap((rank) => SUITS.map((suit) => rank + suit));
let shown = null; // what the program says of this seat
let tapped = new Set();
let unsure = new Set(); // what a picture shows but not clearly
let changing = false;
let away = sessionStorage.getItem(SEEN); // the entry that was shown last before nobody looked; null while somebody does
let asked = 0;
let timer;
const camera = new HandCamera(seat, onSeen);

async function refresh() {
  clearTimeout(timer);
  if (document.hidden) return;
  const number = ++asked;
  try {
    const response = await fetch(`/api/seat/${seat}${away === null ? "" : `?since=${away}`}`);
    const answer = await answered(response);
    if (number !== asked || document.hidden) return; // A newer question was sent meanwhile, or nobody looks any more.
    if (!response.ok) { say(answer.error); return; }
    onSeat(answer);
  } catch {
    timer = setTimeout(refresh, 2000);
  }
}

function onSeat(news) {
  const before = shown;
  shown = news;
  const other = before && before.deal !== news.deal;
  const asking = news.phase === "tell" || (news.phase === "known" && news.missing > 0);
  const fresh = other || (asking && !(before && (before.phase === "tell" || before.missing > 0)));
  if (fresh) { tapped = new Set(news.hand); unsure = new Set(); $("seen").textContent = ""; }
  // What is seen on the table meanwhile is no longer in a hand.
  tapped = new Set([...tapped].filter((card) => news.offered.includes(card)));
  if (other || news.phase !== "known") changing = false;
  if (!asking && !changing) camera.close();
  showMissed(news.missed);
  draw(asking || changing);
  if (news.pending) timer = setTimeout(refresh, AGAIN_MS);
}

function draw(choosing) {
  const page = $("page");
  page.dataset.phase = shown.phase;
  page.dataset.fresh = "yes";
  page.dataset.turn = shown.turn ? "yes" : "no";
  $("whose").textContent = t("{name}'s hand", { name: shown.name });
  document.title = `${shown.headline} - ${$("whose").textContent}`;
  if ($("headline").textContent !== shown.headline) $("headline").textContent = shown.headline;
  const playing = shown.phase === "tell" || shown.phase === "known";
  $("own").hidden = !playing;
  $("last").textContent = playing ? "" : shown.more;
  $("own-title").textContent = shown.phase === "known" ? tn("My hand: {n} card", "My hand: {n} cards", shown.size) : t("My hand");
  $("wrong").textContent = shown.wrong ? t("This can't be right: {why}", { why: shown.wrong }) : "";
  $("more").textContent = changing ? t("Tap cards to put them right.") : shown.more;
  keep($("hand"), choosing ? [] : shown.hand, (card) => card, (card) => cardFace(card, { small: true }));
  $("choosing").hidden = !choosing;
  $("show-hand").hidden = !shown.camera;
  for (const id of ["change", "forget"]) $(id).hidden = choosing || shown.phase !== "known";
  $("privacy").hidden = !choosing;
  $("keep").hidden = !changing;
  if (choosing) drawGrid();
  drawAdvice(choosing);
}

// --- the hand ------------------------------------------------------------------------------------------------------

// The cells stay where they are, so that no tap is lost while the page is brought up to date.
const cells = new Map(PACK.map((card) => [card, gone(card)]));
$("grid").append(...cells.values());

function drawGrid() {
  const open = PACK.filter((card) => shown.offered.includes(card));
  const stop = open.find((card) => card === $("grid").dataset.at) ?? open[0];
  for (const card of PACK) {
    const offered = shown.offered.includes(card);
    if ((cells.get(card).tagName === "BUTTON") !== offered) {
      const fresh = offered ? cell(card) : gone(card);
      cells.get(card).replaceWith(fresh);
      cells.set(card, fresh);
    }
    if (offered) mark(cells.get(card), card, card === stop);
  }
  const left = shown.size - tapped.size;
  $("tally").textContent = left < 0 ? tn("{n} too many", "{n} too many", -left) : t("{n} of {size}", { n: tapped.size, size: shown.size });
  $("tell").disabled = left !== 0;
  $("drop").disabled = tapped.size === 0;
}

function gone(card) {
  return h("span", { class: "gone", "aria-hidden": "true" }, rankSign(card[0]));
}

function cell(card) {
  return h("button", { type: "button", class: "cell", "data-card": card, "data-suit": card[1], "data-key": `cell-${card}`, onclick: () => tap(card) }, cardSign(card));
}

function mark(button, card, stop) {
  const doubtful = unsure.has(card) && tapped.has(card);
  button.className = `cell ${doubtful ? "unsure" : ""}`;
  button.setAttribute("aria-pressed", String(tapped.has(card)));
  button.setAttribute("aria-label", doubtful ? t("{card}, not sure", { card: cardWords(card) }) : cardWords(card));
  button.tabIndex = stop ? 0 : -1;
}

function tap(card) {
  camera.close();
  unsure.delete(card);
  if (!tapped.delete(card)) tapped.add(card);
  $("grid").dataset.at = card;
  drawGrid();
}

// What a picture shows is ticked, for the player to look it over.
function onSeen(seen) {
  tapped = new Set(seen.cards.filter((card) => shown.offered.includes(card)));
  unsure = new Set(seen.unsure);
  if ($("seen").textContent !== seen.said) $("seen").textContent = seen.said;
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
  camera.close();
  if (await send(`seat/${seat}/hand`, { cards: [...tapped].join(" ") })) { changing = false; await refresh(); $("change").focus(); }
}

function clear() {
  camera.close();
  tapped.clear();
  unsure.clear();
  $("seen").textContent = "";
}

$("tell").addEventListener("click", tell);
$("drop").addEventListener("click", () => { clear(); drawGrid(); $("grid").querySelector("[tabindex='0']")?.focus(); });
$("change").addEventListener("click", () => {
  changing = true;
  clear();
  tapped = new Set(shown.hand.filter((card) => shown.offered.includes(card)));
  draw(true);
  $("grid").querySelector("[tabindex='0']")?.focus();
});
$("keep").addEventListener("click", () => { changing = false; clear(); draw(false); $("change").focus(); });
$("forget").addEventListener("click", async () => { if (await send(`seat/${seat}/forget`, {})) { clear(); await refresh(); } });

// --- what to do with it --------------------------------------------------------------------------------------------

function drawAdvice(choosing) {
  const known = shown.phase === "known" && !choosing;
  const parts = !known ? [] : [
    ...shown.lists.map((list) => ({ kind: list.ranked ? "ranked" : "plain", title: list.title, entries: list.entries })),
    ...(shown.pending ? [{ kind: "pending", text: t("Trying it out ...") }] : []),
    ...(shown.note ? [{ kind: "note", text: shown.note }] : []),
  ];
  keep($("advice"), parts.map(({ entries, ...part }) => part), (part) => part.title ?? part.kind, part);
  for (const list of parts.filter((one) => one.entries)) {
    const box = $("advice").querySelector(`[data-keep="${CSS.escape(list.title)}"] :is(ol, ul)`);
    keep(box, list.entries, (one) => one.lines[0], entry);
  }
}

function part(one) {
  if (one.text !== undefined) return h("p", { class: "note", role: one.kind === "pending" ? "status" : null }, one.text);
  return h("section", { class: `panel list ${one.kind === "ranked" ? "ranked" : ""}` }, h("h2", {}, one.title), h(one.kind === "ranked" ? "ol" : "ul", {}));
}

function entry(one) {
  const faces = (cards) => cards.map((card) => cardFace(card, { small: true }));
  return h("li", { "data-line": one.lines[0] },
    h("div", { class: "what" },
      one.own.length || one.taken.length
        ? h("span", { class: "faces" }, h("span", { class: "fan" }, faces(one.own)), one.own.length && one.taken.length ? h("span", { class: "meets", "aria-hidden": "true" }, "→") : null, h("span", { class: "fan" }, faces(one.taken)))
        : null,
      h("p", { class: "text" }, one.text)),
    one.value ? h("p", { class: "worth" }, h("b", {}, one.value), " ", h("span", { class: one.sure ? "sure" : "" }, one.spread), one.near ? h("span", { class: "near" }, t("about as good as the first")) : null) : null,
    one.why ? h("p", { class: "reason" }, one.why) : null,
    one.rule.text ? h("details", { class: "why" }, h("summary", { "data-key": `rule-${one.lines[0]}` }, t("Why? Rule {number}", { number: one.rule.number })), h("p", {}, one.rule.text)) : null);
}

// --- live ----------------------------------------------------------------------------------------------------------

let linked = true;
let unlinked = ""; // why the page has no news
let eye = { ok: true, text: "" };
function showEye() {
  $("eye").dataset.ok = linked && eye.ok ? "yes" : "no";
  showEyeLine(linked ? (eye.ok || eye.ended ? eye.text : t("The host's camera gives no picture yet")) : unlinked);
}

function showMissed(lines) {
  if (lines.length) {
    $("missed-list").replaceChildren(...lines.map((line) => h("li", {}, line)));
    $("missed").hidden = false;
  }
  away = null;
  sessionStorage.setItem(SEEN, shown.seq);
}

// From now on what is shown may be old: it is greyed out until the program has said how things stand.
function leave() {
  if (shown && away === null) away = shown.seq;
  $("page").dataset.fresh = "no";
}

$("missed-close").addEventListener("click", () => { $("missed").hidden = true; $("headline").focus(); });
document.addEventListener("visibilitychange", () => { if (document.hidden) leave(); else refresh(); });
window.addEventListener("pageshow", (event) => { if (event.persisted) { leave(); refresh(); } });

follow({
  state: refresh,
  eye: (news) => { eye = news; showEye(); },
  link: (ok, why) => {
    if (!ok) leave();
    else if (!linked) refresh();
    [linked, unlinked] = [ok, why];
    showEye();
  },
});
