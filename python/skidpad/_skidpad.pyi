"""The compiled part of skidpad: worlds, many worlds at once, and paths. SI units and radians everywhere.

Arrays that a world hands out are views: they are written again by every `step`, `reset` and change of that world, and stay valid (with their last values) when
it is gone. Take `array.copy()` to keep an instant. When vehicles or blocks come or go, new arrays are made.
"""

from collections.abc import Mapping, Sequence
from os import PathLike
from types import TracebackType
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
__commit__: str
"""The commit that the module is built from; "unknown" without a repository."""
STATE: np.dtype[np.void]
"""Fields of a vehicle's state, all float64: `x y z yaw pitch roll` in the world [m, rad]; `vx vy yaw_rate` in the body frame [m/s, rad/s]; `ax ay` [m/s²]; then the other numbers of docs/python.md, by the names of the viewer."""
WHEEL: np.dtype[np.void]
"""Fields of a wheel, all float64: `steer spin_angle spin torque load lifted wheel_vx wheel_vy force_x force_y slip_ratio slip_angle`."""
POSE: np.dtype[np.void]
"""Fields of a pose, all float64: `x y z yaw pitch roll` [m, rad]."""

@final
class World:
    """A world, loaded and ready to be stepped. The same world, seed and commands give the same bits as `skidpad run`.

    `world`: a file, or the bare name of a world of the package such as `"racecar"`. `set`: its variables, as `--set`. `physics`: `"skidpad"` or `"mvsim"`.
    Raises WorldError.
    """

    def __init__(
        self,
        world: str | PathLike[str],
        *,
        seed: int | None = None,
        set: Mapping[str, object] | None = None,
        physics: str | None = None,
        allow_commands: bool = False,
        offline: bool = False,
    ) -> None: ...
    @staticmethod
    def from_string(
        text: str,
        *,
        folder: str | PathLike[str] = ".",
        name: str = "world",
        seed: int | None = None,
        set: Mapping[str, object] | None = None,
        physics: str | None = None,
        allow_commands: bool = False,
        offline: bool = False,
    ) -> World:
        """A world from XML text; relative paths in it start from `folder`, `name` stands for the file in messages."""

    # What is constant.
    name: str
    """Of the world file, without its folder and ending."""
    seed: int
    """That random numbers start from."""
    timestep: float
    """Physics step [s]."""
    warnings: list[str]
    """What loading found doubtful, a text each."""
    vehicles: list[str]
    """Names, in the order of `state`."""
    blocks: list[str]
    """Names, in the order of `block_state`."""
    sensors: list[str]
    """Names `vehicle/sensor`, the keys of `readings`."""
    classes: list[str]
    """Names of the vehicle and block classes that can be spawned."""
    def vehicle_info(self, vehicle: str | int = 0) -> dict[str, Any]:
        """Facts about a vehicle: `name class dynamics accepts mass wheelbase max_steer outline (n, 2) wheels sensors start reference_path (n, 2) track_borders parameters`.

        `track_borders` maps `right` and `left` to the borders of the track around the path that it follows, (n, 2), or nothing if no widths are known; `accepts` lists kinds of command (`twist ackermann pedals wheels side_spins`); `parameters` maps the names of the controller's gains to
        `(value, smallest, largest)`; `sensors` maps names to `class`, `period` [s], `pose` and, for planar lidars, `count angle_min angle_increment range_min range_max`.
        """

    def block_info(self, block: str | int) -> dict[str, Any]:
        """Facts about a block: `name outline (n, 2) z is_static start`."""

    def bodies(self) -> list[dict[str, Any]]:
        """The truth about all vehicles, blocks and actors: `name kind class is_static`, `pose` (x, y, z, yaw, pitch, roll) [m, rad] in the world, `velocity` (x, y, z) [m/s] along its own axes, `yaw_rate` [rad/s], and `box`: its lower and upper corner [m] in its own frame, or None."""

    labels: dict[int, dict[str, Any]]
    """What the numbers of labels mean: `name class class_number` of each body, by its number."""
    maps: list[dict[str, Any]]
    """Occupancy maps: `occupied` (rows, columns) bool, row 0 at the smallest y; `resolution` [m]; `origin` (x, y, yaw) of its corner."""

    # Time.
    time: float
    """Simulated time [s]."""
    time_ns: int
    """The same [ns], exactly."""
    step_count: int
    """Steps since the start or the last reset."""
    def step(self, n: int = 1) -> None:
        """Makes `n` steps. Long calls release the GIL and end with KeyboardInterrupt at Ctrl-C. Raises StepError."""

    # State, as views.
    state: NDArray[np.void]
    """(vehicles,) of STATE: the truth."""
    block_state: NDArray[np.void]
    """(blocks,) of POSE."""
    wheels: NDArray[np.void]
    """(vehicles, most wheels) of WHEEL; zero where a vehicle has fewer."""
    readings: Mapping[str, Reading]
    """The sensors' last samples by `vehicle/sensor`."""
    def reading(self, sensor: str) -> Reading:
        """That of `vehicle/sensor`, or of `sensor` alone where one vehicle has it."""

    # Changes, all between two steps.
    def command(self, vehicle: str | int = 0, **numbers: float | Sequence[float] | str | None) -> None:
        """Commands a vehicle from the next step on, until the next command. By the names of the numbers:

        `vx`, `vy`, `yaw_rate` (those left out are 0): a twist in the body frame · `speed`, `steering_angle`, and limits `acceleration`, `steering_rate` if wanted ·
        `speed`, `steering_rate`: the steering turns at that rate · `left`, `right`: spins of the sides [rad/s] ·
        `throttle`, `brake`, `gear` ("drive", "neutral", "reverse"), `steering_angle`: pedals · `spin` (4 numbers: rear left, rear right, front left, front right; None: unchanged), `hinge` (2): single wheels.
        Raises CommandError: also when the vehicle does not take this kind.
        """

    def place(self, name: str | int, x: float, y: float, yaw: float = 0.0, *, z: float | None = None, vx: float = 0.0, vy: float = 0.0, yaw_rate: float = 0.0) -> None:
        """Puts a vehicle, a block or an actor at a pose at once, with a velocity in its body frame; its wheels roll along. An actor goes on from there and takes no velocity. An index counts vehicles."""

    def apply_wrench(
        self,
        name: str | int,
        fx: float = 0.0,
        fy: float = 0.0,
        torque: float = 0.0,
        *,
        duration: float,
        point: Sequence[float] | None = None,
        turns_with_body: bool = False,
    ) -> None:
        """Lets a force [N] and a torque about the vertical [N·m] act on a vehicle or a block for `duration` [s] of simulated time. Several add up; 0 ends them all.

        The force is along the axes of the world, or of the body (`turns_with_body`), at the centre of mass, or at `point` (x, y) [m] of the body.
        """

    def reset(self, seed: int | None = None, *, time: bool = True) -> None:
        """Everything back to the start, as freshly loaded (`time=False`: simulated time and noise go on instead). With `seed`: loaded again with that one."""

    def reload(self, *, seed: int | None = None, set: Mapping[str, object] | None = None) -> None:
        """Loads the world again with another seed or other variables, in place; those of `set` replace or complete the earlier ones."""

    def sense(self) -> None:
        """Takes a sample with every sensor now, without a step: after a reset or `place`."""

    def spawn(self, what: str, name: str = "", x: float = 0.0, y: float = 0.0, yaw: float = 0.0, *, z: float | None = None) -> str:
        """Adds a vehicle or a block: `what` is a class of the world, XML that begins with `<`, or a file. Returns its name; an empty `name` stands for the one in the XML, or a free one from the class."""

    def remove(self, name: str | int) -> None:
        """Removes a vehicle, a block or an actor; an index counts vehicles. Indices of those behind it shift."""

    def parameters(self, vehicle: str | int = 0) -> dict[str, float]:
        """The gains of the vehicle's controller as they are."""

    def set_parameter(self, vehicle: str | int, name: str, value: float) -> None:
        """Changes a gain of the vehicle's controller; a reset keeps it. `vehicle_info` has their names and limits."""

    def follow(self, config: str | PathLike[str]) -> None:
        """Lets the tracker of an experiment file (`config/*.yaml`) drive its vehicle, as `--track`. Warns of what the vehicle cannot follow, and of columns of a waypoint file that disagree with its points."""

    # Output.
    def record(self, path: str | PathLike[str], *, topics: Sequence[str] = (), preset: str = "skidpad") -> None:
        """Records an MCAP file from now on until `stop_recording`, or until the world is gone. It says how it was made; begun before the first step,
        `skidpad rerun` makes it again."""

    def stop_recording(self) -> None:
        """Completes the recording."""

    def render(
        self,
        width: int = 640,
        height: int = 480,
        *,
        eye: tuple[float, float, float] | None = None,
        target: tuple[float, float, float] | None = None,
        field_of_view: float = 1.0,
    ) -> NDArray[np.uint8]:
        """A picture (height, width, 3) from `eye` towards `target` [m]; without them, from above the whole world."""

    def serve(self, address: str = "127.0.0.1:0", *, token: str | None = None) -> str:
        """Shows this world on the viewer's page; returns its address. Each `step` shows its result and takes the page's orders."""

    def close(self) -> None:
        """Ends recording and page. The world can still be stepped. `with` calls it at its end."""

    def __enter__(self) -> World: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

