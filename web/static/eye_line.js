// What the program says of the camera, in the head of each page: all of it, whatever the camera is called.

import { $ } from "./dom.js";

const LONGEST = 32; // letters of one word, an address or a file's name; a longer one is shortened in its middle

export const shortened = (text) => text.replace(/\S{33,}/g, (word) => `${word.slice(0, LONGEST / 2)}…${word.slice(1 - LONGEST / 2)}`);

export function showEyeLine(text) {
  $("eye-text").textContent = shortened(text);
  $("eye").title = text;
}
