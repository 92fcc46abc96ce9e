// What whoever looks at this page may do: the host everything, a player what is about the own seat, a viewer nothing.

const { role = "host", ownSeat = "" } = document.body.dataset;

export const isHost = role === "host";
export const isOwn = (seat) => isHost || ownSeat === String(seat);

// A question of one seat alone is that player's, too.
export function mayAnswer(question) {
  const seats = new Set(question.choices.flatMap((choice) => choice.lines.map((line) => line.split(" ")[0])));
  return isHost || (seats.size === 1 && seats.has(ownSeat));
}
