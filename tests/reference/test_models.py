"""The single track of skidpad, run as a program, against integrators and models that others wrote.

* CommonRoad's single-track model (PyPI commonroad-vehicle-models), parameter set 2, integrated by scipy over the same inputs:
  within 1 % of the way over 10 s below 0.6 g. Its stiffness is p_ky1 times the load, C = 21.92/rad*m*g*b/L in front.
* The equations of docs/single_track.md written out here once more, integrated by scipy's DOP853: to its tolerance.

Run by `make test-reference`, which sets SKIDPAD_BIN.
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from vehicle_log import columns, drive
from vehiclemodels.parameters_vehicle2 import parameters_vehicle2
from vehiclemodels.vehicle_dynamics_st import vehicle_dynamics_st

G = 9.81
DT = 0.005
SECONDS = 10.0
PARAMETERS = parameters_vehicle2()
MASS, INERTIA = PARAMETERS.m, PARAMETERS.I_z
A, B = PARAMETERS.a, PARAMETERS.b
LENGTH = A + B
STIFFNESS = -PARAMETERS.tire.p_ky1 * MASS * G / LENGTH
CF, CR = STIFFNESS * B, STIFFNESS * A
MU = PARAMETERS.tire.p_dy1


def skidpad(folder, dynamics, speed, commands):
    """Runs a car at this speed with rows of (time, speed, steering angle); rows of time, x, y, yaw, vx, vy, yaw rate."""
    # The reference point is the centre of gravity.
    world = f"""<mvsim_world version="1.0"><simul_timestep>{DT}</simul_timestep>
      <vehicle name="car"><init_pose>0 0 0</init_pose><dynamics class="single_track">
        <rl_wheel pos="{-B!r} 0.7" mass="15" diameter="0.6"/> <rr_wheel pos="{-B!r} -0.7" mass="15" diameter="0.6"/>
        <fl_wheel mass="15" diameter="0.6"/> <fr_wheel mass="15" diameter="0.6"/>
        <f_wheels_x>{A!r}</f_wheels_x> <f_wheels_d>1.4</f_wheels_d> <max_steer_ang_deg>60</max_steer_ang_deg>
        <chassis mass="{MASS - 60!r}" com="0 0"/>
        <m>{MASS!r}</m> <Iz>{INERTIA!r}</Iz> <cog_a>{A!r}</cog_a> <Cf>{CF!r}</Cf> <Cr>{CR!r}</Cr> <mu>{MU!r}</mu>
        <v0>{speed!r}</v0> {dynamics}
      </dynamics></vehicle></mvsim_world>"""
    orders = "time,vehicle,speed,steering_angle\n" + "".join(f"{t!r},car,{v!r},{d!r}\n" for t, v, d in commands)
    logs = drive(folder, world, orders, SECONDS)
    table = columns(logs / "car_pose.csv", ["Timestamp", "q0x", "q1y", "q3yaw", "dqx", "dqy", "dqw"])
    assert len(table) == round(SECONDS / DT)
    return table


def times():
    return [round(k * DT, 9) for k in range(round(SECONDS / DT))]


# Steering angle [rad] and its rate [rad/s] over time, at a speed [m/s] that gives up to 0.6 g.
MANOEUVRES = {
    "ramp and hold": (15.0, lambda t: 0.05 * min(t / 2.0, 1.0), lambda t: 0.025 if t < 2.0 else 0.0),
    "slalom": (20.0, lambda t: 0.025 * math.sin(2.0 * t), lambda t: 0.05 * math.cos(2.0 * t)),
    "weave": (10.0, lambda t: 0.08 * math.sin(0.8 * t) ** 2, lambda t: 0.064 * math.sin(1.6 * t)),
    "slow circle": (5.0, lambda t: 0.2 * (1 - math.exp(-t)), lambda t: 0.2 * math.exp(-t)),
}


def commonroad(speed, rate, acceleration, load_transfer):
    """CommonRoad's states at the ends of the steps, under a steering rate and an acceleration over time."""
    parameters = parameters_vehicle2()
    if not load_transfer:
        parameters.h_s = 0.0
    solution = solve_ivp(
        lambda t, x: vehicle_dynamics_st(x, [rate(t), acceleration(t)], parameters),
        (0.0, SECONDS), [0.0, 0.0, 0.0, speed, 0.0, 0.0, 0.0], t_eval=np.append(times()[1:], SECONDS), max_step=0.02,
        rtol=1e-7, atol=1e-9)
    assert solution.success
    return solution.y.T


def agree_within_a_percent(own, expected_rows):
    length = np.sum(np.hypot(np.diff(own[:, 1]), np.diff(own[:, 2])))
    apart = np.max(np.hypot(own[:, 1] - expected_rows[:, 0], own[:, 2] - expected_rows[:, 1]))
    assert apart < 0.01 * length, f"{apart} m apart on {length} m"
    for name, actual, expected in [("yaw", own[:, 3], expected_rows[:, 4]), ("yaw rate", own[:, 6], expected_rows[:, 5])]:
        scale = np.max(np.abs(expected))
        assert np.max(np.abs(actual - expected)) < 0.01 * scale, name


@pytest.mark.parametrize("name", MANOEUVRES)
def test_it_drives_as_commonroads_single_track_at_constant_speed(tmp_path, name):
    speed, angle, rate = MANOEUVRES[name]
    # An angle holds for a step: that of its middle.
    commands = [(t, speed, angle(t + 0.5 * DT)) for t in times()]
    own = skidpad(tmp_path, "<max_acceleration>0</max_acceleration>", speed, commands)
    assert 0.05 * G < np.max(np.abs(speed * own[:, 6])) < 0.6 * G
    agree_within_a_percent(own, commonroad(speed, rate, lambda t: 0.0, load_transfer=True))