@final
class Reading:
    """The last sample of a sensor. Its arrays are attributes, and `data` has all of them by name:

    planar lidar `ranges` (beams,) float32, +inf: nothing, -inf: too near, `intensities` and `labels` where it has them; lidar `points` (n,) with `x y z intensity time ring class_number body_number`; camera `pixels` (h, w, 3), `labels` where it has them; depth camera `pixels`, `depths` (h, w) float32 [m], NaN: nothing, -inf: too near, `labels` and `depth_labels` where it has them;
    IMU `angular_velocity` (3,), `linear_acceleration` (3,), `orientation` (4,); GNSS `position` (latitude [rad], longitude [rad], altitude [m]), NaN without reception;
    encoder `counts`, `rates`; magnetometer `field` (3,) [T]; range finder `range` (); motion capture `position` (3,), `orientation` (4,), `stamp` () [s]; contacts: `contacts`, a list of dicts.
    """

    name: str
    """`vehicle/sensor`."""
    kind: str
    """Class of the sensor in world files, such as `laser`."""
    time: float
    """Simulated time of the sample [s]; NaN before the first."""
    fresh: bool
    """Whether it arrived during the last call of `step`."""
    data: dict[str, Any]
    """All arrays by name."""
    def boxes(self) -> list[dict[str, Any]]:
        """Of a camera with labels: for each body that it sees, but ground, walls and maps, `name class`, the first and last of its `columns` and `rows`, and its number of `pixels`."""

    def __getattr__(self, name: str) -> NDArray[Any]: ...

