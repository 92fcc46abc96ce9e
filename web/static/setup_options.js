// How a game may be played: each option in words, with one sentence that explains it, and what each value means.

import { t } from "./texts.js";

const option = (name, title, explained, ...values) => ({ name, title, explained, values });

const HELP = option("help", t("What the program says"), t("How much it helps while you play; questions of its own it always asks."),
  ["coach", t("All hints at once")], ["referee", t("What was missed only when it is called")], ["silent", t("Only the scores and the report")]);

const OPTIONS = {
  "laugh-and-lie-down": [
    HELP,
    option("prial_take", t("The fourth card and a pair royal"), t("Three of a rank lie on the table, and somebody mates them with the fourth."),
      ["should_take_three", t("Three, or two may be claimed")], ["auto_three", t("All three must be taken")], ["free_choice", t("One or three, as one likes")]),
    option("missed_mate", t("Lying down with a mate in hand"), t("Somebody lays the hand down though a card of it could be mated."),
      ["take_back", t("The hand goes back")], ["noticer_takes_pair", t("Who notices takes the pair")]),
    option("claim_window", t("How long mistakes may be claimed"), t("What somebody overlooked belongs to whoever calls it first."),
      ["until_sweep", t("To the end of the deal")], ["until_next_action", t("Until the next action")]),
    option("claimants", t("Who may claim"), t("Whether those who have lain down may still call mistakes."),
      ["anyone", t("Everybody but the offender")], ["in_only", t("Only those still in")]),
    option("empty_hand", t("Who has no cards left"), t("Whether an empty hand is out before its next turn."),
      ["out_at_next_turn", t("Is out at the next turn")], ["out_at_once", t("Is out at once")]),
    option("mates_per_turn", t("Mates in a turn"), t("Whether one may go on mating in the same turn."),
      ["one", t("One")], ["many", t("As many as one can")]),
    option("lay_window", t("When sets may be laid"), t("Cards of the hand that nobody can ever mate may go to the own pile."),
      ["until_lie_down", t("Until one lies down")], ["before_first_turn", t("Before the first turn only")], ["before_own_next_turn_ends", t("Until the end of the own next turn")]),
  ],
  "rolling-stone": [
    HELP,
    option("voluntary_pickup", t("Picking up though one could follow"), t("Whether a trick may be taken up by choice."),
      ["off", t("Not allowed")], ["on", t("Allowed")]),
    option("lead_bar", t("What may not be led after a pick-up"), t("Who picked a trick up leads next, but not with what was just taken."),
      ["suit", t("No card of that suit")], ["cards", t("None of the cards taken up")], ["off", t("Anything may be led")]),
    option("end_moment", t("When the winner has won"), t("Whether the trick with the last card is played to its end."),
      ["last_card_played", t("As soon as the last card is played")], ["trick_finished", t("When the trick is finished")]),
    option("stop", t("A deal that does not end"), t("After very many pick-ups in a row the fewest cards win."),
      ["pickups_15n", t("Stops after very many pick-ups")], ["leads_500", t("Stops after 500 leads")], ["off", t("Goes on")]),
    option("direction", t("Which way the turn goes"), t("As one looks down on the table."),
      ["clockwise", t("Clockwise")], ["anticlockwise", t("Anticlockwise")]),
    option("score", t("How a deal is counted"), t("What the account adds up."),
      ["points", t("One point for the winner")], ["cards_left", t("The cards left in each hand")]),
    option("dealer_next", t("Who deals next"), t("After a deal is over."),
      ["left", t("The dealer's left neighbour")], ["winner", t("The winner")]),
  ],
  sbros: [
    HELP,
    option("m2_step", t("Covering with the same suits"), t("One card over and one under the centre cards, each in its suit."),
      ["any", t("By any distance")], ["adjacent", t("By one rank only")]),
    option("merge", t("When the stock is empty"), t("The cards that were put aside come back into play."),
      ["exchange", t("Each takes what the other put aside")], ["own", t("Each takes back the own ones")]),
  ],
};

export const optionsOf = (game) => OPTIONS[game] ?? [];
