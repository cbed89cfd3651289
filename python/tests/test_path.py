"""Projection onto a line, by closed forms."""

import pickle
import warnings

import numpy as np
import pytest
import skidpad
from skidpad import envs


def circle(count=400, radius=5.0, **options):
    angle = np.linspace(0, 2 * np.pi, count, endpoint=False)
    return skidpad.Path(np.c_[radius * np.cos(angle), radius * np.sin(angle)], closed=True, **options)


def test_a_circle_has_its_length_curvature_and_offsets():
    path = circle(left=1.5, right=np.linspace(1, 2, 400))
    assert path.length == pytest.approx(10 * np.pi, rel=1e-4) and path.closed
    angle = np.random.default_rng(0).uniform(0, 2 * np.pi, (7, 3))
    radius = np.random.default_rng(1).uniform(3, 7, (7, 3))
    projection = path.project(radius * np.cos(angle), radius * np.sin(angle))
    assert projection.shape == (7, 3)
    assert np.allclose(projection["s"], 5 * angle, atol=0.05)
    # To the left of a counter-clockwise circle is its middle.
    assert np.allclose(projection["offset"], 5 - radius, atol=1e-3)
    assert np.allclose(projection["curvature"], 0.2, rtol=1e-3)
    assert np.allclose(np.cos(projection["heading"] - angle - np.pi / 2), 1, atol=1e-3)
    assert (projection["left"] == 1.5).all() and ((1 <= projection["right"]) & (projection["right"] <= 2)).all()
    at = path.at(projection["s"] + path.length)
    assert np.allclose(np.hypot(at["x"], at["y"]), 5, atol=1e-3)
    assert np.allclose(path.project(at["x"], at["y"])["offset"], 0, atol=1e-9)


@pytest.mark.parametrize("count", [3, 1000])
def test_an_open_line_ends_at_its_ends(count):
    path = skidpad.Path(np.c_[np.linspace(0, 10, count), np.zeros(count)])
    projection = path.project([-2.0, 4.0, 13.0], [1.0, -1.0, 0.0])
    assert np.allclose(projection["s"], [0, 4, 10]) and np.allclose(projection["offset"], [np.sqrt(5), -1, 3]) and (projection["curvature"] == 0).all()
    assert np.allclose(path.at([-5, 99])["x"], [0, 10]) and np.isinf(projection["left"]).all()


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
        projection = path.track(x, y, at["heading"][0] + 0.2)
        away = (projection["s"] - s + 0.5 * path.length) % path.length - 0.5 * path.length
        assert np.abs(away).max() < 0.1 and np.allclose(projection["offset"], beside, atol=0.02)
    # Without a past, the nearer part is meant: this is what jumps.
    s = path.project(x, y)["s"]
    steps = (np.diff(s) + 0.5 * path.length) % path.length - 0.5 * path.length
    assert np.abs(steps).max() > 10


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("spacing", [0.1, 6.0])
def test_straights_that_run_side_by_side_are_two(spacing, closed):
    # 12 m there and back, 0.6 m apart: a car nearer to the other straight has not gone around the bend.
    stations = np.arange(0.0, 12.01, spacing)
    points = np.r_[np.c_[stations, np.zeros_like(stations)], np.c_[stations[::-1], np.full_like(stations, 0.6)]]
    path = skidpad.Path(points, closed=closed)
    x = np.linspace(1.0, 9.0, 81)
    projection = path.track(x, np.full_like(x, 0.4), 0.0)
    assert np.allclose(projection["s"], x) and np.allclose(projection["offset"], 0.4)
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
        progress = np.zeros(2)
        for steps in calls:
            worlds.step(steps)
            progress += on_path["progress"][:, 0]
        finals.append([*on_path["s"][:, 0], *progress])
    finals = np.array(finals)
    assert np.allclose(finals, finals[0], atol=1e-9) and 0.5 < finals[0, 2] < 3.0
    assert (finals[:, 0] + length - (length - 1.0)) % length == pytest.approx(finals[:, 2], abs=0.01)


def lap(columns, *, separator=";", psi=0.0):
    """A waypoint file: comments, and a lap of 40 points around (0, 5) with radius 5 m, 1 m free to the right and 2 m to the left."""
    angle = np.arange(40) * 2 * np.pi / 40
    of = {"s_m": 5 * angle, "x_m": 5 * np.sin(angle), "y_m": 5 - 5 * np.cos(angle), "psi_rad": angle + psi, "vx_mps": 2 + 0 * angle, "w_tr_right_m": 1 + 0 * angle, "w_tr_left_m": 2 + 0 * angle}
    rows = (separator.join(f"{value:.9f}" for value in row) for row in zip(*(of[column] for column in columns), strict=True))
    return "\n".join(["# 0123", "# made by hand", f"# {f'{separator} '.join(columns)}", *rows]) + "\n"


