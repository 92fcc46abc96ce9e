// The page's own texts, in English, come out in the reader's language; {name} in them is a value's place, and {name.form}
// one form of a value that has several. The program says which catalogue the page uses.

const { texts, nouns, plural } = await import(document.documentElement.dataset.texts);

const spoken = (value, form) => (typeof value === "object" && value !== null ? (value[form ?? ""] ?? value[""]) : String(value));
const filled = (text, values) => text.replace(/\{(\w+)(?:\.(\w+))?\}/g, (whole, name, form) => (name in values ? spoken(values[name], form) : whole));

export const language = document.documentElement.lang;
export const t = (text, values = {}) => filled(texts[text] ?? text, values);
export function tn(one, many, n, values = {}) {
  const forms = texts[`${one}\u0000${many}`];
  const text = forms?.[plural[n < 200 ? Math.abs(n) : 100 + (n % 100)]] ?? (n === 1 ? one : many);
  return filled(text, { n, ...values });
}

// A card, a rank or a suit as a value of a text: an object of its forms, of which "" is the plain one.
export const noun = (name) => nouns[name] ?? { "": name };
export const number = (value) => value.toLocaleString(language);
