"""The languages of the page: what is translated, what is left out, and who is answered in which."""

from __future__ import annotations

import json
import re

import pytest
from babel.messages.catalog import Catalog, Message

from assistant.cards import Card, parse_cards
from assistant.games.game import Action, Position, Setup
from assistant.told import Place, Rank, Seat, Seats, Suit, Told, tell, tell_n, words_of
from tests.assistant.games import sbros_table, stone_deals
from tests.assistant.laugh_deals import dealt, played
from tests.gather_texts import gathered
from tests.web.served import Served
from vision.zones import LayoutError, propose
from web.language_choice import texts_at
from web.languages import SOURCE, _, _n, catalogue, chosen, languages, number, plural_forms, speaking
from web.live import Board
from web.nouns import card_noun, cards_noun, listed
from web.wording import action_sentence, mate_sentence, named
from web.zone_shelf import with_zones

PLACE = re.compile(r"\{(\w+)(?:\.\w+)?\}")
TABLE = Setup("laugh-and-lie-down", 3, 1, names=("Ann", "Bea", "Cy"))
OTHERS = sorted(languages().keys() - {SOURCE})


@pytest.fixture(scope="module")
def texts() -> Catalog:
    return gathered()


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def in_catalogue(found: Catalog, message: Message) -> Message | None:
    return found.get(forms(message.id)[0], message.context)


def test_english_portuguese_russian_german_and_french_are_there() -> None:
    assert languages().items() >= {
        ("en", "English"),
        ("pt", "Português"),
        ("ru", "Русский"),
        ("de", "Deutsch"),
        ("fr", "Français"),
    }


@pytest.mark.parametrize("code", sorted(languages()))
def test_the_catalogues_hold_just_the_texts_of_the_program(code: str, texts: Catalog) -> None:
    """``make texts`` brings them up to date."""
    held = {(message.context, message.id) for message in catalogue(code) if message.id}
    assert held == {(message.context, message.id) for message in texts if message.id}


@pytest.mark.parametrize("code", OTHERS)
def test_every_text_is_translated(code: str, texts: Catalog) -> None:
    found = catalogue(code)
    missing = []
    for message in texts:
        own = in_catalogue(found, message) if message.id else None
        if message.id and (own is None or own.fuzzy or not all(forms(own.string))):
            missing.append(message.id)
    assert missing == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_values_of_its_text(code: str, texts: Catalog) -> None:
    """A number may be left out where the plural form says it already."""
    wrong = []
    for message in texts:
        own = in_catalogue(catalogue(code), message) if message.id else None
        if own is None or message.context is not None:
            continue
        wanted = set(PLACE.findall(forms(message.id)[-1]))
        several = isinstance(message.id, tuple)
        for text in forms(own.string):
            given = set(PLACE.findall(text))
            more, less = ({"n"}, {"n", "count", "size"}) if several else (set(), set())
            if given - wanted - more or wanted - given - less:
                wrong.append((message.id, text))
    assert wrong == []


@pytest.mark.parametrize("code", OTHERS)
def test_every_form_that_a_sentence_asks_for_is_one_that_its_words_have(code: str) -> None:
    with speaking(code):
        known = set().union(*(card_noun(Card.parse(card)).forms for card in ("KH", "7?", "??")))
        known |= set(cards_noun(parse_cards("7H 7S")).forms)
        for message in catalogue(code):
            if message.context in ("rank", "suit", "place"):
                known |= set(re.findall(r";\s*(\w+)=", forms(message.string)[0]))
    asked = {
        form
        for message in catalogue(code)
        for text in forms(message.string)
        for form in re.findall(r"\{\w+\.(\w+)\}", text)
    }
    assert asked <= known


@pytest.mark.parametrize("code", sorted(languages()))
def test_cards_have_the_names_that_players_give_them(code: str) -> None:
    wanted = {
        "en": ("the king of hearts", "the ace of spades"),
        "de": ("der Herzkönig", "das Pikass"),
        "fr": ("le roi de cœur", "l'as de pique"),
        "pt": ("o rei de copas", "o ás de espadas"),
        "ru": ("король червей", "туз пик"),
    }
    with speaking(code):
        assert (card_noun(Card.parse("KH")), card_noun(Card.parse("AS"))) == wanted.get(code, wanted["en"])