def test_a_track_of_either_layout_is_read_with_its_widths(tmp_path):
    expected = circle(count=40, left=2.0, right=1.0)
    track = ("x_m", "y_m", "w_tr_right_m", "w_tr_left_m")
    files = {"commas": lap(track, separator=","), "semicolons": lap(track), "line": lap(("s_m", *track[2:], "y_m", "x_m"))}
    # Without a header, as such files may be.
    files["bare"] = files["commas"].replace("# x_m, y_m, w_tr_right_m, w_tr_left_m\n", "")
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").touch()
        (tmp_path / f"{name}_centerline.csv").write_text(text)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            path = envs.track(tmp_path / f"{name}.yaml")[1]
        assert path.closed and path.length == pytest.approx(expected.length)
        assert path.at(0.0)[["x", "y", "heading", "left", "right"]].tolist() == pytest.approx((0.0, 0.0, np.pi / 40, 2.0, 1.0), abs=1e-6)
    (tmp_path / "line_centerline.csv").write_text("# x_m;y_m\n0;0\n1;a\n")
    with pytest.raises(skidpad.CommandError, match="line_centerline.csv:3: y_m \"a\" is not a number\n  accepted: a finite number"):
        envs.track(tmp_path / "line.yaml")


def test_what_the_reader_notes_of_a_racing_line_is_a_warning(tmp_path):
    file = tmp_path / "line.csv"
    file.write_text(lap(("s_m", "x_m", "y_m", "psi_rad", "vx_mps"), psi=-np.pi / 2))
    of_y = f"{file}: psi_rad is measured from the y axis: the heading is computed from the points"
    unused = f"{file}: its column vx_mps is not used: a Path has only x and y\n  hint: World.follow uses these speeds"
    with pytest.warns(UserWarning) as warned:
        path = skidpad.Path.from_file(file, closed=True)
    assert [str(warning.message) for warning in warned] == [of_y, unused]
    assert warned[0].filename == __file__ and np.isinf(path.at(0.0)["left"]) and path.at(0.0)["heading"] == pytest.approx(np.pi / 40)
    with pytest.warns(UserWarning) as warned:
        assert not skidpad.Path.from_file(file).closed
    assert str(warned[1].message) == f"{file}: it ends where it begins, but the path stops there\n  hint: closed=true repeats the lap"
    file.write_text("time,x,y\n0,0,0\n1,2,0\n")
    with pytest.warns(UserWarning, match="its column time is not used"):
        assert skidpad.Path.from_file(file).length == 2.0
    # The program says the same of the same file, with the world's vehicle.
    file.write_text(lap(("x_m", "y_m", "psi_rad", "w_tr_right_m", "w_tr_left_m"), psi=-np.pi / 2))
    config = tmp_path / "lap.yaml"
    config.write_text("world: tracking\ntrajectory: {trajectory_type: waypoints, file: line.csv, closed: true, speed: 0.5}\n")
    world = skidpad.World("tracking")
    with pytest.warns(UserWarning) as warned:
        world.follow(config)
    assert [str(warning.message) for warning in warned] == [of_y]
    borders = world.vehicle_info()["track_borders"]
    assert [np.hypot(*(borders[side] - [0, 5]).T) for side in ("right", "left")] == [pytest.approx(6.0), pytest.approx(3.0)]
    # Those who want errors get them, from a world that can still be used.
    with warnings.catch_warnings(), pytest.raises(UserWarning, match="psi_rad"):
        warnings.simplefilter("error")
        world.follow(config)
    world.step()


def test_files_that_are_no_lines_say_what_is_accepted(tmp_path):
    file = tmp_path / "line.csv"
    for text, problem in [("a,b\n1,1\n", ":1: unknown header \"a,b\"\n  accepted: time,x,y or x,y, or columns"), ("x,y\n1,1\n", ": 1 points without length\n  accepted: two or more that differ")]:
        file.write_text(text)
        with pytest.raises(skidpad.CommandError) as error:
            skidpad.Path.from_file(file)
        assert str(error.value).startswith(f"{file}{problem}")
    file.write_text("0,0\n1,1\n")
    assert skidpad.Path.from_file(file, header="x_m,y_m").length == pytest.approx(np.sqrt(2))
    with pytest.warns(UserWarning, match="no header: the columns are taken for x_m,y_m"):
        assert skidpad.Path.from_file(file).length == pytest.approx(np.sqrt(2))
    for header in ("x_m", "x_m,z"):
        with pytest.raises(skidpad.CommandError, match=f"header: found \"{header}\"\n  accepted: time,x,y"):
            skidpad.Path.from_file(file, header=header)


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
