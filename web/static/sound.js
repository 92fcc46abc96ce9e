// What is to be heard: the news in the browser's own voice, and a sound for what needs somebody. Off until chosen.

import { $, cardWords, RANKS, say } from "./dom.js";
import { rankSign } from "./letters.js";
import { News } from "./news.js";
import { language, t } from "./texts.js";

const { viewChoice } = globalThis;
const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
const on = (name) => viewChoice.read(name) === "on";

// A card is said in words, not by its sign.
const spoken = (text) => text.replace(/([\p{L}\d]{1,2})([♠♥♦♣])/gu, (sign, index, suit) => {
  const rank = RANKS.find((one) => rankSign(one) === index);
  return rank ? cardWords(rank + SUITS[suit]) : sign;
});

export class Sound {
  constructor() {
    this.news = new News();
    this.well = null;
    $("mute").addEventListener("click", () => this.mute());
    document.addEventListener("view-chosen", (event) => this.chosen(event.detail));
    for (const input of document.querySelectorAll("[name=speech]")) input.disabled = !globalThis.speechSynthesis;
    this.show();
  }

  state(state) {
    this.tell(this.news.of(state));
  }

  // A camera that is lost is told once; so is one that is back.
  eye(ok, text) {
    if (this.well !== null && this.well !== ok) this.tell([{ text, alarm: !ok }]);
    this.well = ok;
  }

  tell(news) {
    if (!news.length || on("muted")) return;
    if (on("sound") && news.some((one) => one.alarm)) this.chime();
    if (!on("speech") || !globalThis.speechSynthesis) return;
    if (speechSynthesis.pending) speechSynthesis.cancel(); // What is old by now is not said any more.
    for (const { text } of news) {
      const said = new SpeechSynthesisUtterance(spoken(text));
      said.lang = language;
      said.addEventListener("error", (event) => { if (event.error === "not-allowed") say(t("Click or tap anywhere once: only then may this page speak.")); });
      speechSynthesis.speak(said);
    }
  }

  // Two soft notes.
  chime() {
    this.audio ??= new AudioContext();
    [660, 880].forEach((pitch, place) => {
      const [note, gain, at] = [this.audio.createOscillator(), this.audio.createGain(), this.audio.currentTime + place * 0.16];
      note.frequency.value = pitch;
      gain.gain.setValueAtTime(0.16, at);
      gain.gain.exponentialRampToValueAtTime(0.001, at + 0.4);
      note.connect(gain).connect(this.audio.destination);
      note.start(at);
      note.stop(at + 0.4);
    });
  }

  mute() {
    viewChoice.keep("muted", on("muted") ? "off" : "on");
    if (on("muted")) globalThis.speechSynthesis?.cancel();
    this.show();
  }

  // What was just switched on is heard at once: a browser lets a page speak only after somebody has touched it.
  chosen(name) {
    if (["speech", "sound"].includes(name)) viewChoice.keep("muted", "off");
    this.show();
    if (name === "speech") this.tell([{ text: $("headline").textContent, alarm: false }]);
    if (name === "sound" && on("sound")) this.chime();
  }

  show() {
    $("mute").hidden = !on("speech") && !on("sound");
    $("mute").textContent = on("muted") ? t("Unmute") : t("Mute");
    $("mute").title = "M";
  }
}
