//! A second recording beside the first.

use skidpad_sim::world::{SpawnRequest, SpawnSource};

use super::*;

/// A recording with a ghost, and what is to be known of it.
fn with_ghost(main: &Taken, ghost: &Taken, offset: f64) -> (Playback, Vec<String>, String) {
    let [main, ghost] = [main, ghost].map(|taken| Replay::open(&taken.path).unwrap());
    let ghost = Ghost::new(ghost, &main, SimTime::from_secs(offset));
    let notes = ghost.notes(&main).iter().map(ToString::to_string).collect();
    let about = ghost.to_string();
    (Playback::with_ghost(main, ghost), notes, about)
}

fn now(playback: &mut Playback) -> ViewState {
    let mut state = ViewState::default();
    playback.fill(&mut state);
    state
}

fn place(state: &ViewState, vehicle: usize) -> [f64; 2] {
    ["x", "y"].map(|name| value(state, vehicle, None, name))
}

#[track_caller]
fn assert_near(actual: [f64; 2], wanted: [f64; 2]) {
    let apart = (actual[0] - wanted[0]).hypot(actual[1] - wanted[1]);
    // Between two poses that are 1/30 s apart the chord of a curve is nearly the curve.
    assert!(apart < 2e-3, "{actual:?} {wanted:?}");
}

#[test]
fn a_run_recorded_at_another_rate_lies_on_itself() {
    let main = take(CAR, RecordOptions::default());
    let ghost = take(CAR, RecordOptions { odometry_rate: Some(30.0), ..RecordOptions::default() });
    let start = |taken: &Taken| Replay::open(&taken.path).unwrap().span().0;
    // Each starts with its first pose.
    let offset = start(&main) - start(&ghost);
    let (mut playback, notes, _) = with_ghost(&main, &ghost, offset.secs());
    assert_eq!(notes, Vec::<String>::new());
    for time in [0.1, 1.98, 0.7, 1.0, 1.02, 1.04, 0.5] {
        playback.seek(SimTime::from_secs(time));
        let state = now(&mut playback);
        assert_eq!(state.time, SimTime::from_secs(time));
        assert_near(place(&state, 1), place(&state, 0));
        assert!((value(&state, 1, None, "vx") - value(&state, 0, None, "vx")).abs() < 0.1);
    }
    // Stepping leads to the instants of the recording, not to those of the ghost.
    assert!(playback.step());
    assert_eq!(now(&mut playback).time, SimTime::from_secs(0.52));
}

#[test]
fn a_ghost_is_a_vehicle_of_the_scene_that_nobody_can_take_for_another() {
    let main = take(CAR, RecordOptions::default());
    let (playback, ..) = with_ghost(&main, &main, 0.0);
    let shown = playback.shown();
    let [car, ghost] = &shown.scene.vehicles[..] else { panic!("{:?}", shown.scene.vehicles) };
    assert_eq!((car.name.as_str(), car.ghost.as_ref(), car.sensors.len()), ("car", None, 1));
    assert_eq!((ghost.name.as_str(), ghost.is_movable, ghost.sensors.len()), ("x.mcap", false, 0));
    let about = ghost.ghost.as_ref().unwrap();
    assert_eq!((about.file.as_str(), about.vehicle.as_str()), ("x.mcap", "car"));
    assert_eq!((about.span, about.other_span), ([0.02, 2.0], [0.02, 2.0]));
    let ids: BTreeSet<u64> = shown.scene.vehicles.iter().map(|vehicle| vehicle.id).collect();
    assert!(ids.len() == 2 && shown.scene.blocks.iter().all(|block| !ids.contains(&block.id)), "{ids:?}");
    // Its document is as before for those that know no ghosts, and a recording alone is as without this.
    let alone = Playback::from(Replay::open(&main.path).unwrap());
    assert_eq!(alone.shown().scene.vehicles[..], *std::slice::from_ref(car));

    let two = format!("{CAR}{}", CAR.replace("\"car\"", "\"van\"").replace("wall", "door"));
    let main = take(&two, RecordOptions::default());
    let names = |playback: &Playback| {
        playback.shown().scene.vehicles.iter().map(|vehicle| vehicle.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&with_ghost(&main, &main, 0.0).0), ["car", "van", "x.mcap: car", "x.mcap: van"]);

    // Results of two experiments often have files of the same name.
    let other = take(CAR, RecordOptions::default());
    let folder = other.path.parent().unwrap().file_name().unwrap().to_string_lossy();
    assert_eq!(names(&with_ghost(&main, &other, 0.0).0)[2], format!("{folder}/x.mcap"));
}

