// Looking back at a deal: the table at each step, by buttons, slider and arrow keys; and the report of it.

import { $, cardFace, h, say, send, show } from "./dom.js";
import { answered } from "./letters.js";
import { t, tn } from "./texts.js";

const { deal, query, seq } = document.body.dataset;
const lines = [...$("story").children];
const tables = new Map();
let at = 0;
let wanted = 0;

const address = (path, values) => `/api/deals/${deal}/${path}?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(query)), ...values })}`;

// A table that was asked for once is kept; the neighbours are asked for before they are wanted.
function tableAt(step) {
  if (!tables.has(step)) tables.set(step, fetch(address("step", { at: step })).then(answered).catch(() => null));
  return tables.get(step);
}

async function go(step, { scroll = true } = {}) {
  const last = lines.length - 1;
  wanted = Math.max(0, Math.min(last, step));
  const told = await tableAt(wanted);
  if (told === null || told.error) { tables.delete(wanted); say(told?.error ?? t("The program does not answer: is it still running?")); return; }
  if (told.step !== wanted) return; // somebody has gone on meanwhile
  at = wanted;
  $("slider").value = at;
  $("slider").setAttribute("aria-valuetext", lines[at].querySelector(".say").textContent);
  $("count").textContent = t("Step {step} of {all}", { step: at, all: last });
  $("sentence").textContent = lines[at].querySelector(".say").textContent;
  for (const id of ["first", "back"]) $(id).disabled = at === 0;
  for (const id of ["last", "next"]) $(id).disabled = at === last;
  lines.forEach((line, place) => {
    line.toggleAttribute("data-now", place === at);
    if (place === at) line.querySelector("button").setAttribute("aria-current", "step");
    else line.querySelector("button").removeAttribute("aria-current");
  });
  if (scroll && matchMedia("(min-width: 1021px)").matches) {
    const list = $("story");
    list.scrollTop = lines[at].offsetTop - list.offsetTop - list.clientHeight / 2;
  }
  draw(told);
  picture();
  history.replaceState(null, "", `#${at}`);
  if (at < last) tableAt(at + 1);
}

function draw(told) {
  const moved = new Set(told.moved);
  const face = (card) => cardFace(card, { classes: moved.has(card) ? "moved" : "" });
  const pool = told.middle
    ? told.middle.cards.map((one) => h("div", { class: "rank-group" }, face(one.card), h("span", { class: "under-name" }, one.under)))
    : told.table.map((group) => h("div", { class: "rank-group" }, h("div", { class: "fan" }, group.cards.map(face))));
  const stock = told.middle?.stock ? h("p", { class: "hint" }, tn("{n} card in the stock", "{n} cards in the stock", told.middle.stock)) : null;
  show($("lying"), pool.length ? pool : h("p", { class: "empty" }, t("No card lies there.")), stock);
  show($("seats"), told.seats.map((seat) => h("div", { class: `replay-seat ${seat.turn ? "turn" : ""} ${seat.in ? "" : "out"}` },
    h("h3", {}, seat.name),
    h("p", { class: "hint" }, standing(seat)),
    h("div", { class: "small-cards" }, (seat.par === null ? [seat.aside ?? []] : seat.pile).map((group) => h("span", { class: "fan" }, group.map((card) => cardFace(card, { small: true, classes: moved.has(card) ? "moved" : "" }))))))));
}

function standing(seat) {
  const held = seat.hand ?? null;
  if (seat.par === null) {
    const hand = tn("{n} card in hand", "{n} cards in hand", seat.count);
    return seat.tricks === undefined ? hand : t("{hand}, {tricks}", { hand, tricks: tn("{n} trick won", "{n} tricks won", seat.tricks) });
  }
  const pile = t("{n} of par {par}", { n: seat.count, par: seat.par });
  if (!seat.in) return t("{pile}, lies down", { pile });
  return held === null ? pile : t("{pile}, {hand}", { pile, hand: tn("{n} card in hand", "{n} cards in hand", held) });
}

// The picture of the step, or the newest one before it.
function picture() {
  const kept = lines.slice(0, at + 1).findLast((line) => line.dataset.picture);
  $("kept").hidden = !kept;
  if (kept) $("picture").src = address("picture.jpg", { entry: kept.dataset.picture });
}

for (const line of lines) {
  const text = line.querySelector(".say");
  const button = h("button", { type: "button", class: "plain say", onclick: () => go(Number(line.dataset.step), { scroll: false }) }, text.textContent);
  text.replaceWith(button);
}
$("stepper").hidden = false;
$("first").addEventListener("click", () => go(0));
$("back").addEventListener("click", () => go(wanted - 1));
$("next").addEventListener("click", () => go(wanted + 1));
$("last").addEventListener("click", () => go(lines.length - 1));
$("slider").addEventListener("input", () => go(Number($("slider").value)));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, dialog")) return;
  const by = { ArrowLeft: wanted - 1, ArrowRight: wanted + 1, Home: 0, End: lines.length - 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  go(by);
});
addEventListener("hashchange", () => go(Number(location.hash.slice(1)) || 0));
go(Number(location.hash.slice(1)) || 0);

$("reopen")?.addEventListener("click", async () => {
  if (await send("reopen", { seen: Number(seq), deal: Number(deal) })) location.assign("/");
});

// The report: what is to be in it is chosen here, and the file is saved by the browser.
$("report")?.addEventListener("click", () => {
  const kept = lines.filter((line) => line.dataset.picture);
  $("report-pictures").hidden = !kept.length;
  show($("thumbs"), kept.map((line) => h("label", { class: "thumb" },
    h("input", { type: "checkbox", value: line.dataset.picture }),
    h("img", { src: address("picture.jpg", { entry: line.dataset.picture }), alt: line.querySelector(".say").textContent, loading: "lazy" }),
    h("span", {}, line.dataset.step))));
  $("report-dialog").showModal();
});
const ticks = () => [...document.querySelectorAll("#thumbs input")];
$("report-all")?.addEventListener("click", () => ticks().forEach((one) => { one.checked = true; }));
$("report-none")?.addEventListener("click", () => ticks().forEach((one) => { one.checked = false; }));
$("report-make")?.addEventListener("click", async () => {
  const body = { deal: Number(deal), names: $("report-names").checked, pictures: ticks().filter((one) => one.checked).map((one) => Number(one.value)) };
  const answer = await fetch(`/api/report${query}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }).catch(() => null);
  if (!answer?.ok) { say((await answer?.json().catch(() => null))?.error ?? t("The program does not answer: is it still running?")); return; }
  const saved = h("a", { href: URL.createObjectURL(await answer.blob()), download: `mournival-deal-${deal}.zip` });
  saved.click();
  setTimeout(() => URL.revokeObjectURL(saved.href), 10000);
  $("report-dialog").close();
});
