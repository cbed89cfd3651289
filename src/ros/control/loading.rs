//! What callers may have read, and for how long: loads run in threads of their own, each with a budget of time, and are called off when it
//! is spent or the node ends. The simulation never waits for one.
//!
//! What a caller sends is bound to the files and addresses of a [`Reach`]. A world or a class in a file below the folders counts as if a
//! user had named it, since only users put files there, but what stands in files is told to nobody.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

use super::outcome::{Outcome, Refusal};
use crate::assets::{Cancel, Reach};
use crate::ros::parameters::table::{Declaration, Kind, Parameters, number};

const FOLDERS: &str = "load_folders";
const ADDRESSES: &str = "load_addresses";
const TIMEOUT: &str = "load_timeout";

/// The parameters that say so; at the start only, since callers can set the others.
pub const DECLARATIONS: [Declaration; 3] = [
    Declaration::new(
        FOLDERS,
        Kind::Text { default: "" },
        "folders, parted by colons, below which callers over the network may name files; empty: those of worlds, and that of the \
         world at the start; /: all",
    )
    .at_start(),
    Declaration::new(
        ADDRESSES,
        Kind::Text { default: "" },
        "what addresses begin with, parted by blanks, that texts of callers over the network may have fetched, such as \
         https://host/models/; empty: none",
    )
    .at_start(),
    number(TIMEOUT, 60.0, [0.1, 3600.0], "how long [wall s] load_world and spawn_entity may read before they give up").at_start(),
];

/// Loads under way at a time, those counted that have been called off and have not noticed yet.
const AT_A_TIME: usize = 8;
/// How often a load that takes long looks whether somebody still waits for it.
const LOOK: Duration = Duration::from_millis(100);

/// Carries out the loads that callers ask for.
pub struct Loads {
    reach: Arc<Reach>,
    patience: Duration,
    places: Arc<Semaphore>,
    /// The process is ending.
    stop: Arc<AtomicBool>,
}

/// Calls a load off when the future that waits for it goes.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Loads {
    /// As the parameters say; `folders` count where they say nothing. `stop` calls all loads off.
    pub fn new(parameters: &Parameters, folders: Vec<PathBuf>, stop: Arc<AtomicBool>) -> Loads {
        let given = parameters.word(FOLDERS);
        let folders = if given.is_empty() { folders } else { std::env::split_paths(&given).collect() };
        let addresses = parameters.word(ADDRESSES).split_whitespace().map(str::to_owned).collect();
        let patience = Duration::from_secs_f64(parameters.number(TIMEOUT));
        Loads::within(Reach::new(folders, addresses), patience, stop)
    }

    /// Loads of what is in `reach`, each within `patience`.
    pub(super) fn within(reach: Reach, patience: Duration, stop: Arc<AtomicBool>) -> Loads {
        Loads { reach: Arc::new(reach), patience, places: Arc::new(Semaphore::new(AT_A_TIME)), stop }
    }

    /// What callers may name.
    pub fn reach(&self) -> &Arc<Reach> {
        &self.reach
    }

    /// Runs `work` on a thread of its own; `what` names it in messages.
    pub async fn carry_out<T: Send + 'static>(
        &self,
        what: &str,
        work: impl FnOnce(Cancel) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let began = Instant::now();
        let Ok(Ok(place)) = tokio::time::timeout(self.patience, self.places.clone().acquire_owned()).await else {
            let hint = "hint: they end by themselves once they notice that they have been called off";
            return Err(Refusal::failed(format!("{what}: {AT_A_TIME} other loads are under way\n  {hint}")));
        };
        let cancel = Cancel::default();
        let _cancels = CancelOnDrop(cancel.clone());
        let mut task = tokio::task::spawn_blocking(move || {
            let _place = place;
            work(cancel)
        });
        loop {
            match tokio::time::timeout(LOOK.min(self.patience), &mut task).await {
                Ok(Ok(outcome)) => return outcome,
                Ok(Err(error)) if error.is_panic() => {
                    return Err(Refusal::failed(format!("{what}: a defect of skidpad, see its log")));
                }
                Ok(Err(_)) => return Err(Refusal::ended()),
                Err(_) if self.stop.load(Ordering::Relaxed) => return Err(Refusal::ended()),
                Err(_) if began.elapsed() >= self.patience => {
                    let seconds = self.patience.as_secs_f64();
                    return Err(Refusal::failed(format!(
                        "{what}: not read after {seconds} s, and called off\n  hint: the parameter {TIMEOUT} says how long it may take"
                    )));
                }
                Err(_) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
    }

    fn loads(patience: Duration) -> Loads {
        Loads::within(Reach::default(), patience, Arc::default())
    }

    /// Waits until it is called off.
    fn endless(cancel: &Cancel) {
        while !cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_load_that_takes_too_long_is_called_off_and_the_next_one_comes() {
        let loads = loads(Duration::from_millis(50));
        let refusal = run(loads.carry_out("load_world", |cancel| {
            endless(&cancel);
            Ok(())
        }));
        let reason = refusal.unwrap_err().reason;
        assert_eq!(
            reason,
            "load_world: not read after 0.05 s, and called off\n  hint: the parameter load_timeout says how long it may take"
        );
        assert_eq!(run(loads.carry_out("load_world", |_| Ok(7))), Ok(7));
    }

    #[test]
    fn the_end_of_the_process_calls_loads_off() {
        let loads = loads(Duration::from_secs(3600));
        loads.stop.store(true, Ordering::Relaxed);
        let outcome = run(loads.carry_out("load_world", |cancel| {
            endless(&cancel);
            Ok(())
        }));
        assert_eq!(outcome, Err(Refusal::ended()));
    }

    #[test]
    fn loads_that_hang_take_places_and_no_more_than_there_are() {
        let loads = loads(Duration::from_millis(20));
        let (release, hung) = std::sync::mpsc::channel::<()>();
        let hung = Arc::new(std::sync::Mutex::new(hung));
        run(async {
            for _ in 0..AT_A_TIME {
                let hung = hung.clone();
                let hang = move |_| {
                    let _ = hung.lock().unwrap().recv();
                    Ok(())
                };
                assert!(loads.carry_out("spawn", hang).await.is_err());
            }
            let refusal = loads.carry_out("spawn", |_| Ok(())).await.unwrap_err();
            assert!(refusal.reason.starts_with("spawn: 8 other loads are under way"), "{}", refusal.reason);
            drop(release);
        });
    }
}