#[test]
fn with_an_offset_one_of_the_two_waits_or_stands() {
    let taken = take(CAR, RecordOptions::default());
    let at = |time: f64| place(&taken.states[&SimTime::from_secs(time).0], 0);
    let (mut late, _, about) = with_ghost(&taken, &taken, -0.5);
    assert!(
        about
            .ends_with("from 0.520 s to 2.500 s of the main recording; it starts 0.500 s later; it ends 0.500 s later"),
        "{about}"
    );
    assert_eq!(late.span(), (SimTime::from_secs(0.02), SimTime::from_secs(2.5)));
    for (time, car, ghost) in [(0.3, 0.3, 0.02), (1.0, 1.0, 0.5), (2.25, 2.0, 1.75), (9.0, 2.0, 2.0), (0.7, 0.7, 0.2)] {
        late.seek(SimTime::from_secs(time));
        let state = now(&mut late);
        assert_eq!(state.time, SimTime::from_secs(time.min(2.5)));
        assert_near(place(&state, 0), at(car));
        assert_near(place(&state, 1), at(ghost));
        // Who waits or is at its end stands.
        for (vehicle, drives) in [(0, time <= 2.0), (1, (0.52..=2.5).contains(&time.min(2.5)))] {
            let speed = value(&state, vehicle, None, "vx");
            assert!(if drives { speed > 0.0 } else { speed == 0.0 }, "{time}: {vehicle} at {speed}");
        }
    }
    // After the end of the recording steps are those of the ghost.
    late.seek(SimTime::from_secs(2.0));
    assert!(late.step());
    assert_eq!((now(&mut late).time, late.now()), (SimTime::from_secs(2.02), SimTime::from_secs(2.02)));
    late.seek(SimTime::from_secs(2.5));
    assert!(!late.step());

    let (mut early, _, about) = with_ghost(&taken, &taken, 0.5);
    assert!(about.ends_with("; it ends 0.500 s earlier"), "{about}");
    assert_eq!(early.span().1, SimTime::from_secs(2.0));
    early.seek(SimTime::from_secs(1.8));
    assert_near(place(&now(&mut early), 1), at(2.0));
}

#[test]
fn another_place_is_named() {
    let plain = take(CAR, RecordOptions::default());
    let walled = take(
        &format!(
            "{CAR}<element class=\"horizontal_plane\"><x_min>-5</x_min><x_max>5</x_max><y_min>-5</y_min><y_max>5</y_max></element>"
        ),
        RecordOptions::default(),
    );
    let (_, notes, _) = with_ghost(&plain, &walled, 0.0);
    let [note] = &notes[..] else { panic!("{notes:?}") };
    assert!(note.contains("x.mcap: recorded in another version of w.xml: its "), "{note}");
    assert!(
        note.contains("\n  accepted: recordings of one world\n  hint: its vehicles are drawn at their recorded poses"),
        "{note}"
    );

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("other.mcap");
    let mut elsewhere = World::load_text(
        "yard.xml",
        Path::new("."),
        &format!("<mvsim_world>{CAR}</mvsim_world>"),
        &LoadOptions::default(),
    )
    .unwrap()
    .0;
    record(&path, &mut elsewhere);
    let main = Replay::open(&plain.path).unwrap();
    let ghost = Ghost::new(Replay::open(&path).unwrap(), &main, SimTime::default());
    let note = ghost.notes(&main)[0].to_string();
    assert!(note.contains("other.mcap: recorded in yard.xml, and "), "{note}");
}

/// A second of a world that stands.
fn record(path: &Path, world: &mut World) {
    let mut recorder = Recorder::create(path, RecordOptions::default()).unwrap();
    recorder.start(world.scene()).unwrap();
    for _ in 0..100 {
        world.step().unwrap();
        recorder.frame(world.scene(), world.frame()).unwrap();
    }
    recorder.finish().unwrap();
}

#[test]
fn where_the_scene_of_the_ghost_changes_viewers_get_a_new_one() {
    let main = take(CAR, RecordOptions::default());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changing.mcap");
    let mut world = world(CAR);
    let mut recorder = Recorder::create(&path, RecordOptions::default()).unwrap();
    recorder.start(world.scene()).unwrap();
    for step in 0..300 {
        if step == 200 {
            let text = CAR.split("<block").next().unwrap().replace("car", "guest").replace("1 2 30", "-5 -5 0");
            let source = SpawnSource::Xml { text, directory: ".".into(), label: "guest".into() };
            let request = SpawnRequest { name: "guest".into(), source, pose: None };
            world.spawn(world.catalogue().recipe(&request).unwrap()).unwrap();
            recorder.scene_changed(world.scene()).unwrap();
        }
        world.step().unwrap();
        recorder.frame(world.scene(), world.frame()).unwrap();
    }
    recorder.finish().unwrap();
    let first = Replay::open(&main.path).unwrap();
    let ghost = Ghost::new(Replay::open(&path).unwrap(), &first, SimTime::default());
    let mut playback = Playback::with_ghost(first, ghost);
    let mut revisions = BTreeSet::new();
    for (time, count) in [(0.5, 2), (1.2, 3), (0.9, 2), (1.9, 3)] {
        playback.seek(SimTime::from_secs(time));
        let (shown, state) = (playback.shown(), now(&mut playback));
        assert_eq!(shown.revision(), state.revision);
        assert_eq!(shown.scene.vehicles.len(), count, "{time}");
        let size = count * (VEHICLE.len() + 4 * WHEEL.len()) + 6;
        assert_eq!(state.counts.len(), size, "{time}");
        revisions.insert((count, state.revision));
        let mut scans = Vec::new();
        playback.fill_scans(&mut scans);
        assert!(scans.len() == 1 && scans[0].as_ref().is_some_and(|scan| scan.revision == state.revision), "{scans:?}");
    }
    assert_eq!(revisions.len(), 2, "each scene has one revision: {revisions:?}");
}
