// The page: what the program says goes to its place, what somebody wants goes to the program.

import { showAccount } from "./account_panel.js";
import { $, h, say, send } from "./dom.js";
import { ActionDialog, CorrectDialog } from "./dialogs.js";
import { showEyeLine } from "./eye_line.js";
import { showHints } from "./hints.js";
import { Joining } from "./joining.js";
import { follow } from "./live.js";
import { put, showClaims, showHead, showPool, showSeats, showStory, sizeCards } from "./panels.js";
import { LentCamera } from "./lending.js";
import { LivePicture } from "./picture.js";
import { isHost, mayAnswer } from "./role.js";
import { showCardsTable } from "./cards_table.js";
import { showMending } from "./mending.js";
import { MissedDialog } from "./missed_card.js";
import { showSettlement } from "./settlement.js";
import { Sound } from "./sound.js";
import { t, tn } from "./texts.js";
import { showTroubles } from "./troubles.js";
import { ZoneEditor } from "./zones.js";

const current = { state: null, view: null };
let placed;
let linked = true;
let unlinked = ""; // why the page has no news
let eye = { ok: true, text: t("Starting") };
let taken = null;
let putAway = sessionStorage.getItem("remark-put-away");
const missed = new MissedDialog(current);
const correcting = new CorrectDialog(current, missed);
const adding = new ActionDialog(current);
const pick = isHost ? (card) => correcting.open(card) : undefined;
const picture = new LivePicture(pick);
const zones = new ZoneEditor(current);
const joining = new Joining(current);
const sound = new Sound();

const command = (path, body = {}) => send(path, { seen: current.state.seq, ...body });
const act = {
  answer: async (question, choice) => {
    if ((await command("answer", { question: question.seq, choice })) && choice === null && isHost) adding.open({ seat: question.seat });
  },
  accept: (right) => command("accept", { right }),
  edit: () => adding.open(),
  change: (done) => adding.open({ seat: done.seat, at: done }),
  enter: (line) => command("action", { line }),
  undo: (target) => command("undo", target === undefined ? {} : { target }),
  redo: () => command("redo"),
  confirm: (target) => command("confirm", { target }),
  next: () => command("next"),
  help: (level) => command("help", { level }),
};

// Each part where there is room for it: once the pot is settled, what was missed, the steps and the account stand under
// the picture and the story below everything; else all of it stands beside the picture.
function place(phase) {
  if (phase === placed) return;
  placed = phase;
  for (const id of ["steps", "claims", "mates-panel", "notices", "account", "story"]) document.querySelector(".below").before($(id));
  if (phase !== "settled") return;
  for (const id of ["claims", "steps", "account"]) document.querySelector(".pool").append($(id));
  for (const id of ["notices", "story"]) $("page").append($(id));
}

// What goes on below its own edge fades out there.
function fade() {
  for (const box of document.querySelectorAll(".side, .pool, .story ol")) {
    const scrolls = getComputedStyle(box).overflowY === "auto";
    box.classList.toggle("goes-on", scrolls && box.scrollHeight - box.clientHeight - box.scrollTop > 8);
  }
}

function onState(state) {
  current.state = state;
  showHead(state);
  showMending(state, act);
  showTroubles(state, act);
  joining.show();
  showClaims(state, act);
  showHints(state, act);
  showPool(state, current.view, pick);
  showSeats(state);
  showStory(state, act);
  showSettlement(state, act);
  showAccount(state);
  showCardsTable(state);
  place(state.phase);
  picture.tell(state);
  document.body.dataset.seq = state.seq;
  adding.told();
  showEye();
  sound.state(state);
  fade();
}

function onView(view) {
  const before = current.view;
  current.view = view;
  $("zones-edit").disabled = !view.zones?.length;
  picture.update(view);
  const cards = (one) => JSON.stringify((one?.cards ?? []).map((card) => [card.card, card.zone]));
  if (current.state?.phase === "waiting" && cards(before) !== cards(view)) showPool(current.state, view, pick);
}

function showEye() {
  $("eye").dataset.ok = linked && eye.ok ? "yes" : "no";
  const said = eye.ok || eye.ended || isHost ? eye.text : t("The host's camera gives no picture yet");
  showEyeLine(linked ? said : unlinked);
  const over = eye.ended && current.state?.phase === "waiting";
  put("more", over ? t("The recording has ended. Set-up, then New evening, plays it again.") : current.state?.headline.more ?? "");
  $("warning").textContent = linked && isHost && eye.ok ? eye.warning ?? "" : "";
}

// A picture that is not the newest any more says so.
function showAge() {
  const seconds = taken === null || eye.ended ? 0 : Math.floor((performance.now() - taken) / 1000);
  const minutes = Math.floor(seconds / 60);
  const old = seconds < 120
    ? tn("This picture is {n} second old", "This picture is {n} seconds old", seconds)
    : tn("This picture is {n} minute old", "This picture is {n} minutes old", minutes);
  $("age").textContent = seconds < 3 ? "" : old;
}

function showRemark(text) {
  $("remark-text").textContent = text;
  $("remark").hidden = !text || text === putAway;
}

follow({
  state: onState,
  view: (news) => { taken = news.frame ? performance.now() - 1000 * (news.age ?? 0) : null; showAge(); onView(news); },
  zones: (news) => { zones.told(news.zones); if (current.view) onView({ ...current.view, zones: news.zones }); },
  joining: (news) => { current.joining = news; if (current.state) joining.show(); },
  eye: (news) => { eye = news; showEye(); showAge(); if (!news.ended) sound.eye(news.ok, news.text); },
  remark: (news) => showRemark(news.text),
  link: (ok, why) => { [linked, unlinked] = [ok, why]; showEye(); },
});

document.addEventListener("scroll", fade, { capture: true, passive: true });
const sized = new ResizeObserver(() => { sizeCards(); fade(); });
for (const box of document.querySelectorAll(".side, .pool, #pool, .story ol")) sized.observe(box);
setInterval(showAge, 1000);
document.addEventListener("view-chosen", () => { sizeCards(); fade(); });
$("remark-close").addEventListener("click", () => {
  putAway = $("remark-text").textContent;
  sessionStorage.setItem("remark-put-away", putAway);
  $("remark").hidden = true;
});
$("below").addEventListener("click", () => {
  const side = document.querySelector(".side");
  side.scrollBy({ top: side.clientHeight * 0.7 });
});
$("undo").addEventListener("click", () => act.undo());
$("redo").addEventListener("click", () => act.redo());
$("add").addEventListener("click", () => adding.open());
$("missed").addEventListener("click", () => (current.state.phase === "waiting" ? adding.open() : missed.open()));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !current.state) return;
  if (event.target.closest("input, select, textarea, dialog, #zones")) return;
  const question = current.state.questions[0];
  if (question && mayAnswer(question) && /^[0-9]$/.test(event.key)) {
    const choice = Number(event.key);
    if (choice >= 1 && choice <= question.choices.length) act.answer(question, choice - 1);
    else if (choice === question.choices.length + 1) act.answer(question, null);
  } else if (event.key === "m" && !$("mute").hidden) sound.mute();
  else if (!isHost) return;
  else if (event.key === "u" && current.state.undo) act.undo();
  else if (event.key === "n" && current.state.phase === "settled") act.next();
});

if (document.body.dataset.browserCamera === "yes") {
  const camera = new LentCamera(h("video", { playsinline: true, muted: true }), ({ state, text }) => { if (state === "elsewhere" || state === "stopped") say(text); });
  camera.open(null).then(() => camera.sendOn(), (error) => say(t("This page's camera can't be used: {why}", { why: error.message })));
}
