// Small building blocks: elements, cards, and the one way to send a command.

import { answered, rankSign } from "./letters.js";
import { noun, t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
export const RANKS = [..."A23456789TJQK"];
export const SUITS = [..."SHDC"];
const SUIT_SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

export const $ = (id) => document.getElementById(id);

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

// Change a part of the page and keep the keyboard where it was; where that is gone, at what stands in its place.
export function changing(parent, change) {
  const focused = document.activeElement;
  const key = parent.contains(focused) ? focused.dataset.key : undefined;
  const place = key ? [...parent.querySelectorAll("[data-key]")].indexOf(focused) : 0;
  change();
  if (!key || parent.contains(document.activeElement)) return;
  const left = [...parent.querySelectorAll("[data-key]")];
  const next = left.find((one) => one.dataset.key === key) ?? left[Math.min(place, left.length - 1)] ?? document.querySelector("main");
  next.focus({ preventScroll: true });
}

export const show = (parent, ...children) => changing(parent, () => parent.replaceChildren(...children.flat().filter(Boolean)));

export const isRed = (card) => card[1] === "H" || card[1] === "D";
export const cardSign = (card) => rankSign(card[0]) + (SUIT_SIGNS[card[1]] ?? "");
export function cardWords(card) {
  const words = noun(card);
  return words.bare ?? words[""];
}

// Where the pips stand: their columns by letter, and their heights.
const COLUMNS = { l: 55, m: 69, r: 83 };
const PIPS = {
  A: "m70", 2: "m24 m116", 3: "m24 m70 m116", 4: "l24 r24 l116 r116", 5: "l24 r24 m70 l116 r116", 6: "l24 r24 l70 r70 l116 r116",
  7: "l24 r24 m47 l70 r70 l116 r116", 8: "l24 r24 m47 l70 r70 m93 l116 r116", 9: "l24 r24 l55 r55 m70 l86 r86 l116 r116",
  T: "l24 r24 m40 l55 r55 l86 r86 m101 l116 r116",
};
// By the sign that stands there: letters of every pack; figures are as wide as one another.
const INDEX_WIDTHS = { A: 34, K: 35, Q: 34, J: 23, 10: 36, "?": 24, B: 31, D: 35, R: 35, V: 33, Т: 31, К: 33, Д: 34, В: 31 };

function pips([rank, suit]) {
  if (suit === "?") return [];
  const size = rank === "A" ? 52 : 27;
  return (PIPS[rank] ?? "").split(" ").filter(Boolean).map((place) => {
    const [x, y] = [COLUMNS[place[0]], Number(place.slice(1))];
    return s("use", { href: `#suit-${suit}`, x: x - size / 2, y: y - size / 2, width: size, height: size, transform: y > 70 ? `rotate(180 ${x} ${y})` : null });
  });
}

const index = (card, left, y) =>
  s("text", { class: "ink", x: left, y, textLength: INDEX_WIDTHS[rankSign(card[0])] ?? 27, lengthAdjust: "spacingAndGlyphs" }, rankSign(card[0]));

function drawn(card, small) {
  const [rank, suit] = card;
  const wide = INDEX_WIDTHS[rankSign(rank)] ?? 27;
  if (small) {
    return s("svg", { viewBox: "0 0 50 70", "aria-hidden": "true" },
      s("rect", { class: "paper", x: 1, y: 1, width: 48, height: 68, rx: 7 }), index(card, 25 - wide / 2, 36),
      suit === "?" ? null : s("use", { class: "ink", href: `#suit-${suit}`, x: 13, y: 43, width: 24, height: 24 }));
  }
  return s("svg", { viewBox: "0 0 100 140", "aria-hidden": "true" },
    s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }), index(card, 21 - wide / 2, 43),
    suit === "?" ? s("text", { class: "ink", x: 57, y: 88 }, "?") : s("use", { class: "ink", href: `#suit-${suit}`, x: 5, y: 51, width: 31, height: 31 }),
    "JQK".includes(rank) && suit !== "?" ? s("use", { class: "court", href: `#court-${rank}`, x: 40, y: 10, width: 56, height: 120 }) : s("g", { class: "ink pips" }, pips(card)));
}

// A card's face: an index that can be read from across the room, and its pips or figure; `small` leaves those out.
export function cardFace(card, { onclick, classes = "", label, key, small = false } = {}) {
  const face = drawn(card, small);
  const name = `card-face ${small ? "small" : ""} ${isRed(card) ? "red" : ""} ${classes}`;
  const words = label ?? cardWords(card);
  return onclick
    ? h("button", { type: "button", class: name, "aria-label": words, title: words, onclick, "data-card": card, "data-suit": card[1], "data-key": key ?? `card-${card}` }, face)
    : h("span", { class: name, role: "img", "aria-label": words, "data-card": card, "data-suit": card[1] }, face);
}

// What is said in one line. While a dialog is open the rest of the page is behind it, for eyes and ears: it is said in there.
let toastTimer;
export function say(text) {
  const toast = $("toast");
  const place = document.querySelector("dialog[open]") ?? document.body;
  if (toast.parentElement !== place) place.append(toast);
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, 7000);
}

// Send a command; what is refused is said in one line. Gives whether it was done.
export async function send(path, body) {
  try {
    const response = await fetch(`/api/${path}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    const answer = await answered(response).catch(() => ({ error: t("The program answered with {status}.", { status: response.status }) }));
    if (!response.ok) say(answer.error);
    return response.ok;
  } catch {
    say(t("The program does not answer: is it still running?"));
    return false;
  }
}

// Buttons of which one is chosen.
export function choose(parent, options, chosen, onchoose) {
  show(parent, options.map(([value, text], index) =>
    h("button", { type: "button", role: "radio", tabindex: value === chosen || (index === 0 && !options.some(([one]) => one === chosen)) ? 0 : -1, "aria-checked": String(value === chosen), "data-key": `choose-${value}`, onclick: () => onchoose(value) }, text)));
}

// The arrow keys go from one choice to the next, as with a browser's own.
document.addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const group = step && event.target.matches("[role=radio]") ? [...event.target.closest("[role=radiogroup]").querySelectorAll("[role=radio]")] : null;
  if (!group) return;
  event.preventDefault();
  const next = group[(group.indexOf(event.target) + step + group.length) % group.length];
  next.focus();
  next.click();
});

// Whoever closes a dialog is where it was opened, even if that button was drawn anew meanwhile.
let outside = null;
document.addEventListener("focusin", (event) => { if (!event.target.closest("dialog")) outside = event.target; });
function goBack() {
  if (document.activeElement !== document.body || !outside) return;
  const { key } = outside.dataset;
  (outside.isConnected ? outside : key && document.querySelector(`[data-key="${CSS.escape(key)}"]`) || document.querySelector("main"))?.focus();
}

for (const dialog of document.querySelectorAll("dialog")) {
  dialog.addEventListener("close", () => {
    if (dialog.contains($("toast"))) document.body.append($("toast"));
    setTimeout(goBack);
  });
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}