def test_words_stand_in_the_case_that_the_sentence_asks_for() -> None:
    action = Action.parse("2 mate QH QS")
    with speaking("de"):
        assert action_sentence(action, TABLE) == "Bea nimmt die Pikdame mit der Herzdame"
        assert mate_sentence("J", parse_cards("JH")) == "Ein Bube nimmt den Herzbuben."
        assert mate_sentence("A", parse_cards("AH AS AD")) == "Das vierte Ass nimmt alle drei Asse."
        trick = _(
            "If all follow, {name} takes the trick with {card}, as it stands.",
            name="Cy",
            card=cards_noun(parse_cards("AD")),
        )
        assert trick == "Wenn alle bedienen, nimmt Cy den Stich mit dem Karoass, wie es jetzt steht."
        assert _("Claim {cards}.", cards=cards_noun(parse_cards("KH"))) == "Beanspruche den Herzkönig."
    with speaking("ru"):
        assert action_sentence(action, TABLE) == "Bea берёт даму пик дамой червей"
        assert [_n("{n} card", "{n} cards", n) for n in (1, 3, 5, 21)] == ["1 карта", "3 карты", "5 карт", "21 карта"]
        assert cards_noun(parse_cards("KH KS")) == "2 короля"
    with speaking("fr"):
        assert action_sentence(Action.parse("1 take AS AH AD AC"), TABLE) == "Ann donne et prend le carré d'as"
        assert _n("{n} card", "{n} cards", 0) == "0 carte"
    with speaking("pt"):
        assert (
            listed([card_noun(Card.parse("KH")), card_noun(Card.parse("2C"))], "or")
            == "o rei de copas ou o dois de paus"
        )
        assert number(-1.25, 1) == "−1,2"


@pytest.mark.parametrize("code", OTHERS)
def test_what_is_certain_is_said_in_each_language(code: str) -> None:
    """Nothing of it is a plain text, and nothing stays English."""
    laugh = played(dealt(5, seed=5), 5)
    stone = stone_deals.begun(Setup("rolling-stone", 4, 1))
    sbros = sbros_table.begun(Setup("sbros", 2, 1, table=parse_cards("TS 3H")))
    others = (
        stone_deals.do(stone, "2 play 9C", "3 play JC", "4 pick-up"),
        sbros_table.do(sbros, "2 reset KS"),
    )
    positions: list[Position] = [*laugh, *others]
    facts = [fact for position in positions for fact in position.facts()]
    codes = {fact.code for fact in facts}
    assert codes >= {"dead", "safe", "last-two", "holds", "lacks", "not-located", "will-take"}
    seen = Setup("", 4, 1, names=("", "", "", ""))
    with speaking(SOURCE):
        english = [named(fact.text, seen) for fact in facts]
    with speaking(code):
        spoken = [named(fact.text, seen) for fact in facts]
    same = [text for text, other in zip(english, spoken, strict=True) if text == other]
    assert (same, [fact.text for fact in facts if not isinstance(fact.text, Told)]) == ([], [])


def test_no_line_of_french_ends_before_its_sign() -> None:
    """Guillemets and the signs of two parts stand behind a space at which no line is broken."""
    texts = [text for message in catalogue("fr") for text in forms(message.string) if message.id]
    assert [text for text in texts if re.search(r"« | [:;!?»](?!\?)", text)] == []
    with speaking("fr"):
        assert _("Why?") == "Pourquoi\u00a0?"


def test_what_the_rules_say_is_said_again_in_each_language() -> None:
    told = tell(
        "{seat} took only one of three {rank.many} and left {cards}.",
        seat=Seat(2),
        rank=Rank("Q"),
        cards=parse_cards("QH QS"),
    )
    assert told == "Seat 2 took only one of three queens and left QH QS."
    assert named(told, TABLE) == "Bea took only one of three queens and left Q♥ Q♠."
    with speaking("de"):
        assert named(told, TABLE) == "Bea hat von drei Damen nur eine Karte genommen und Q♥ Q♠ gelassen."
        more = tell("{what} Nobody called it.", what=told)
        assert named(more, TABLE).endswith("gelassen. Niemand hat es gerufen.")
        lies = tell(
            "{card} lies {where} and is counted {counted}.",
            card=Card.parse("KH"),
            where=Place("pile 3"),
            counted=Place("table"),
        )
        assert named(lies, TABLE) == "K♥ liegt auf dem Stapel von Cy und wird auf dem Tisch gezählt."
    with speaking("ru"):
        won = tell_n(
            "{seats} has no card left and wins the deal.",
            "{seats} have no card left and share the deal.",
            2,
            seats=Seats((1, 3)),
        )
        assert named(won, TABLE) == "Ann и Cy: карт не осталось, раздача поделена."
        assert named(tell("{suit} are led.", suit=Suit("H")), TABLE) == "Заход — червы."
    assert named("Seat 2 took 7H", TABLE) == "Bea took 7♥", "what was written down plainly"


