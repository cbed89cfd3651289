//! Steps per second of the single track on Pacejka tyres, one RK4 step of 1 ms each, slaloming at 20 m/s.
//!
//! `cargo bench --bench single_track`; one thread.
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use skidpad::math::Vec2;
use skidpad::vehicle::drive::single_track::law::{
    SingleTrack, SingleTrackInput, SingleTrackParameters, SingleTrackState, TyreModel,
};
use skidpad::vehicle::integrate::Integrator;

fn steps(criterion: &mut Criterion) {
    let tyres = [
        ("linear", TyreModel::Linear),
        ("fiala", TyreModel::Fiala { saturates: true }),
        ("pacejka", TyreModel::Pacejka { b: None, c: 1.45, e: 0.97 }),
    ];
    let mut group = criterion.benchmark_group("single track");
    for (name, tyres) in tyres {
        let parameters = SingleTrackParameters {
            mass: 1160.0,
            yaw_inertia: 1600.0,
            cog_to_front: 1.4,
            cog_to_rear: 1.2,
            cog_height: 0.5,
            front_stiffness: 75e3,
            rear_stiffness: 85e3,
            mu: 0.9,
            tyres,
            speed_lag: 0.3,
            max_acceleration: 4.0,
            blend_speeds: [0.5, 1.5],
            substep: 1e-3,
            integrator: Integrator::Rk4,
        };
        let car = SingleTrack::new(parameters, 9.81);
        let mut state = SingleTrackState { speed: 20.0, ..SingleTrackState::default() };
        let mut input = SingleTrackInput {
            speed: 20.0,
            steering_angle: 0.0,
            gravity_in_body: Vec2::ZERO,
            gravity_into_ground: 9.81,
            mu: [0.9; 2],
        };
        let mut count: u32 = 0;
        group.throughput(Throughput::Elements(1));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                count = count.wrapping_add(1);
                input.steering_angle = if count & 1024 == 0 { 0.03 } else { -0.03 };
                state = car.advance(black_box(state), &input, 1e-3);
                state
            });
        });
    }
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
