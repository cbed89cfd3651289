"""The MIT racecar: a Traxxas rally car of scale 1:10 whose body gave way to a deck with computer, lidar and camera."""

from __future__ import annotations

from mesh import Model
from shapes import box
from wheels import spoked_rim, tyre


def wheel() -> Model:
    """A wheel of 0.1 m by 0.045 m."""
    model = Model()
    model.add("rubber", tyre(0.05, 0.045, 0.031))
    model.merge(spoked_rim(0.031, 0.045, 6, 0.009))
    return model


def body() -> Model:
    """Everything but the wheels; the origin is below the middle of the rear axle."""
    model = Model()
    model.add("dark", box((-0.09, -0.05, 0.03), (0.42, 0.05, 0.036), 0.002))
    return model
