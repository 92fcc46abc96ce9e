// The names over the picture: within it, and as far as there is room over no other name, no button and no card's name.

const APART = 4; // pixels from the picture's edge, and from one name to the next
const STEP = 12; // pixels between the places that are tried
const FAR = 20; // so many pixels away from its zone are as bad for a name as covering a card's name
const SHARE = 0.4; // of the picture's width, that one name may take

const meet = (one, other) =>
  one.x < other.x + other.width + APART && other.x < one.x + one.width + APART
  && one.y < other.y + other.height && other.y < one.y + one.height;

// A name that is too long for its room is cut at its end; gives whether it was.
export function fit(text, width) {
  const whole = [...text.textContent];
  for (let left = whole.length - 1; left > 0 && text.getComputedTextLength() > width * SHARE; left -= 1) {
    text.textContent = `${whole.slice(0, left).join("").trimEnd()}…`;
  }
  return text.textContent !== whole.join("");
}

// Where along a picture's edge of a length something of a size may begin, what is wanted most first, and how far that is
// from its zone, which lies from `low` to `high`.
function along(wanted, size, length, low, high) {
  const within = (at) => Math.max(APART, Math.min(length - size - APART, at));
  const others = Array.from({ length: Math.ceil(length / STEP) }, (_, step) => within(step * STEP));
  const near = others.sort((one, other) => Math.abs(one - wanted[0]) - Math.abs(other - wanted[0]));
  return [...wanted.map(within), ...near].map((at) => [at, Math.max(0, low - at, at + size - high)]);
}

const middleOf = (polygon) => [0, 1].map((axis) => polygon.reduce((sum, point) => sum + point[axis], 0) / polygon.length);

// A seat's name stands at the edge of the picture where its pile lies: best at an end of the pile.
export function seatPlaces(polygon, box, width, height) {
  const [x, y] = middleOf(polygon);
  const side = (axis, pick) => pick(...polygon.map((point) => Math.min(1, Math.max(0, point[axis]))));
  if (Math.abs(x - 0.5) < Math.abs(y - 0.5)) {
    const [low, high] = [side(0, Math.min) * width, side(0, Math.max) * width];
    const row = y < 0.5 ? APART : height - box.height - APART;
    return along([low + 8, high - box.width - 8], box.width, width, low, high).map(([at, away]) => [at, row, away]);
  }
  const [low, high] = [side(1, Math.min) * height - box.height, side(1, Math.max) * height + box.height];
  const column = x < 0.5 ? APART : width - box.width - APART;
  return along([low, high - box.height + 2], box.height, height, low, high).map(([at, away]) => [column, at, away]);
}

// In the middle of a zone, or as near to that as there is room.
export function middlePlaces(polygon, box, width, height) {
  const [x, y] = middleOf(polygon);
  const left = Math.max(APART, Math.min(width - box.width - APART, x * width - box.width / 2));
  const top = y * height - box.height / 2;
  return along([top], box.height, height, top, top + box.height).map(([at, away]) => [left, at, away]);
}

// Give each name its place and the dark strip behind it. `names`: their elements, each a strip and a text, with their
// polygons and places; `taken`: boxes of the picture that no name may cover; `tags`: those that it should not.
export function placeNames(names, taken, tags, width, height) {
  const full = [...taken];
  for (const { element, polygon, places } of names) {
    const [strip, text] = element.children;
    const written = text.getBBox();
    const box = { width: written.width + 12, height: written.height + 2 };
    const count = (boxes, at) => boxes.filter((other) => meet(at, other)).length;
    const costs = places(polygon, box, width, height).map(([x, y, away]) => {
      const at = { ...box, x, y };
      return { at, cost: 1000 * count(full, at) + count(tags, at) + away / FAR };
    });
    const best = costs.reduce((one, other) => (other.cost < one.cost ? other : one)).at;
    text.setAttribute("x", best.x + 6 - written.x);
    text.setAttribute("y", best.y + 1 - written.y);
    for (const [side, value] of Object.entries(best)) strip.setAttribute(side, value);
    full.push(best);
  }
}