@final
class Worlds:
    """`count` copies of a world that one call steps on all cores, with the GIL released. What does not change (maps) is shared.

    `seeds`: one for each; an int counts up from it; None: 0, 1, 2, … `set`: variables; a sequence of `count` values gives each world its own. All worlds
    must have the same vehicles and sensors. `threads`: 0 for one per core.
    """

    def __init__(
        self,
        world: str | PathLike[str],
        count: int,
        *,
        seeds: int | Sequence[int] | None = None,
        set: Mapping[str, object] | None = None,
        physics: str | None = None,
        threads: int = 0,
        allow_commands: bool = False,
        offline: bool = False,
    ) -> None: ...
    @staticmethod
    def from_string(text: str, count: int, *, folder: str | PathLike[str] = ".", name: str = "world", seeds: int | Sequence[int] | None = None, set: Mapping[str, object] | None = None, physics: str | None = None, threads: int = 0, allow_commands: bool = False, offline: bool = False) -> Worlds:
        """As World.from_string, `count` times."""

    def __len__(self) -> int: ...

    # What is constant, and the same in all worlds; facts are those of the first.
    name: str
    """Of the world file, without its folder and ending."""
    timestep: float
    """Physics step [s]."""
    vehicles: list[str]
    """Names, in the order of the second axis of `state`."""
    blocks: list[str]
    """Names, in the order of the second axis of `block_state`."""
    sensors: list[str]
    """Names `vehicle/sensor`, the keys of `readings`."""
    labels: dict[int, dict[str, Any]]
    """As World.labels."""
    maps: list[dict[str, Any]]
    """As World.maps."""
    threads: int
    """That step the worlds."""
    def vehicle_info(self, vehicle: str | int = 0) -> dict[str, Any]:
        """As World.vehicle_info."""

    def block_info(self, block: str | int) -> dict[str, Any]:
        """As World.block_info."""

    # Views whose first axis is the world.
    time: NDArray[np.float64]
    """(count,) [s]."""
    state: NDArray[np.void]
    """(count, vehicles) of STATE."""
    block_state: NDArray[np.void]
    """(count, blocks) of POSE."""
    wheels: NDArray[np.void]
    """(count, vehicles, most wheels) of WHEEL."""
    collided: NDArray[np.bool_]
    """(count, vehicles): whether it touched something in any step of the last call of `step`."""
    def on_path(self, path: Path) -> NDArray[np.void]:
        """Projects all vehicles onto a path after every call: a view (count, vehicles) of `s offset heading curvature left right progress`; `progress` is the way along the path in the last call of `step` [m]. Another path replaces it. A vehicle that drives is projected near its last place, as Path.track does; one that is put somewhere, onto the whole path."""

    readings: Mapping[str, BatchReading]
    """The sensors' last samples by `vehicle/sensor`."""
    def reading(self, sensor: str) -> BatchReading:
        """That of `vehicle/sensor`, or of `sensor` alone where one vehicle has it."""

    def step(self, n: int = 1) -> None:
        """Makes `n` steps of every world. Raises StepError with the `index` of the first world that failed; the others have made their steps."""

    def command(self, vehicle: str | int | None = 0, *, where: ArrayLike | None = None, **numbers: ArrayLike) -> None:
        """As World.command, with arrays (count,), or (count, vehicles) if `vehicle` is None; scalars are for all. `where`: only in these worlds (mask or indices), whose order the arrays have then."""

    def place(self, name: str | int, x: ArrayLike, y: ArrayLike, yaw: ArrayLike = 0.0, *, vx: ArrayLike = 0.0, vy: ArrayLike = 0.0, yaw_rate: ArrayLike = 0.0, where: ArrayLike | None = None) -> None:
        """As World.place, with an array or a scalar for each number."""

    def reset(self, where: ArrayLike | None = None, *, seeds: Sequence[int] | None = None, time: bool = True) -> None:
        """As World.reset, in these worlds or all."""

    def reload(self, where: ArrayLike | None = None, *, seeds: Sequence[int] | None = None, set: Mapping[str, object] | None = None) -> None:
        """As World.reload, in parallel; sequences in `set` give each world of `where` its own value. If one of them has errors, or would differ in vehicles, sensors, blocks or step, none is loaded."""

    def sense(self, where: ArrayLike | None = None) -> None:
        """Takes a sample with every sensor now, without a step: after a reset or `place`."""

    def set_parameter(self, vehicle: str | int, name: str, value: ArrayLike, *, where: ArrayLike | None = None) -> None:
        """As World.set_parameter, with an array or a scalar."""

    def render(self, index: int = 0, width: int = 640, height: int = 480, *, eye: tuple[float, float, float] | None = None, target: tuple[float, float, float] | None = None, field_of_view: float = 1.0) -> NDArray[np.uint8]:
        """A picture of one of the worlds, as World.render."""

    def serve(self, index: int = 0, address: str = "127.0.0.1:0", *, token: str | None = None) -> str:
        """Shows one of the worlds on the viewer's page."""

    def close(self) -> None:
        """Ends the page. `with` calls it at its end."""

    def __enter__(self) -> Worlds: ...
    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None: ...

    # For skidpad.envs, whose `Drivers` are their user.
    def enlist(
        self,
        vehicles: Sequence[int],
        *,
        action: tuple[str, Sequence[float], Sequence[float]],
        seen: Sequence[tuple[Any, ...]],
        rewards: Sequence[tuple[Any, ...]],
        ends: Sequence[tuple[Any, ...]],
        period: float,
        goal_block: str | int | None = None,
    ) -> dict[str, Any]:
        """Makes these vehicles of each world drivers, in place of earlier ones; a driver is a row of all arrays. Parts are tuples of a name and its numbers. Returns views by name, and `sizes` of the parts that are seen."""

    def drive(self, actions: NDArray[np.float32], n: int = 1, *, resting: ArrayLike | None = None) -> None:
        """Commands the drivers with actions (drivers, 2), limited to -1 to 1, and makes `n` steps; then rewards, ends and observations are written. `resting`: worlds (mask or indices) that are left as they are."""

    def begin(self, drivers: ArrayLike, goals: ArrayLike) -> None:
        """Starts episodes of these drivers (mask or indices) with goals (n, 2) x, y [m]; their observations are written."""

