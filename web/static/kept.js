// Lists that are brought up to date: what has not changed keeps its place on the page, so that no tap on it is lost
// and what was opened stays open.

import { changing } from "./dom.js";

export const keep = (parent, items, key, make) => changing(parent, () => replace(parent, items, key, make));

function replace(parent, items, key, make) {
  const old = new Map([...parent.children].map((node) => [node.dataset.keep, node]));
  const nodes = items.map((item) => {
    const [name, news] = [key(item), JSON.stringify(item)];
    const had = old.get(name);
    if (had?.keptFor === news) return had;
    const node = make(item);
    node.dataset.keep = name;
    node.keptFor = news;
    if (had) opened(had, node);
    return node;
  });
  nodes.forEach((node, place) => { if (parent.children[place] !== node) parent.insertBefore(node, parent.children[place] ?? null); });
  while (parent.children.length > nodes.length) parent.lastElementChild.remove();
}

function opened(had, node) {
  const before = [...had.querySelectorAll("details")];
  node.querySelectorAll("details").forEach((details, place) => { details.open = before[place]?.open ?? false; });
}
