//! Waypoint files made of the pieces of good ones: they are read or refused, and what is read has finite motions, borders and laps.

use skidpad::analysis::laps::{Course, LapCounter, LapParameters};

use super::{MIB, text_of, within};

#[test]
fn waypoints_are_read() {
    const PIECES: &[&str] = &[
        "# x_m,y_m,w_tr_right_m,w_tr_left_m\n",
        "# s_m; x_m; y_m; psi_rad; kappa_radpm; vx_mps; ax_mps2\n",
        "x_m;y_m;vx_mps\n",
        "time,x,y\n",
        "x,y\n",
        "0;0;0;0;0;1;0\n",
        "1;1;0;9;1;0;0\n",
        "0,0,1,1\n",
        "1e9,0,1,1\n",
        "0;0;1\n",
        "1;0;0\n",
        "0,",
        "1e-7",
        ";",
        "#",
        "\n",
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("line.csv");
    attempt!(2000, 60, |input: &[u8]| {
        std::fs::write(&path, text_of(input, PIECES)).unwrap();
        for closed in [false, true] {
            let mut parameters = skidpad::trajectory::TrajectoryParameters {
                trajectory_type: "waypoints".into(),
                file: "line.csv".into(),
                closed,
                ..Default::default()
            };
            within(MIB, || {
                if skidpad::waypoint_file::load(&mut parameters, folder.path()).is_ok()
                    && let Ok(trajectory) = skidpad::trajectory::build(&parameters)
                {
                    let end = trajectory.duration().unwrap_or(10.0);
                    for part in 0..8 {
                        let sample = trajectory.at(end * f64::from(part) / 7.0);
                        assert!(sample.position.x.is_finite() && sample.velocity.norm().is_finite(), "{sample:?}");
                    }
                    let _ = skidpad::trajectory::Track::of(&parameters)
                        .map(|track| track.margin(parameters.points[0].position));
                    let course = Course::of(&parameters, &LapParameters::default());
                    if let Ok(Some(course)) = course {
                        let mut counter = LapCounter::new(course);
                        for part in 0..24_u32 {
                            let time = f64::from(part);
                            counter.push(time, trajectory.at(end * time / 11.0).position, 1.0);
                        }
                        assert!(counter.into_laps().laps.iter().all(|lap| lap.duration.is_finite()));
                    }
                }
            });
        }
    });
}
