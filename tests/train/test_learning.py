"""What is derived of attempts: ratings, streaks, repetition, weaknesses, rounds."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sapper.errors import InputError
from sapper.train import KINDS, Attempt, Kind, Learner, Round, learn, of_position, puzzle
from sapper.train.attempts import WAYS
from sapper.train.learner import DAYS, thin

DAY = 86_400
NOON = 20_000 * DAY + DAY // 2


def attempt(
    score: float = 1.0,
    at: float = NOON,
    *,
    kind: Kind = "pairs",
    seed: int = 1,
    difficulty: int = 1250,
    **others: object,
) -> Attempt:
    return Attempt(kind, "9x9/10", seed, difficulty, score, 10.0, at, **others)  # type: ignore[arg-type]


attempts = st.builds(
    Attempt,
    st.sampled_from(KINDS),
    st.sampled_from(["beginner", "8x8/10 torus"]),
    st.integers(0, 5),
    st.integers(0, 4000),
    st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0, 1)),
    st.floats(0, 1e6),
    st.floats(0, 1e8),
    st.sampled_from(["rated", "free"]),
)
rounds = st.builds(
    Attempt,
    st.sampled_from(KINDS),
    st.just("beginner"),
    st.integers(0, 10**9),
    st.just(1000),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.floats(0, 100),
    st.floats(0, 1000),
    st.sampled_from(["sprint", "survival"]),
    st.sampled_from([1.0, 300.0]),
)


# -- attempts -------------------------------------------------------------------------------------------------


@given(st.one_of(attempts, rounds))
def test_an_attempt_reads_back(one: Attempt) -> None:
    assert Attempt.from_plain_values(json.loads(json.dumps(one.as_plain_values()))) == one


def test_an_attempt_at_a_puzzle_names_it() -> None:
    made = puzzle("subsets", 3, board="8x8/10 torus")
    assert str(Attempt.of(made, 1, seconds=1, at=2).name) == made.link == "subsets.8x8.10.torus.3"
    own = of_position("####/1221")
    noted = Attempt.of(own, 0, seconds=1, at=2)
    assert str(noted.name) == own.link == "subsets.____-1221"
    assert Attempt.from_plain_values(noted.as_plain_values()) == noted


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"score": 1.5}, "The score of an attempt must be a number from 0 to 1, not 1.5."),
        ({"score": math.nan}, "not nan"),
        ({"seconds": -1}, "The number of seconds of an attempt must be a number of at least 0, not -1.0."),
        ({"difficulty": 9999}, "from 0 to 4000"),
        ({"way": "walk"}, f"There is no training mode 'walk'; choose from {', '.join(WAYS)}."),
        ({"kind": "tripels"}, "There is no puzzle kind 'tripels'"),
        ({"at": "soon"}, "This is not an attempt: some of its values are of the wrong kind."),
        ({"seed": None}, "must name either the seed or the position of its puzzle"),
    ],
)
def test_what_is_no_attempt_is_one_sentence(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        Attempt.from_plain_values(attempt().as_plain_values() | change)
    assert sentence in str(refused.value)
    with pytest.raises(InputError, match="no training mode 'walk'"):
        attempt(way="walk")


# -- all of it ------------------------------------------------------------------------------------------------


@given(st.lists(attempts, max_size=30), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_the_file_does_not_matter_and_all_is_plain(done: list[Attempt], random: object) -> None:
    done = list({one.at: one for one in done}.values())
    shuffled = list(done)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    told = learn(done).as_plain_values(2e8)
    assert learn(shuffled).as_plain_values(2e8) == told
    assert json.loads(json.dumps(told, allow_nan=False)) == told
    assert told["overall"]["attempts"] == len(done) == sum(one["attempts"] for one in told["kinds"].values())


@given(st.lists(attempts, max_size=20))
@settings(deadline=None)
def test_going_on_is_the_same_as_starting_again(done: list[Attempt]) -> None:
    done.sort(key=lambda one: one.at)
    learner = Learner()
    for number, one in enumerate(done, start=1):
        learner.note(one)
        assert learner.as_plain_values(one.at) == learn(done[:number]).as_plain_values(one.at)


def test_only_the_first_rated_answer_to_a_puzzle_moves_the_rating() -> None:
    once = learn([attempt()])
    again = learn([attempt(), attempt(0.0, NOON + 10)])
    assert again.overall.rating == once.overall.rating
    assert again.overall.n == 2
    for way in ("sprint", "survival", "free"):
        assert learn([attempt(way=way)]).overall.points == []
    # However the board is written, it is the same puzzle.
    other = Attempt("pairs", "beginner first-opening", 1, 1250, 0, 1, NOON + 10)
    assert learn([attempt(), other]).overall.rating == once.overall.rating


@given(st.lists(st.floats(0, 1), min_size=1, max_size=10), st.data())
@settings(deadline=None)
def test_better_answers_never_mean_a_lower_rating(scores: list[float], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(scores) - 1))
    better = [*scores]
    better[place] = data.draw(st.floats(scores[place], 1))

    def rating(given: list[float]) -> float:
        done = [attempt(score, NOON + number, seed=number) for number, score in enumerate(given)]
        return learn(done).by_kind["pairs"].rating.rating

    assert rating(scores) <= rating(better) + 0.5  # volatility may take back a little of it


def test_a_learner_who_stays_away_is_less_known() -> None:
    learner = learn([attempt(seed=seed, at=NOON + seed) for seed in range(40)])
    now, later = (learner.overall.rating_at(NOON + days * DAY).deviation for days in (0, 100))
    assert now < later <= 350
    assert learner.overall.rating_at(NOON + 100 * DAY).rating == learner.overall.rating.rating


def test_means_are_those_of_all_answers() -> None:
    assert [learn([]).overall.as_plain_values(NOON)[name] for name in ("accuracy", "mean_score", "mean_seconds")] == [
        0
    ] * 3
    told = learn([attempt(1.0), attempt(0.5, NOON + 1, seed=2)]).overall.as_plain_values(NOON + 1)
    assert (told["attempts"], told["right"], told["accuracy"]) == (2, 1, 0.5)
    assert (told["mean_score"], told["mean_seconds"]) == (0.75, 10.0)


# -- streaks --------------------------------------------------------------------------------------------------


def test_streaks_of_answers() -> None:
    learner = learn([attempt(score, NOON + at, seed=at) for at, score in enumerate([1, 1, 1, 0, 1, 0.9, 1, 1])])
    assert (learner.streaks.right, learner.streaks.most_right) == (2, 3)


def test_streaks_of_days() -> None:
    learner = learn([attempt(at=NOON + day * DAY, seed=day) for day in (0, 1, 1, 2, 5, 6)])
    assert learner.streaks.most_days == 3
    assert [learner.streaks.days(NOON + day * DAY) for day in (6, 7, 8)] == [2, 2, 0]


def test_a_day_begins_where_the_learner_lives() -> None:
    # Eleven in the evening and one in the morning, UTC: two days there, one day two hours further west.
    done = [attempt(at=20_000 * DAY - 3600), attempt(at=20_000 * DAY + 3600, seed=2)]
    assert learn(done).streaks.most_days == 2
    assert learn(done, utc_offset=-7200).streaks.most_days == 1


# -- repetition -----------------------------------------------------------------------------------------------


def test_a_mistake_comes_back_after_a_day_a_week_and_a_month() -> None:
    done = [attempt(0.0)]
    at: float = NOON
    for days in DAYS:
        learner = learn(done)
        assert list(learner.schedule.due(at + 0.8 * DAY * days - DAY / 20)) == []
        assert list(learner.schedule.due(at + DAY * days)) == [done[0].name]
        at += DAY * days
        done.append(attempt(1.0, at))
    learner = learn(done)
    assert learner.schedule.next_due is None
    assert learner.schedule.n_learned == 1


def test_a_second_mistake_starts_again_and_an_early_answer_changes_nothing() -> None:
    early = learn([attempt(0.0), attempt(1.0, NOON + 60)])
    assert early.schedule.repetitions == learn([attempt(0.0)]).schedule.repetitions
    again = [attempt(0.0), attempt(1.0, NOON + DAY), attempt(0.0, NOON + 3 * DAY)]
    assert list(learn(again).schedule.due(NOON + 4 * DAY)) == [again[0].name]


def test_helped_is_not_right() -> None:
    assert learn([attempt(0.5)]).schedule.next_due is not None
    assert learn([attempt(1.0)]).schedule.next_due is None


@given(st.lists(attempts, max_size=30), st.floats(0, 2e8))
@settings(deadline=None)
def test_what_is_due_was_wrong_and_has_waited_longest_first(done: list[Attempt], now: float) -> None:
    learner = learn(done)
    due = list(learner.schedule.due(now))
    waited = [learner.schedule.repetitions[name].due for name in due]
    assert waited == sorted(waited)
    assert all(moment <= now for moment in waited)
    wrong = {one.name for one in done if not one.is_right}
    assert set(learner.schedule.repetitions) <= wrong
    assert len(learner.schedule.repetitions) + learner.schedule.n_learned >= len(wrong)


# -- the weakest pattern --------------------------------------------------------------------------------------


def mixed(of_pairs: float, of_total: float, n: int = 20) -> list[Attempt]:
    done = []
    for number in range(n):
        done.append(attempt(of_pairs, NOON + 2 * number, seed=number))
        done.append(attempt(of_total, NOON + 2 * number + 1, kind="total", seed=number, difficulty=1680))
    return done


def test_the_weakest_pattern_is_what_falls_short_of_the_rating() -> None:
    found = learn(mixed(0.4, 0.5)).weakest()
    assert found is not None
    assert found.kind == "pairs"  # though the puzzles with totals are harder and not much better answered
    assert found.score < found.expected
    found = learn(mixed(0.9, 0.1)).weakest()
    assert found is not None
    assert found.kind == "total"


def test_nothing_is_weak_where_little_is_known_or_all_is_right() -> None:
    assert learn([]).weakest() is None
    assert learn(mixed(0.4, 0.5, n=4)).weakest() is None
    assert learn(mixed(1.0, 1.0)).weakest() is None


# -- rounds ---------------------------------------------------------------------------------------------------


def test_a_sprint_ends_after_three_minutes() -> None:
    begun = Round("sprint", NOON)
    done = [
        attempt(score, NOON + at, seed=at, way="sprint", began=NOON)
        for at, score in ((10, 1), (60, 0), (180, 1), (181, 1))
    ]
    sprint = Round.of("sprint", NOON, done)
    assert (sprint.n_right, sprint.n_wrong, sprint.lives) == (2, 1, None)
    assert [begun.is_over(NOON + at) for at in (0, 180, 181)] == [False, False, True]
    assert sprint.as_plain_values(NOON + 100)["seconds_left"] == 80
    assert learn(done).best_round("sprint") == sprint
    assert learn(done).best_round("survival") is None


def test_survival_ends_with_the_third_mistake() -> None:
    scores = (1, 0, 1, 0, 1, 0, 1)
    done = [attempt(score, NOON + at, seed=at, way="survival", began=NOON) for at, score in enumerate(scores)]
    targets = [Round.of("survival", NOON, done[:n]).target for n in range(8)]
    assert targets == sorted(targets)
    survived = Round.of("survival", NOON, done)
    assert (survived.n_right, survived.lives, survived.is_over(NOON + 9)) == (3, 0, True)


@given(st.lists(rounds, max_size=40))
def test_rounds_never_have_more_than_their_rules_allow(done: list[Attempt]) -> None:
    done.sort(key=lambda one: one.at)
    for (way, began), found in learn(done).rounds.items():
        assert found == Round.of(way, began, done)
        inside = [one for one in done if (one.way, one.began) == (way, began)]
        if way == "survival":
            assert found.n_wrong <= 3
        else:
            assert found.n_right + found.n_wrong == sum(one.at <= began + 180 for one in inside)


def test_there_are_no_rounds_of_other_ways() -> None:
    with pytest.raises(InputError, match="A round must be sprint or survival, not rated"):
        Round("rated", 0)


# -- charts ---------------------------------------------------------------------------------------------------


@given(st.integers(1, 60), st.integers(1, 60))
def test_a_thinned_series_keeps_its_end_and_its_order(n: int, most: int) -> None:
    points = learn([attempt(at=NOON + number, seed=number) for number in range(n)]).overall.points
    kept = thin(points, most)
    assert len(kept) == min(n, most)
    assert kept == sorted(set(kept), key=points.index)
    assert kept[-1] == points[-1]
