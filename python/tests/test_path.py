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
