//! Throttle, brake and steering commands, service brakes, the steering actuator, air and rolling resistance.