def test_it_drives_as_commonroads_single_track_while_it_accelerates_and_brakes(tmp_path):
    # CommonRoad's stiffness follows the load, which ours does not: without height of the centre of gravity.
    def pull(t):
        return 1.5 if t < 5.0 else -2.0

    def speed(t):
        return 8.0 + 1.5 * t if t < 5.0 else 15.5 - 2.0 * (t - 5.0)

    _, angle, rate = MANOEUVRES["slalom"]
    commands = [(t, speed(t + 0.5 * DT), angle(t + 0.5 * DT)) for t in times()]
    own = skidpad(tmp_path, "<max_acceleration>0</max_acceleration>", 8.0, commands)
    agree_within_a_percent(own, commonroad(8.0, rate, pull, load_transfer=False))


def linear(stiffness, slip, most):
    return stiffness * slip


def fiala(stiffness, slip, most):
    z = math.tan(slip)
    if abs(z) >= 3 * most / stiffness:
        return math.copysign(most, z)
    return stiffness * z - stiffness**2 * abs(z) * z / (3 * most) + stiffness**3 * z**3 / (27 * most**2)


def fiala_unsaturated(stiffness, slip, most):
    limit = 6 * most / stiffness
    z = min(max(math.tan(slip), -limit), limit)
    return stiffness * z - stiffness**2 * abs(z) * z / (3 * most) + stiffness**3 * z**3 / (27 * most**2)


def pacejka(stiffness, slip, most):
    c, e = 1.45, 0.97
    x = stiffness / (c * static_most(stiffness)) * slip
    return most * math.sin(c * math.atan(x - e * (x - math.atan(x))))


def static_most(stiffness):
    return MU * MASS * G * (B if stiffness == CF else A) / LENGTH


def equations(tyre, height, lag, most_acceleration, command, delta):
    def derivative(_, s):
        _, _, yaw, r, beta, v = s
        wanted = (command - v) / lag
        limit = min(most_acceleration, MU * G)
        acceleration = min(max(wanted, -limit), limit)
        front_load = MASS * (G * B - height * acceleration) / LENGTH
        rear_load = MASS * (G * A + height * acceleration) / LENGTH
        front_slip = math.atan((v * math.sin(beta) + A * r) / (v * math.cos(beta))) - delta
        rear_slip = math.atan((v * math.sin(beta) - B * r) / (v * math.cos(beta)))
        front, rear = -tyre(CF, front_slip, MU * front_load), -tyre(CR, rear_slip, MU * rear_load)
        return [
            v * math.cos(yaw + beta),
            v * math.sin(yaw + beta),
            r,
            (A * front * math.cos(delta) - B * rear) / INERTIA,
            (front * math.cos(delta - beta) + rear * math.cos(beta)) / (MASS * v) - r,
            acceleration,
        ]

    return derivative


@pytest.mark.parametrize("tyre", [linear, fiala, fiala_unsaturated, pacejka], ids=lambda tyre: tyre.__name__)
def test_rk4_solves_the_equations_to_the_tolerance_of_scipy(tmp_path, tyre):
    # Up to near the limit of the tyres; inputs hold for two seconds each.
    legs = [(15.0, 0.03), (20.0, -0.05), (14.0, 0.05), (18.0, -0.03), (8.0, 0.04)]
    height, lag, most = 0.5, 0.4, 5.0
    dynamics = f"""<tyre_model>{tyre.__name__}</tyre_model> <h_cog>{height}</h_cog> <speed_lag>{lag}</speed_lag>
        <max_acceleration>{most}</max_acceleration> <dt>0.001</dt>"""
    own = skidpad(tmp_path, dynamics, 12.0, [(2.0 * k, v, delta) for k, (v, delta) in enumerate(legs)])
    state, ends = [0.0, 0.0, 0.0, 0.0, 0.0, 12.0], []
    for k, (v, delta) in enumerate(legs):
        span = (2.0 * k, 2.0 * (k + 1))
        solution = solve_ivp(
            equations(tyre, height, lag, most, v, delta), span, state, method="DOP853", rtol=1e-10, atol=1e-10,
            max_step=0.02, t_eval=np.linspace(*span, 11)[1:])
        assert solution.success
        ends.extend(solution.y.T)
        state = solution.y[:, -1]
    expected = np.array(ends)
    # Corners of the laws (limits of acceleration, sliding) cost both integrators some of their order.
    rows = own[round(0.2 / DT) - 1 :: round(0.2 / DT)]
    beta, v = expected[:, 4], expected[:, 5]
    pairs = [
        ("x", rows[:, 1], expected[:, 0], 1e-4),
        ("y", rows[:, 2], expected[:, 1], 1e-4),
        ("yaw", rows[:, 3], expected[:, 2], 1e-5),
        ("yaw rate", rows[:, 6], expected[:, 3], 1e-5),
        ("vx", rows[:, 4], v * np.cos(beta), 1e-5),
        ("vy", rows[:, 5], v * np.sin(beta), 1e-4),
    ]
    for name, actual, wanted, tolerance in pairs:
        assert np.max(np.abs(actual - wanted)) < tolerance, f"{name}: {np.max(np.abs(actual - wanted))}"
