//! The player: what viewers receive, and how it carries out orders.

use std::sync::Arc;
use std::time::{Duration, Instant};

use skidpad_server::hub::{Hub, Pilot};

use super::*;

/// An order to a player, and the result.
#[track_caller]
fn order(pilot: &dyn Pilot, order: &str) -> Result<f64, String> {
    let (sender, receiver) = std::sync::mpsc::channel();
    let order = serde_json::from_str(order).unwrap();
    pilot.carry_out(order, Box::new(move |answer| drop(sender.send(answer))));
    receiver.recv_timeout(Duration::from_secs(20)).unwrap().map(|done| (done.time * 1e6).round() / 1e6)
}

#[test]
fn a_player_carries_out_orders_that_suit_a_recording_and_refuses_others() {
    let taken = take(CAR, RecordOptions::default());
    let hub = Arc::new(Hub::new());
    let options = PlayOptions { start: Some(SimTime::from_secs(0.5)), ..PlayOptions::default() };
    let player = Player::start(Replay::open(&taken.path).unwrap(), Arc::clone(&hub), options).unwrap();
    let pilot = player.pilot();
    let pilot = &*pilot;
    let seen = || (hub.look(Clone::clone), hub.look_at_scans(<[_]>::to_vec));
    let status = || hub.status().borrow().clone();
    assert_eq!((seen().0.time, seen().1.len()), (SimTime(500_000_000), 1));
    let span = status().span.unwrap();
    assert!((span.start, span.end) == (0.02, 2.0) && !status().paused);
    assert!(order(pilot, r#"{"do": "step", "count": 1}"#).unwrap_err().starts_with("step: the replay is running\n"));
    order(pilot, r#"{"do": "pause"}"#).unwrap();
    assert_eq!(order(pilot, r#"{"do": "seek", "time": 1.0}"#), Ok(1.0));
    assert_same(&seen().0, &taken.states[&1_000_000_000], 1);
    assert_eq!(seen().1[0].as_ref().unwrap().time, SimTime(1_000_000_000));
    assert_eq!(order(pilot, r#"{"do": "step", "count": 3}"#), Ok(1.06));
    assert_same(&seen().0, &taken.states[&1_060_000_000], 1);
    assert_eq!(order(pilot, r#"{"do": "step", "count": 100000}"#), Ok(2.0), "no further than the end");
    assert!(status().ended);
    assert_eq!(order(pilot, r#"{"do": "seek", "time": 0.5}"#), Ok(0.5));
    assert_same(&seen().0, &taken.states[&500_000_000], 1);
    assert_eq!(order(pilot, r#"{"do": "reset"}"#), Ok(0.02));
    assert_eq!(order(pilot, r#"{"do": "seek", "time": 1e9}"#), Ok(2.0));
    assert!(status().paused && status().real_time_factor == 0.0);
    for bad in [
        r#"{"do": "drive", "vehicle": 1, "speed": 1, "turn": 0}"#,
        r#"{"do": "place", "entity": 1, "x": 0, "y": 0, "z": null, "yaw": 0}"#,
        r#"{"do": "set_rate", "rate": null}"#,
        r#"{"do": "set_rate", "rate": -1}"#,
    ] {
        let refusal = order(pilot, bad).unwrap_err();
        assert!(refusal.contains("\n  accepted: "), "{bad}: {refusal}");
    }
    // A viewer that arrives during a pause gets the current state.
    let mut states = hub.states();
    states.mark_unchanged();
    hub.ask(true);
    wait("a state", || states.has_changed().unwrap());
    order(pilot, r#"{"do": "seek", "time": 0.1}"#).unwrap();
    order(pilot, r#"{"do": "set_rate", "rate": 0.01}"#).unwrap();
    order(pilot, r#"{"do": "resume"}"#).unwrap();
    assert_eq!((status().rate, status().real_time_factor), (Some(0.01), 0.01));
    order(pilot, r#"{"do": "set_rate", "rate": 4}"#).unwrap();
    let mut last = 0;
    wait("the end", || {
        hub.ask(true);
        let (state, _) = seen();
        assert!(state.time.0 >= last, "{} after {last}", state.time.0);
        last = state.time.0;
        assert_same(&state, &taken.states[&last], 1);
        status().ended
    });
    assert_eq!((last, status().paused, status().time), (2_000_000_000, true, 2.0));
    assert_eq!(seen().1[0].as_ref().unwrap().time, SimTime(2_000_000_000));
    order(pilot, r#"{"do": "set_rate", "rate": 0.01}"#).unwrap();
    order(pilot, r#"{"do": "resume"}"#).unwrap();
    assert!(status().time < 0.1 && !status().ended, "from the start again: {:?}", status());
    let kept = player.pilot();
    drop(player);
    assert_eq!(order(&*kept, r#"{"do": "pause"}"#), Err("the replay has ended".into()));
}

#[test]
fn time_starts_with_the_first_viewer_and_continues_without_one() {
    let taken = take(CAR, RecordOptions::default());
    let hub = Arc::new(Hub::new());
    let player = Player::start(Replay::open(&taken.path).unwrap(), Arc::clone(&hub), PlayOptions::default()).unwrap();
    let pilot = player.pilot();
    let pause = || std::thread::sleep(Duration::from_millis(300));
    pause();
    let begun = Instant::now();
    let first = order(&*pilot, r#"{"do": "set_rate", "rate": 0.5}"#).unwrap();
    assert!((0.02..0.12).contains(&first), "{first}: nobody was there before");
    pause();
    let resumed = order(&*pilot, r#"{"do": "resume"}"#).unwrap();
    let most = 0.001 + first + 0.5 * begun.elapsed().as_secs_f64();
    assert!((0.16..most).contains(&resumed), "{resumed}, up to {most}");
    // Requests of viewers for more data are not orders and end nothing.
    let watch = order(&*pilot, r#"{"do": "watch", "rate": 30, "points": "none", "stride": 1}"#).unwrap_err();
    assert_eq!(watch, "watch: only viewers watch\n  accepted: over /api/socket");
    // From one instant to the next it takes 20 s.
    order(&*pilot, r#"{"do": "set_rate", "rate": 0.001}"#).unwrap();
    // A reader that holds the state does not block the player, and later instants are not lost.
    hub.look(|state| {
        assert_eq!(order(&*pilot, r#"{"do": "seek", "time": 1.5}"#).map(|time| time.round()), Ok(2.0));
        assert!(state.time < SimTime::from_secs(1.0));
    });
    wait("the state of then", || hub.look(|state| state.time >= SimTime::from_secs(1.49)));
    for _ in 0..3 {
        let mut states = hub.states();
        states.mark_unchanged();
        hub.ask(false);
        wait("a state between two instants", || states.has_changed().unwrap());
    }
}

#[track_caller]
fn wait(event: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(20), "no {event}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_repeating_recording_restarts_at_its_end() {
    let taken = take(CAR, RecordOptions::default());
    let hub = Arc::new(Hub::new());
    let options =
        PlayOptions { rate: 8.0, repeats: true, start: Some(SimTime::from_secs(1.5)), ..PlayOptions::default() };
    let _player = Player::start(Replay::open(&taken.path).unwrap(), Arc::clone(&hub), options).unwrap();
    let time = || hub.look(|state| state.time.secs());
    // It waits for a viewer.
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(time(), 1.5);
    wait("beginning", || {
        hub.ask(false);
        time() < 1.0
    });
    assert!(!hub.status().borrow().ended);
}
