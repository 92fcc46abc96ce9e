"""How sure a reading is said to be."""

from pathlib import Path

import numpy as np
import pytest

from vision.certainty import FILE, PLAIN, SIGNS, Certainty, CertaintyDamaged, fit, log_odds, signs


def test_plain_certainty_is_the_probability_of_the_name() -> None:
    for p in (0.02, 0.5, 0.93):
        shown = signs(p, [(0.9, 0.99, 0.8)], (0.7, 0.9), 150.0)
        assert PLAIN.of(shown) == pytest.approx(p, abs=1e-6)


def test_log_odds_keep_off_nought_and_one() -> None:
    assert log_odds(0.0) == pytest.approx(-log_odds(1.0))
    assert -12 < log_odds(0.0) < -9
    assert log_odds(0.75) == pytest.approx(np.log(3))


def test_the_best_index_speaks_for_the_card() -> None:
    shown = dict(zip(SIGNS, signs(0.9, [(0.2, 0.3, 0.9), (0.97, 0.99, 0.6)], (0.5, 0.0), 130.0), strict=True))
    assert shown["index"] == pytest.approx(log_odds(0.97), abs=1e-4)
    assert shown["both ends"] == 1
    assert shown["whole"] == 0
    assert shown["letter"] == 0


def test_weights_are_kept_as_they_are(tmp_path: Path) -> None:
    kept = Certainty(np.arange(len(SIGNS)) / 7, -1.25)
    kept.save(tmp_path / FILE)
    again = Certainty.load(tmp_path / FILE)
    np.testing.assert_allclose(again.weights, kept.weights, atol=1e-4)
    assert again.bias == kept.bias


@pytest.mark.parametrize("text", ["", "{", "[]", '{"weights": {}, "bias": 0}', '{"weights": {"named": "x"}}'])
def test_damaged_weights_are_told_in_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(CertaintyDamaged, match=r"certainty\.json.*install mournival again") as told:
        Certainty.load(tmp_path / FILE)
    assert "\n" not in str(told.value)


def test_a_fit_is_calibrated_where_the_signs_overstate() -> None:
    """Names that claim 0.99 and are right seven times in ten come out as 0.7."""
    rng = np.random.default_rng(3)
    shown = np.stack([signs(float(p), [(0.9, 0.9, 0.9)], (0.5, 0.5), 130.0) for p in rng.uniform(0.6, 0.999, 4000)])
    honest = 1 / (1 + np.exp(-0.4 * shown[:, 0]))
    truth = rng.random(4000) < honest
    fitted = fit(shown.astype(np.float64), truth)
    said = np.array([fitted.of(row) for row in shown])
    for low, high in ((0.5, 0.7), (0.7, 0.8), (0.8, 0.95)):
        within = (said >= low) & (said < high)
        assert within.sum() > 50
        assert abs(said[within].mean() - truth[within].mean()) < 0.05
    assert fitted.weights[0] == pytest.approx(0.4, abs=0.08)
