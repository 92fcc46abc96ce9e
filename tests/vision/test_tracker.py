"""The tracker on a scripted table: cards stay one track each, whatever hands and a faulty recogniser do."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from assistant.cards import Card
from assistant.games.game import Action, Setup
from assistant.signs.laugh_readings import SUIT_SURE
from assistant.view import TABLE, Stillness, TableView, Zone
from tests.scripted_play import cards
from tests.scripted_table import SIZE, WIDE, Noise, Pose, ScriptedTable
from vision.recogniser import Reading
from vision.tracker import Tracker
from vision.votes import name_together, opinion, posterior, reading_vector

POOL = cards("KS 7D 2C 9H QD 4S 8C 5H TD 3S")
QUIET = Noise(0.0, 0.0, 0.5, 0.0, 0.0)


def table(noise: Noise | None = None, seed: int = 3) -> ScriptedTable:
    made = ScriptedTable(3, seed, noise=noise)
    made.deal(Setup("laugh-and-lie-down", 3, 1, POOL))
    return made


def views(scripted: ScriptedTable) -> list[TableView]:
    tracker = Tracker(scripted.layout)
    return [
        tracker.see(readings, SIZE, t, scripted, stillness, still_for)
        for t, readings, stillness, still_for in scripted.frames()
    ]


def names(view: TableView, zone: Zone = TABLE) -> set[str]:
    return {str(seen.card) for seen in view.in_zone(zone)}


def track_of(view: TableView, card: str) -> int:
    return next(seen.track for seen in view.cards if str(seen.card) == card)


def after(seen: list[TableView], t: float) -> list[TableView]:
    return [view for view in seen if view.t >= t]


def test_the_pool_is_seen_through_missed_and_misread_cards_and_ghosts() -> None:
    seen = after(views(table(Noise(miss=0.1, misread=0.03, ghost=0.1, double=0.03))), 9.0)
    assert len(seen) > 20
    assert all(names(view) == set(map(str, POOL)) for view in seen)
    assert len({tuple(one.track for one in view.cards) for view in seen}) == 1


def test_a_resting_hand_changes_nothing_but_covers() -> None:
    scripted = table()
    dealt = scripted.t
    pose = scripted.poses[Card.parse("9H")]
    scripted.rest_a_hand(1, (pose.x, pose.y), 8.0)
    seen = after(views(scripted), dealt)
    assert all(names(view) == set(map(str, POOL)) for view in seen)
    covered = [view for view in seen if any(one.covered and str(one.card) == "9H" for one in view.cards)]
    assert len(covered) >= 5


def test_a_card_taken_away_is_gone_soon_and_one_put_back_is_the_same_track() -> None:
    scripted = table()
    dealt = scripted.t
    scripted.lift(Card.parse("QD"), 4.0)
    seen = after(views(scripted), dealt - 1)
    before, end = seen[0], seen[-1]
    assert any("QD" not in names(view) for view in seen)
    assert names(end) == set(map(str, POOL))
    assert track_of(end, "QD") == track_of(before, "QD")


def test_a_shifted_card_keeps_its_track() -> None:
    scripted = table()
    before_slide = scripted.t
    scripted.slide(Card.parse("2C"), 30, 25)
    seen = views(scripted)
    before = [view for view in seen if view.t < before_slide][-1]
    assert track_of(seen[-1], "2C") == track_of(before, "2C")
    assert names(seen[-1]) == set(map(str, POOL))


def test_a_mate_moves_the_table_card_with_its_track_to_the_pile() -> None:
    scripted = table()
    scripted.act(Action.parse("2 mate KH KS"))
    seen = views(scripted)
    before = [view for view in seen if view.t < 9][-1]
    assert names(seen[-1], Zone(2)) == {"KH", "KS"}
    assert "KS" not in names(seen[-1])
    assert track_of(seen[-1], "KS") == track_of(before, "KS")


def test_a_card_under_another_is_covered_and_known() -> None:
    tracker, empty = Tracker(table().layout), table()
    under, over = quad(500, 300), quad(503, 303)
    for number in range(10):
        tracker.see([reading("KS", under)], SIZE, number * 0.2, empty)
    empty.rest_a_hand(1, (500, 300), 0.1)  # something has moved there
    empty.now = empty.t
    for number in range(10):
        view = tracker.see([reading("QH", over)], SIZE, 20 + number * 0.2, Covering())
    assert {str(one.card): one.covered for one in view.cards} == {"KS": True, "QH": False}


def test_a_misread_card_that_nobody_touched_is_named_anew_by_its_votes() -> None:
    tracker = Tracker(table().layout)
    for number in range(4):
        tracker.see([reading("8S", quad(500, 300), 0.7)], SIZE, number * 0.2, Untouched())
    for number in range(4, 14):
        view = tracker.see([reading("3S", quad(500, 300), 0.97)], SIZE, number * 0.2, Untouched())
    assert [str(one.card) for one in view.cards] == ["3S"]


def test_no_two_tracks_have_one_name() -> None:
    tracker = Tracker(table().layout)
    for number in range(10):
        twice = [reading("9H", quad(400, 300)), reading("9H", quad(700, 300), 0.6)]
        view = tracker.see(twice, SIZE, number * 0.2, Untouched())
    assert sorted(str(one.card) for one in view.cards if one.card.known) == ["9H"]
    assert len(view.cards) == 2


def test_a_person_names_a_card_and_it_stays_so() -> None:
    tracker = Tracker(table().layout)
    for number in range(5):
        view = tracker.see([reading("8S", quad(500, 300))], SIZE, number * 0.2, Untouched())
    assert tracker.pin(view.cards[0].track, Card.parse("3S"))
    for number in range(5, 15):
        view = tracker.see([reading("8S", quad(500, 300))], SIZE, number * 0.2, Untouched())
    assert [str(one.card) for one in view.cards] == ["3S"]
    assert not tracker.pin(999, Card.parse("3S"))


def test_a_view_between_two_looks_has_the_same_cards() -> None:
    tracker = Tracker(table().layout)
    for number in range(5):
        view = tracker.see([reading("8S", quad(500, 300))], SIZE, number * 0.2, Untouched())
    later = tracker.view(1.1, Stillness.STILL, 1.0)
    assert (later.t, later.cards) == (1.1, view.cards)


def test_a_new_deal_begins_with_an_empty_table() -> None:
    tracker = Tracker(table().layout)
    for number in range(5):
        tracker.see([reading("8S", quad(500, 300))], SIZE, number * 0.2, Untouched())
    tracker.clear()
    assert tracker.view(2.0, Stillness.STILL, 1.0).cards == ()


def test_votes_name_the_rank_where_the_suit_is_open() -> None:
    vector = reading_vector(Reading(Card.parse("7?"), 0.95, quad(0, 0)))
    card, confidence, _ = opinion(posterior([vector] * 5), [])
    assert str(card) == "7?"
    assert confidence > 0.9


def test_all_cards_are_named_together() -> None:
    sure = posterior([reading_vector(Reading(Card.parse("7S"), 0.99, quad(0, 0)))])
    torn = posterior([reading_vector(Reading(Card.parse("7S"), 0.6, quad(0, 0), 1.0, ((Card.parse("7C"), 0.4),)))])
    first, second = name_together([sure, torn], [0.0, 0.0])
    assert first is not None
    assert second is not None
    assert first != second


def quad(x: float, y: float) -> npt.NDArray[np.float32]:
    return np.array([[x, y], [x + 80, y], [x + 80, y + 112], [x, y + 112]], dtype=np.float32)


def reading(card: str, outline: npt.NDArray[np.float32], confidence: float = 0.97) -> Reading:
    return Reading(Card.parse(card), confidence, outline)


class Untouched:
    """Surroundings in which nothing has ever moved and no bare table is known."""

    def still_since(self, quad: object) -> float:
        return -100.0

    def bare_share(self, quad: object, without: object = ()) -> float | None:
        return None


class Covering(Untouched):
    """Something moved at second 19, or another one, and cards lie everywhere."""

    def __init__(self, moved: float = 19.0) -> None:
        self.moved = moved

    def still_since(self, quad: object) -> float:
        return self.moved

    def bare_share(self, quad: object, without: object = ()) -> float | None:
        return 0.0


def test_a_card_that_a_moving_hand_shows_is_no_card_but_remembered_as_read_in_passing() -> None:
    tracker = Tracker(table().layout)
    tracker.see([reading("KS", quad(500, 300))], SIZE, 18.0, Untouched())
    for t in (19.05, 19.1):
        view = tracker.see([reading("KS", quad(500, 300)), reading("KH", quad(600, 300))], SIZE, t, Covering())
    shown = [(str(one.card), one.zone, one.t) for one in view.passing if str(one.card) == "KH"]
    assert shown == [("KH", TABLE, 19.05), ("KH", TABLE, 19.1)]
    assert names(view) == {"KS"}
    assert len(tracker.quads()) == 1
    later = tracker.see([], SIZE, 45.0, Untouched())
    assert later.passing == ()
    tracker.see([reading("KH", quad(600, 300))], SIZE, 45.1, Covering())
    tracker.clear()
    assert tracker.view(45.2, Stillness.STILL, 0.0).passing == ()


@pytest.mark.parametrize("seed", [1, 2])
def test_piles_and_pool_after_some_actions(seed: int) -> None:
    scripted = table(seed=seed)
    for line in ("2 mate KH KS", "3 mate 7C 7D", "1 mate 9S 9H", "2 lay AS AD", "3 lie-down 6S TH JC"):
        scripted.act(Action.parse(line))
    end = views(scripted)[-1]
    assert names(end, Zone(2)) == {"KH", "KS", "AS", "AD"}
    assert names(end, Zone(3)) == {"7C", "7D"}
    assert names(end, Zone(1)) == {"9S", "9H"}
    assert names(end) == {"2C", "QD", "4S", "8C", "5H", "TD", "3S", "6S", "TH", "JC"}


def test_a_card_under_another_goes_along_when_both_are_carried_away() -> None:
    tracker = Tracker(table().layout)
    under, over, there = quad(500, 300), quad(503, 303), quad(620, 560)
    for number in range(10):
        tracker.see([reading("KS", under)], SIZE, number * 0.2, Untouched())
    for number in range(10):
        tracker.see([reading("KH", over)], SIZE, 20 + number * 0.2, Covering())
    for number in range(30):
        view = tracker.see([reading("KH", there)], SIZE, 30 + number * 0.2, Emptied(500, 300))
    seen = {str(one.card): one for one in view.cards}
    assert set(seen) == {"KS", "KH"}
    assert seen["KS"].covered
    assert abs(seen["KS"].quad[0][0] * SIZE[0] - 617) < 8
    assert abs(seen["KS"].quad[0][1] * SIZE[1] - 557) < 8


def test_a_heap_keeps_the_cards_under_its_top_one() -> None:
    tracker = Tracker(table().layout)
    for height, card in enumerate(("KS", "7D", "2C", "9H")):
        for number in range(8):
            place = Heaped(10.0 * height)
            top = reading(card, quad(500 + 2 * height, 300 + height))
            view = tracker.see([top], SIZE, 10 * height + 1 + number * 0.25, place)
    assert {str(one.card) for one in view.cards} == {"KS", "7D", "2C", "9H"}
    assert [str(one.card) for one in view.cards if not one.covered] == ["9H"]


def test_a_card_put_beside_one_much_like_it_is_another_and_that_lives_on_beneath() -> None:
    tracker = Tracker(table().layout)
    beneath, above = quad(500, 300), quad(518, 318)
    for number in range(10):
        tracker.see([reading("AS", beneath, 0.9)], SIZE, number * 0.2, Untouched())
    for number in range(10):
        torn = Reading(Card.parse("AC"), 0.94, above, others=((Card.parse("AS"), 0.06),))
        view = tracker.see([torn], SIZE, 20 + number * 0.2, Covering())
    assert {str(one.card): one.covered for one in view.cards} == {"AS": True, "AC": False}


def test_a_card_laid_on_a_pile_is_not_taken_for_one_beneath_that_it_looks_like_at_first() -> None:
    tracker = Tracker(table().layout)
    for number in range(10):
        tracker.see([reading("7S", quad(500, 300))], SIZE, number * 0.2, Untouched())
    for number in range(10):
        tracker.see([reading("KH", quad(503, 303))], SIZE, 20 + number * 0.2, Covering())
    torn = Reading(Card.parse("AS"), 0.55, quad(500, 300), others=((Card.parse("7S"), 0.35),))
    for seen in (torn, *(reading("AS", quad(500, 300)) for _ in range(4))):
        view = tracker.see([seen], SIZE, 40.0, Covering(39.0))
    assert {str(one.card): one.covered for one in view.cards} == {"7S": True, "KH": True, "AS": False}


def test_a_new_card_beside_a_row_of_others_is_no_reason_to_take_each_for_its_neighbour() -> None:
    tracker = Tracker(table().layout)
    row = [reading(card, quad(500 + 23 * place, 300 + place)) for place, card in enumerate(("7D", "7H", "8C", "8D"))]
    for number in range(10):
        before = tracker.see(row, SIZE, number * 0.2, Untouched())
    tracker.see([*row, reading("3S", quad(571, 292))], SIZE, 2.0, Untouched())  # the 8D once more, half of it covered
    for number in range(4):
        view = tracker.see([*row, reading("2C", quad(477, 300))], SIZE, 2.2 + number * 0.2, Untouched())
    assert [(one.track, str(one.card)) for one in view.cards[:-1]] == [(o.track, str(o.card)) for o in before.cards]
    assert str(view.cards[-1].card) == "2C"


@pytest.mark.parametrize(("every", "shown"), [(3, 1), (1, 2)])
def test_what_is_read_of_a_card_by_another_index_now_and_then_is_no_card_beneath(every: int, shown: int) -> None:
    tracker = Tracker(table().layout)
    for number in range(12):
        seen = [reading("2S", quad(500, 300), 0.9)]
        if number % every == 0:
            seen.append(reading("2D", quad(503, 288), 0.99))
        view = tracker.see(seen, SIZE, number * 0.2, Untouched())
        assert all(one.card.rank == "2" for one in view.cards)
    assert len(view.cards) == shown
    assert shown == 2 or view.cards[0].confidence < SUIT_SURE  # it may be the 2D


@pytest.mark.parametrize(("confidence", "there"), [(0.65, 500), (0.95, 800)])
def test_what_only_looks_like_a_covered_card_is_not_that_card(confidence: float, there: float) -> None:
    tracker = Tracker(table().layout)
    for number in range(10):
        tracker.see([reading("7C", quad(500, 300))], SIZE, number * 0.2, Untouched())
    for number in range(4):
        seen = [reading("7D", quad(501, 300)), reading("7C", quad(800, 300), confidence)]
        view = tracker.see(seen, SIZE, 20 + number * 0.2, Covering())
    assert [round(one.quad[0][0] * SIZE[0]) for one in view.cards if one.track == 1] == [there]


def test_a_card_that_cannot_be_read_in_the_dark_is_not_gone() -> None:
    tracker = Tracker(table().layout)
    for number in range(10):
        tracker.see([reading("KS", quad(500, 300))], SIZE, number * 0.2, Untouched())
    for number in range(40):
        view = tracker.see([], SIZE, 2 + number * 0.5, Untouched())
    assert [(str(one.card), one.covered) for one in view.cards] == [("KS", True)]


@pytest.mark.parametrize("turn", [0.0, 90.0, 180.0])
def test_cards_and_zones_go_along_when_the_camera_is_moved(turn: float) -> None:
    scripted = table(QUIET)
    readings = [reading(str(card), pixels(pose)) for card, pose in scripted.poses.items()]
    tracker = Tracker(scripted.layout)
    for number in range(10):
        before = tracker.see(readings, SIZE, number * 0.2, Untouched())
    elsewhere = [Reading(one.card, one.confidence, moved(one.quad, turn, (50, -30))) for one in readings]
    move = tracker.find_move(elsewhere, SIZE)
    assert move is not None
    tracker.carry(move)
    after_it = tracker.view(2.0, Stillness.STILL, 1.0)
    for one, other in zip(before.cards, after_it.cards, strict=True):
        assert (one.track, one.card, one.zone, one.since) == (other.track, other.card, other.zone, other.since)
        there = moved((np.array(one.quad) * SIZE).astype(np.float32), turn, (50, -30))
        assert np.abs(np.array(other.quad) * SIZE - there).max() < 10
    for number in range(10):
        view = tracker.see(elsewhere, SIZE, 2.0 + number * 0.2, Untouched())
    assert [(one.track, one.zone) for one in view.cards] == [(one.track, one.zone) for one in before.cards]


def pixels(pose: Pose) -> npt.NDArray[np.float32]:
    return (np.array(pose.corners()) * SIZE[0] / WIDE).astype(np.float32)


def moved(outline: npt.NDArray[np.float32], turn: float, by: tuple[float, float]) -> npt.NDArray[np.float32]:
    """Where a camera that was turned (degrees) about the picture's middle and pushed (px) sees an outline."""
    matrix = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), turn, 1.0)
    return (outline @ matrix[:, :2].T + matrix[:, 2] + by).astype(np.float32)


class Emptied(Untouched):
    """One place, which was touched at second 29, shows the bare table."""

    def __init__(self, x: float, y: float) -> None:
        self.middle = np.array([x + 40, y + 56])

    def still_since(self, quad: object) -> float:
        return 29.0

    def bare_share(self, quad: object, without: object = ()) -> float | None:
        near = np.abs(np.array(quad).mean(axis=0) * SIZE - self.middle).max() < 20
        return 1.0 if near else 0.0


class Heaped(Untouched):
    """Something moved at a second, and nothing is left to see of a place that is covered."""

    def __init__(self, t: float) -> None:
        self.t = t

    def still_since(self, quad: object) -> float:
        return self.t

    def bare_share(self, quad: object, without: object = ()) -> float | None:
        return None
