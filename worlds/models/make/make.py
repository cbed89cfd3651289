#!/usr/bin/env python3
"""Makes the models of vehicles and things that the example worlds show: worlds/models/*.glb.

Usage: make.py [DIRECTORY]     (default: the directory above this script)

Needs nothing but Python 3. Scripts have x ahead, y to the left, z up, in metres; the origin of a body is the reference point of its vehicle class,
on the ground, that of a wheel its middle, that of a thing where its block class in worlds/blocks says. What each file draws says the script of its vehicle or thing.
"""

import sys
from collections.abc import Callable
from functools import partial
from itertools import chain
from pathlib import Path

sys.dont_write_bytecode = True

import car
import f1tenth
import farm
import openwheel
import outdoor_things
import racecar
import tags
import truck
import warehouse_things
from glb import glb
from mesh import Model
from person import person
from robots import ROBOTS

# Wheels are called as their body, with _wheel behind. A file has at most 60 kB.
MODELS: dict[str, Callable[[], Model]] = {
    **ROBOTS,
    "av21": openwheel.body,
    "av21_wheel": openwheel.rear_wheel,
    "av21_wheel_front": openwheel.front_wheel,
    "cart": farm.cart,
    "cart_wheel": farm.cart_wheel,
    "compact_car": partial(car.body, car.COMPACT),
    "compact_car_wheel": partial(car.wheel, car.COMPACT),
    "f1tenth": f1tenth.body,
    "f1tenth_wheel": f1tenth.wheel,
    "racecar": racecar.body,
    "racecar_wheel": racecar.wheel,
    "road_car": partial(car.body, car.ROAD),
    "road_car_wheel": partial(car.wheel, car.ROAD),
    "tractor": farm.tractor,
    "tractor_wheel": farm.rear_wheel,
    "tractor_wheel_front": farm.front_wheel,
    "truck": truck.body,
    "truck_wheel": truck.wheel,
    **warehouse_things.THINGS,
    **outdoor_things.THINGS,
    # Other numbers: tags.py.
    **{f"{family}_{number}": partial(tags.board, family, number) for family in ("tag36h11", "aruco") for number in range(20)},
}


def main() -> None:
    """Writes all of them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    contents = ((name, glb(make())) for name, make in MODELS.items())
    for name, content in chain(contents, [("person", person())]):
        (folder / f"{name}.glb").write_bytes(content)
        print(f"{name}.glb  {len(content) / 1000:.1f} kB")


if __name__ == "__main__":
    main()
