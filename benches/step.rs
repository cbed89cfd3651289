//! Time of one step of small worlds, for comparing changes of the code. `skidpad bench` measures whole worlds.

use criterion::{Criterion, criterion_group, criterion_main};
use skidpad::bench::Case;

fn steps(criterion: &mut Criterion) {
    for case in [Case::A, Case::B10, Case::C] {
        let mut world = match case.world() {
            Ok(world) => world,
            Err(error) => panic!("bench case {}: {error}", case.name()),
        };
        criterion.bench_function(&format!("step {}", case.name()), |bencher| bencher.iter(|| world.step().is_ok()));
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
