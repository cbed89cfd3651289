//! Names of topics, of the node and of recordings, as one table: skidpad's own, and those of systems it stands in for.

/// The topics of the study and of the racecar in Gazebo (seed 004, §4.2; mit-racecar/racecar_gazebo).
pub mod racecar {
    /// `nav_msgs/msg/Odometry` of the car.
    pub const ODOMETRY: &str = "/vesc/odom";
    /// The same again, as the "better odometry".
    pub const BETTER_ODOMETRY: &str = "/pf/pose/odom";
    /// `std_msgs/msg/Float64MultiArray` x, y [m], time [s]: where the reference point shall be.
    pub const REFERENCE_TRAJECTORY: &str = "/reference_trajectory";
    /// `std_msgs/msg/Float64MultiArray` vx, vy [m/s], time [s]: the velocity that point P shall have.
    pub const VIRTUAL_VELOCITIES: &str = "/virtual_velocities";
    /// `ackermann_msgs/msg/AckermannDriveStamped` of the linearizers.
    pub const NAVIGATION: &str = "/vesc/ackermann_cmd_mux/input/navigation";
    /// What the study calls the wheels that skidpad calls `rl_wheel`, `rr_wheel`, `fl_wheel`, `fr_wheel`.
    pub const WHEELS: [(&str, &str); 4] = [
        ("rl_wheel", "left_rear"),
        ("rr_wheel", "right_rear"),
        ("fl_wheel", "left_front"),
        ("fr_wheel", "right_front"),
    ];
    /// Topics `std_msgs/msg/Float64` of a wheel are called `/<quantity>_pub/<wheel>`: slip ratio [-], slip angle [rad],
    /// longitudinal and lateral force [N].
    pub const WHEEL_QUANTITIES: [&str; 4] = ["long", "lat", "fx", "fy"];
}
