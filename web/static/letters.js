// The letters of ace, king, queen and jack: as on an English pack, or as on those of the reader's language, as chosen in
// this browser. The program says the English ones; what comes from it is read here.

import { t } from "./texts.js";

const ENGLISH = [..."AKQJ"];
const OWN = t("A K Q J").split(" ");
const own = globalThis.viewChoice?.read("letters") === "own" && OWN.length === ENGLISH.length;

// The index of a rank, as it stands on the card.
export const rankSign = (rank) => (rank === "T" ? "10" : (own && OWN[ENGLISH.indexOf(rank)]) || rank);

const read = (key, value) => (typeof value === "string" ? value.replace(/(?<![\p{L}\d])[AKQJ](?=[♠♥♦♣])/gu, rankSign) : value);

// What the program says, of its text.
export const parsed = (text) => JSON.parse(text, own ? read : undefined);
export const answered = async (response) => parsed(await response.text());