@final
class BatchReading:
    """The last samples of a sensor in all worlds: arrays of Reading with the world as first axis. Sensors of varying size (clouds, contacts) are not available."""

    name: str
    """`vehicle/sensor`."""
    kind: str
    """Class of the sensor in world files, such as `laser`."""
    time: NDArray[np.float64]
    """(count,) [s]; NaN before the first sample."""
    fresh: NDArray[np.bool_]
    """(count,): whether it arrived during the last call of `step`."""
    data: dict[str, NDArray[Any]]
    """All arrays by name."""
    def __getattr__(self, name: str) -> NDArray[Any]: ...

@final
class Path:
    """A line of points (n, 2) [m] that positions are projected onto; `closed` joins its ends. `left`, `right`: free width to each side [m] at every point, or one for all."""

    def __init__(self, points: ArrayLike, *, closed: bool = False, left: ArrayLike | None = None, right: ArrayLike | None = None) -> None: ...
    @staticmethod
    def from_file(file: str | PathLike[str], *, closed: bool = False, header: str | None = None) -> Path:
        """The line of a waypoint file, a track or a racing line (docs/tracking.md), with its widths. `header`: of a file without one, such as `"x_m,y_m"`.

        Warns of columns that disagree with the points or are not used. Raises CommandError.
        """

    points: NDArray[np.float64]
    """(n, 2) [m], as given."""
    closed: bool
    """Whether its ends are joined."""
    length: float
    """Of the line [m]."""
    def project(self, x: ArrayLike, y: ArrayLike) -> NDArray[np.void]:
        """The nearest points of the line: a structured array of the shape of x with `s` (arc length [m]), `offset` (to the left positive [m]), `heading` [rad], `curvature` [1/m], `left`, `right` [m]."""

    def track(self, x: ArrayLike, y: ArrayLike, yaw: float) -> NDArray[np.void]:
        """As `project`, for positions (n,) of a vehicle one after the other, the first with heading `yaw` [rad]: each is looked for near the one before, so that where the line crosses itself or runs beside itself the arc length does not jump to its other part."""

    def at(self, s: ArrayLike) -> NDArray[np.void]:
        """The points at arc lengths `s` [m] (taken modulo the length if closed, else limited): `x y heading curvature left right`."""

