"""Projection onto a line, by closed forms."""

import pickle

import numpy as np
import pytest
import skidpad


def circle(count=400, radius=5.0, **options):
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return skidpad.Path(np.c_[radius * np.cos(angle), radius * np.sin(angle)], closed=True, **options)


def test_a_circle_has_its_length_curvature_and_offsets():
    path = circle(left=1.5, right=np.linspace(1, 2, 400))
    assert path.length == pytest.approx(10 * np.pi, rel=1e-4) and path.closed
    angle = np.random.default_rng(0).uniform(0, 2 * np.pi, (7, 3))
    radius = np.random.default_rng(1).uniform(3, 7, (7, 3))
    found = path.project(radius * np.cos(angle), radius * np.sin(angle))
    assert found.shape == (7, 3)
    assert np.allclose(found["s"], 5 * angle, atol=0.05)
    # To the left of a counter-clockwise circle is its middle.
    assert np.allclose(found["offset"], 5 - radius, atol=1e-3)
    assert np.allclose(found["curvature"], 0.2, rtol=1e-3)
    assert np.allclose(np.cos(found["heading"] - angle - np.pi / 2), 1, atol=1e-3)
    assert (found["left"] == 1.5).all() and ((1 <= found["right"]) & (found["right"] <= 2)).all()
    at = path.at(found["s"] + path.length)
    assert np.allclose(np.hypot(at["x"], at["y"]), 5, atol=1e-3)
    assert np.allclose(path.project(at["x"], at["y"])["offset"], 0, atol=1e-9)


@pytest.mark.parametrize("count", [3, 1000])
def test_an_open_line_ends_at_its_ends(count):
    path = skidpad.Path(np.c_[np.linspace(0, 10, count), np.zeros(count)])
    found = path.project([-2.0, 4.0, 13.0], [1.0, -1.0, 0.0])
    assert np.allclose(found["s"], [0, 4, 10]) and np.allclose(found["offset"], [np.sqrt(5), -1, 3]) and (found["curvature"] == 0).all()
    assert np.allclose(path.at([-5, 99])["x"], [0, 10]) and np.isinf(found["left"]).all()


def test_a_tree_and_a_search_of_all_pieces_agree():
    points = np.cumsum(np.random.default_rng(3).normal(size=(300, 2)), axis=0)
    path = skidpad.Path(points)
    xy = np.random.default_rng(4).uniform(-15, 15, (200, 2))
    starts, ends = points[:-1], points[1:]
    part = np.clip(((xy[:, None] - starts) * (ends - starts)).sum(2) / ((ends - starts) ** 2).sum(1), 0, 1)
    nearest = np.linalg.norm(starts + part[..., None] * (ends - starts) - xy[:, None], axis=2).min(1)
    assert np.allclose(np.abs(path.project(xy[:, 0], xy[:, 1])["offset"]), nearest)


def figure_eight(size=4.0, count=400):
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return skidpad.Path(np.c_[size * np.sin(angle), size * np.sin(angle) * np.cos(angle)], closed=True)


def test_where_a_line_crosses_itself_a_vehicle_stays_on_its_part():
    path = figure_eight()
    # A lap and a half beside the line, by up to 0.3 m, from places all around it and on the crossing itself.
    for start in (0.0, 5.0, 0.5 * path.length - 0.1, 0.5 * path.length, path.length - 0.05):
        s = start + np.arange(0.0, 1.5 * path.length, 0.05)
        at, beside = path.at(s), 0.3 * np.sin(0.7 * s)
        x, y = at["x"] - beside * np.sin(at["heading"]), at["y"] + beside * np.cos(at["heading"])
        found = path.track(x, y, at["heading"][0] + 0.2)
        away = (found["s"] - s + 0.5 * path.length) % path.length - 0.5 * path.length
        assert np.abs(away).max() < 0.1 and np.allclose(found["offset"], beside, atol=0.02)
    # Without a past, the nearer part is meant: this is what jumps.
    s = path.project(x, y)["s"]
    steps = (np.diff(s) + 0.5 * path.length) % path.length - 0.5 * path.length
    assert np.abs(steps).max() > 10


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("spacing", [0.1, 6.0])
def test_straights_that_run_side_by_side_are_two(spacing, closed):
    # 12 m there and back, 0.6 m apart: a car nearer to the other straight has not gone around the bend.
    there = np.arange(0.0, 12.01, spacing)
    points = np.r_[np.c_[there, np.zeros_like(there)], np.c_[there[::-1], np.full_like(there, 0.6)]]
    path = skidpad.Path(points, closed=closed)
    x = np.linspace(1.0, 9.0, 81)
    found = path.track(x, np.full_like(x, 0.4), 0.0)
    assert np.allclose(found["s"], x) and np.allclose(found["offset"], 0.4)
    back = path.track(x[::-1], np.full_like(x, 0.2), np.pi)
    assert np.allclose(back["s"], 24.6 - x[::-1]) and np.allclose(back["offset"], 0.4)
    with pytest.raises(skidpad.CommandError, match=r"x, y: found shapes \[2\] and \[3\]"):
        path.track([0, 1], [0, 1, 2], 0.0)


def test_worlds_follow_a_crossing_whatever_a_call_is_cut_into():
    path = figure_eight()
    # Over the crossing to the right, 0.1 m beside the line.
    at, length = path.at(-1.0), path.length
    finals = []
    for calls in ([200], [50] * 4, [1] * 200):
        worlds = skidpad.Worlds("tracking", 2, seeds=0)
        on_path = worlds.on_path(path)
        for yaw, where in ((at["heading"], [0]), (at["heading"] + np.pi, [1])):
            worlds.place(0, at["x"] + 0.1 * np.sin(at["heading"]), at["y"] - 0.1 * np.cos(at["heading"]), yaw, vx=2.0, where=where)
        assert np.allclose(on_path["s"][:, 0], length - 1.0, atol=0.01) and (on_path["progress"] == 0).all()
        worlds.command(speed=[2.0, -2.0], steering_angle=0.0)
        way = np.zeros(2)
        for steps in calls:
            worlds.step(steps)
            way += on_path["progress"][:, 0]
        finals.append([*on_path["s"][:, 0], *way])
    finals = np.array(finals)
    assert np.allclose(finals, finals[0], atol=1e-9) and 0.5 < finals[0, 2] < 3.0
    assert (finals[:, 0] + length - (length - 1.0)) % length == pytest.approx(finals[:, 2], abs=0.01)


def test_a_path_is_pickled():
    path = circle(left=1.0)
    again = pickle.loads(pickle.dumps(path))
    assert again.length == path.length and again.closed and np.array_equal(again.points, path.points)
    assert (again.project(1.0, 2.0) == path.project(1.0, 2.0)).all()


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (([[0, 0, 0]],), "points: found an array of shape"),
        (([[0, 0], [np.nan, 1]],), "points: found NaN"),
        (([[1, 1], [1, 1]],), "points: found 2 points without length"),
        (("line",), "points: could not convert"),
    ],
)
def test_lines_that_are_none(arguments, text):
    with pytest.raises(skidpad.CommandError) as error:
        skidpad.Path(*arguments)
    assert str(error.value).startswith(text)
    with pytest.raises(skidpad.CommandError, match="left: found 2 numbers\n  accepted: one, or 3"):
        skidpad.Path([[0, 0], [1, 0], [2, 0]], left=[1, 2])
