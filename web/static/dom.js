// Small building blocks: elements, cards, and the one way to send a command.

const SVG = "http://www.w3.org/2000/svg";
export const RANKS = [..."A23456789TJQK"];
export const SUITS = [..."SHDC"];
const SUIT_SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SUIT_WORDS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const RANK_WORDS = { A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king" };

export const $ = (id) => document.getElementById(id);

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);
export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

// Put new children in place and keep the keyboard where it was.
export function show(parent, ...children) {
  const focused = document.activeElement;
  const key = parent.contains(focused) ? focused.dataset.key : undefined;
  parent.replaceChildren(...children.flat().filter(Boolean));
  if (key) parent.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

export const rankSign = (rank) => (rank === "T" ? "10" : rank);
export const isRed = (card) => card[1] === "H" || card[1] === "D";
export const cardSign = (card) => rankSign(card[0]) + (SUIT_SIGNS[card[1]] ?? "");
export function cardWords(card) {
  const rank = RANK_WORDS[card[0]] ?? "card";
  return SUIT_WORDS[card[1]] ? `${rank} of ${SUIT_WORDS[card[1]]}` : rank;
}

// A card's face: a large index that can be read from across the room, and its suit.
export function cardFace(card, { onclick, classes = "", label, key } = {}) {
  const ten = card[0] === "T";
  const face = s(
    "svg",
    { viewBox: "0 0 100 140", "aria-hidden": "true" },
    s("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 11 }),
    s("text", { class: "ink", x: ten ? 5 : 9, y: 47, textLength: ten ? 46 : null, lengthAdjust: ten ? "spacingAndGlyphs" : null }, rankSign(card[0])),
    card[1] === "?" ? null : s("use", { class: "ink", href: `#suit-${card[1]}`, x: 9, y: 54, width: 26, height: 26 }),
    card[1] === "?"
      ? s("text", { class: "ink", x: 50, y: 122 }, "?")
      : s("use", { class: "ink", href: `#suit-${card[1]}`, x: 38, y: 78, width: 53, height: 53 }),
  );
  const name = `card-face ${isRed(card) ? "red" : ""} ${classes}`;
  const words = label ?? cardWords(card);
  return onclick
    ? h("button", { type: "button", class: name, "aria-label": words, title: words, onclick, "data-card": card, "data-key": key ?? `card-${card}` }, face)
    : h("span", { class: name, role: "img", "aria-label": words, "data-card": card }, face);
}

let toastTimer;
export function say(text) {
  $("toast").textContent = text;
  $("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { $("toast").hidden = true; }, 7000);
}

// Send a command; what is refused is said in one line. Gives whether it was done.
export async function send(path, body) {
  try {
    const response = await fetch(`/api/${path}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    const answer = await response.json().catch(() => ({ error: `The program answered with ${response.status}.` }));
    if (!response.ok) say(answer.error);
    return response.ok;
  } catch {
    say("The program does not answer: is it still running?");
    return false;
  }
}

// Buttons of which one is chosen.
export function choose(parent, options, chosen, onchoose) {
  show(parent, options.map(([value, text]) =>
    h("button", { type: "button", role: "radio", "aria-checked": String(value === chosen), "data-key": `choose-${value}`, onclick: () => onchoose(value) }, text)));
}

for (const dialog of document.querySelectorAll("dialog")) {
  dialog.querySelector(".close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
}