def viewer_command(numbers: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The command with the numbers of `World.command` as viewers send it, and the one that stops the vehicle; steering hinges stay. Raises CommandError."""

def command() -> list[str]:
    """The words that started this program in Python: `python drive.py 3`, `python -m drive 3`, or `python` alone where somebody types."""

def main(arguments: Sequence[str], called: str = "skidpad") -> int:
    """Runs the program `skidpad` (without ROS) with these arguments, without its name; returns its exit status. `called`: how a shell calls it, for the script of
    completions."""

def identify(
    config: str | PathLike[str],
    folders: Sequence[str | PathLike[str]],
    data: str | PathLike[str],
    *,
    start: Mapping[str, float],
    seed: int,
    budget: int | None = None,
) -> dict[str, float | bool]:
    """Fits a class as `skidpad identify` does, for `skidpad.sweep.identification`. `folders`: of class files; `data`: of recordings. `start`: where the search for unknowns starts, by name;
    `seed`: of the search over the whole ranges; `budget`: most evaluations. Returns `NAME value`, `NAME half_width` (of its 95 % interval) and `NAME is_determined` of each unknown, and the RMS errors of prediction.
    Raises SkidpadError."""

@final
class Scenario:
    """A scenario with its runs, read and checked, for `skidpad.testing`.

    `path`: its YAML file, or with `text` the name that stands for one in messages and the folder of its files; `places`: the key in each line of `text`, which messages name.
    Raises ScenarioError.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        text: str | None = None,
        places: Sequence[str] | None = None,
        seed: int | None = None,
        set: Mapping[str, object] | None = None,
        only: str | None = None,
        repeat: int | None = None,
    ) -> None: ...

    name: str
    """Its name: the key `name`, or the stem of its file."""
    runs: list[str]
    """The names of its runs, in their order."""
    def broken(self, index: int, why: str) -> ScenarioRecord:
        """The record of a run that could not be made, for this reason."""

@final
class ScenarioRecord:
    """What a run of a scenario came to, with all that reports are made from: the record that `chunk` has packed."""

    def __init__(self, chunk: bytes) -> None: ...
    def chunk(self) -> bytes:
        """All of it as bytes, for another process with the same version."""
    def json(self) -> str:
        """Its fields as a JSON object; docs/scenario-reports.md describes them."""

    reasons: list[str]
    """Why it did not pass, a text for each reason; empty if it did."""
    explained: list[str]
    """The reasons, why the run ended, and the commands that make it again and show its recording: the lines of a failure in JUnit XML."""

def run_cases(cases: Sequence[tuple[Scenario, int]], *, jobs: int | None = None, out: str | PathLike[str] | None = None, keep: str = "failed") -> list[ScenarioRecord]:
    """Makes runs of scenarios, each given by its index in `runs`, `jobs` of them side by side (None: one for each processor), which does not change results. `out`: folder for the
    recordings of those that `keep` names, `failed`, `all` or `none`. Returns their records in the same order. Without the GIL; Ctrl-C ends them all. Raises ScenarioError."""

def compare_repetitions(records: Sequence[ScenarioRecord]) -> list[ScenarioRecord]:
    """The records, where a repetition with other bits than the first of its run has failed; `run_cases` has compared its own."""

def write_report(path: str | PathLike[str], kind: str, records: Sequence[ScenarioRecord]) -> None:
    """Writes a report of runs: `junit`, `json`, `csv` or `page`. Raises ScenarioError."""

def read_yaml(path: str | PathLike[str]) -> str:
    """A scenario's file as JSON, to change keys of it. Raises ScenarioError."""