def test_the_language_is_the_one_chosen_by_hand_else_the_browsers_else_english() -> None:
    assert chosen("ru", ["de"]) == "ru"
    assert chosen("tlh", ["it", "pt-BR", "de"]) == "pt"
    assert chosen(None, ["it"]) == SOURCE
    assert chosen("../../etc", []) == SOURCE


def test_a_page_is_in_the_language_of_its_reader(served: Served) -> None:
    client = served.app.test_client()
    german = client.get("/", headers={"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}).text
    assert '<html lang="de" data-texts="/texts/de.js?' in german
    assert "Rückgängig" in german
    client.set_cookie("mournival-language", "fr")
    french = client.get("/", headers={"Accept-Language": "de"}).text
    assert '<html lang="fr"' in french
    assert "Annuler" in french
    assert '<option value="ru" lang="ru">Русский</option>' in french


def test_the_state_comes_to_each_in_the_own_language(served: Served) -> None:
    served.begin()
    said = {
        code: served.get("/api/state", {"Accept-Language": code})[1]["state"]["headline"]["text"]
        for code in languages()
    }
    assert said["en"] == "Bertram's turn"
    assert said["de"] == "Bertram ist dran"
    assert said["ru"] == "Ходит Bertram"


def test_what_is_refused_is_refused_in_the_own_language(served: Served) -> None:
    served.begin()
    body = {"seen": served.state.seq, "line": "3 mate 2H 2D"}
    status, answer = served.post("/api/action", body, {"Accept-Language": "de"})
    assert (status, answer["code"]) == (400, "not-your-turn")
    assert answer["error"].startswith("Bertram ist an der Reihe, also geht nicht")


def test_what_is_wrong_with_a_request_is_said_in_the_own_language(served: Served) -> None:
    german, seen = {"Accept-Language": "de"}, served.state.seq

    def refused(path: str, **body: object) -> str:
        return str(served.post(f"/api/{path}", body, german)[1]["error"])

    assert refused("next") == "„seen“ muss eine ganze Zahl sein"
    assert refused("action", seen=seen, line=3) == "„line“ muss ein kurzer Text sein"
    assert refused("action", seen=seen, line="nimmt").startswith("„nimmt“ ist keine Aktion")
    dealt = refused("begin", seen=seen, table="7H 7S")
    assert dealt.startswith("Bei 4 Personen liegen beim Geben 12 Karten auf dem Tisch, nicht 2")
    crossed = [[0, 0], [1, 1], [1, 0], [0, 1]]
    with pytest.raises(LayoutError) as caught:
        with_zones(propose("laugh-and-lie-down", 3), {"pile 2": crossed}, TABLE)
    assert str(caught.value).startswith("the zone in pile 2 crosses itself")
    with speaking("de"):
        said = named(words_of(caught.value), TABLE)
    assert said == "die Zone auf dem Stapel von Bea überkreuzt sich: die Ecken gehören der Reihe nach an den Rand"


def test_streams_in_two_languages_tell_the_same_news() -> None:
    board = Board()
    streams = {}
    for code in ("de", "en"):
        with speaking(code):
            streams[code] = board.stream()
    board.post("state", lambda: {"said": _("The deal is over")})
    board.post("state", lambda: {"said": _("The deal is over")})
    told = {}
    for code, stream in streams.items():
        assert stream is not None
        told[code] = [next(stream), next(stream)][1]
    assert told == {
        "de": 'event: state\ndata: {"said":"Die Runde ist zu Ende"}\n\n',
        "en": 'event: state\ndata: {"said":"The deal is over"}\n\n',
    }


def test_the_pages_scripts_have_their_texts(served: Served) -> None:
    client = served.app.test_client()
    answer = client.get(texts_at("ru"))
    assert answer.mimetype == "text/javascript"
    assert "immutable" in answer.headers["Cache-Control"]
    whole = json.loads(re.sub(r"^export const \{.*?\} = |;\n$", "", answer.text))
    assert whole["texts"]["Why?"] == "Почему?"
    assert whole["nouns"]["KH"][""] == "король червей"
    assert (
        [whole["plural"][n] for n in (1, 2, 5, 11, 21)]
        == [0, 1, 2, 2, 0]
        == [plural_forms("ru")[n] for n in (1, 2, 5, 11, 21)]
    )
    assert client.get("/texts/xx.js").status_code == 404
    assert client.get("/texts/..%2Fru.js").status_code == 404
