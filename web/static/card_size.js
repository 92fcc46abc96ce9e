// How large the table's cards may be: as large as their place allows, so that they can be read from across the room.

const LAP = 0.58; // What shows of a card under the next one, of its width.

const widthOf = (count, card) => card * (1 + LAP * (count - 1));

// The height that groups of so many cards take in rows of the width.
function heightOf(groups, card, width, gap, label) {
  let [rows, used] = [1, 0];
  for (const count of groups) {
    const wide = widthOf(count, card);
    if (used && used + gap + wide > width) { rows += 1; used = 0; }
    used += (used ? gap : 0) + wide;
  }
  return rows * (card * 1.4 + label) + (rows - 1) * gap;
}

// The widest card with which the groups fit; `height` null: the place may grow, they only have to be few enough a row.
export function cardWidth(groups, { width, height, least, most, gap = 12, label }) {
  for (let card = most; card > least; card -= 2) {
    if (groups.some((count) => widthOf(count, card) > width)) continue;
    if (height === null || heightOf(groups, card, width, gap, label) <= height) return card;
  }
  return least;
}
