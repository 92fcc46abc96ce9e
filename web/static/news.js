// What of a new state is news: what was done, whose turn it is now, what went wrong, that an earlier deal is put right. A
// correction, an undone action, one that is done again, and what is told once more after a lost connection are none.

import { t } from "./texts.js";

export class News {
  constructor() {
    this.before = null;
    this.top = 0; // The newest entry that was ever told of.
    this.begun = 0; // The newest deal whose beginning was told.
    this.missed = new Set();
  }

  // The sentences to be told, each with whether it is an alarm.
  of(state) {
    const before = this.before;
    this.before = state;
    if (!before || state.seq < before.seq) return this.from(state);
    const fresh = this.appended(before, state);
    const news = fresh.map((one) => ({ text: one.text, alarm: false }));
    if (state.mending && state.mending.deal !== before.mending?.deal) news.push({ text: state.mending.text, alarm: false });
    if (!state.mending && before.mending) news.push({ text: t("Deal {deal} is closed again.", { deal: before.mending.deal }), alarm: false });
    const named = state.help !== "silent" || state.phase !== "playing"; // else the headline says nothing new
    if ((this.begins(before, state) || fresh.length) && named) news.push({ text: state.headline.text, alarm: false });
    for (const claim of fresh.length ? state.claims : []) if (!this.missed.has(claim.text)) news.push({ text: claim.text, alarm: true });
    for (const one of [...state.alarms, ...state.questions]) if (one.seq > this.top) news.push({ text: one.text, alarm: true });
    if (state.disagreement && !before.disagreement && state.seq > this.top) news.push({ text: t("The table and the game disagree"), alarm: true });
    this.remember(state);
    return news;
  }

  // The first state of an evening tells nothing by itself.
  from(state) {
    [this.top, this.begun] = [0, state.phase === "waiting" ? state.deal - 1 : state.deal];
    this.missed.clear();
    this.remember(state);
    return [];
  }

  remember(state) {
    this.top = Math.max(this.top, state.seq);
    for (const claim of state.claims) this.missed.add(claim.text);
  }

  // What was done after all that had been done before; nothing where that has changed.
  appended(before, state) {
    if (state.deal < before.deal) return [];
    const same = state.deal > before.deal || before.history.every((one, place) => state.history[place]?.seq === one.seq && state.history[place].text === one.text);
    return same ? state.history.filter((one) => one.seq > this.top) : [];
  }

  begins(before, state) {
    if (state.phase === "waiting" || state.deal <= this.begun) return false;
    this.begun = state.deal;
    return true;
  }
}
