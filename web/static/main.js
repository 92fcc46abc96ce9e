// The page: what the program says goes to its place, what somebody wants goes to the program.

import { $, say, send } from "./dom.js";
import { ActionDialog, CorrectDialog, SetupDialog } from "./dialogs.js";
import { Joining } from "./joining.js";
import { follow } from "./live.js";
import { showAccount, showClaims, showHead, showMates, showPool, showSeats, showSettlement, showStory } from "./panels.js";
import { lendCamera, LivePicture } from "./picture.js";
import { showTroubles } from "./troubles.js";
import { ZoneEditor } from "./zones.js";

const current = { state: null, view: null };
let placed;
let linked = true;
let eye = { ok: true, text: "Starting" };
let taken = null;
let put = sessionStorage.getItem("remark-put-away");
const correcting = new CorrectDialog(current);
const adding = new ActionDialog(current);
const setting = new SetupDialog(current);
const picture = new LivePicture((card) => correcting.open(card));
const zones = new ZoneEditor(current);
const joining = new Joining(current);

const command = (path, body = {}) => send(path, { seen: current.state.seq, ...body });
const act = {
  answer: async (question, choice) => {
    if ((await command("answer", { question: question.seq, choice })) && choice === null) adding.open({ seat: question.seat });
  },
  accept: (right) => command("accept", { right }),
  edit: () => adding.open(),
  change: (done) => adding.open({ seat: done.seat, at: done }),
  enter: (line) => command("action", { line }),
  undo: (target) => command("undo", target === undefined ? {} : { target }),
  redo: () => command("redo"),
  confirm: (target) => command("confirm", { target }),
  next: () => command("next"),
};

// Each part where there is room for it: once the pot is settled, what was missed and the account stand under the
// picture and the story below everything; else all of it stands beside the picture.
function place(phase) {
  if (phase === placed) return;
  placed = phase;
  for (const id of ["claims", "mates-panel", "notices", "account", "story"]) document.querySelector(".side").append($(id));
  if (phase !== "settled") return;
  for (const id of ["claims", "account"]) document.querySelector(".pool").append($(id));
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
  showTroubles(state, act);
  joining.show();
  showClaims(state, act);
  showMates(state);
  showPool(state, current.view, (card) => correcting.open(card));
  showSeats(state);
  showStory(state, act);
  showSettlement(state, act);
  showAccount(state);
  place(state.phase);
  picture.tell(state);
  document.body.dataset.seq = state.seq;
  showEye();
  fade();
}

function onView(view) {
  const before = current.view;
  current.view = view;
  picture.update(view);
  $("zones-edit").disabled = !view.zones?.length;
  const cards = (one) => JSON.stringify((one?.cards ?? []).map((card) => [card.card, card.zone]));
  if (current.state?.phase === "waiting" && cards(before) !== cards(view)) showPool(current.state, view, (card) => correcting.open(card));
}

function showEye() {
  $("eye").dataset.ok = linked && eye.ok ? "yes" : "no";
  $("eye-text").textContent = linked ? eye.text : "The program does not answer";
  const over = eye.ended && current.state?.phase === "waiting";
  if (over) $("more").textContent = "The recording has ended. Set-up, then New evening, plays it again.";
  $("warning").textContent = linked && eye.warning ? eye.warning : "";
}

// A picture that is not the newest any more says so.
function showAge() {
  const seconds = taken === null || eye.ended ? 0 : Math.floor((performance.now() - taken) / 1000);
  const old = seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`;
  $("age").textContent = seconds < 3 ? "" : `This picture is ${old} old`;
}

function showRemark(text) {
  $("remark-text").textContent = text;
  $("remark").hidden = !text || text === put;
}

follow({
  state: onState,
  view: (news) => { taken = performance.now() - 1000 * (news.age ?? 0); showAge(); onView(news); },
  zones: (news) => { zones.told(news.zones); if (current.view) onView({ ...current.view, zones: news.zones }); },
  joining: (news) => { current.joining = news; if (current.state) joining.show(); },
  eye: (news) => { eye = news; showEye(); showAge(); },
  remark: (news) => showRemark(news.text),
  link: (ok) => { linked = ok; showEye(); },
});

document.addEventListener("scroll", fade, { capture: true, passive: true });
const sized = new ResizeObserver(fade);
for (const box of document.querySelectorAll(".side, .pool, #pool, .story ol")) sized.observe(box);
setInterval(showAge, 1000);
$("remark-close").addEventListener("click", () => {
  put = $("remark-text").textContent;
  sessionStorage.setItem("remark-put-away", put);
  $("remark").hidden = true;
});
$("undo").addEventListener("click", () => act.undo());
$("redo").addEventListener("click", () => act.redo());
$("add").addEventListener("click", () => adding.open());
$("settings").addEventListener("click", () => setting.open());

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !current.state) return;
  if (event.target.closest("input, select, textarea, dialog, #zones")) return;
  const question = current.state.questions[0];
  if (question && /^[0-9]$/.test(event.key)) {
    const choice = Number(event.key);
    if (choice >= 1 && choice <= question.choices.length) act.answer(question, choice - 1);
    else if (choice === question.choices.length + 1) act.answer(question, null);
  } else if (event.key === "u" && current.state.undo) act.undo();
  else if (event.key === "n" && current.state.phase === "settled") act.next();
});

if (document.body.dataset.browserCamera === "yes") {
  lendCamera().catch((error) => say(`This page's camera can't be used: ${error.message}`));
}
