//! Loads of worlds and entities for callers: each runs in a thread of its own and is cancelled at its timeout or when the node ends. The
//! simulation never waits for one.
//!
//! A [`Reach`] limits which files and addresses callers on the network may name. Worlds and classes in files below its folders are trusted,
//! since only local users can put files there; the contents of files are never sent to callers.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use skidpad_files::assets::{Cancel, Reach};
use tokio::sync::Semaphore;

use super::outcome::{Outcome, Refusal};
use crate::parameters::table::{Declaration, Kind, Parameters, number};

const FOLDERS: &str = "load_folders";
const ADDRESSES: &str = "load_addresses";
const TIMEOUT: &str = "load_timeout";

/// The parameters of loading. They are read-only after the start, since callers on the network can set the others.
pub const DECLARATIONS: [Declaration; 3] = [
    Declaration::new(
        FOLDERS,
        Kind::Text { default: "" },
        "folders from which callers over the network may load files, separated by colons; empty: the folders of worlds and of the \
         world at the start; /: all",
    )
    .at_start(),
    Declaration::new(
        ADDRESSES,
        Kind::Text { default: "" },
        "prefixes of addresses that texts of callers over the network may fetch, separated by blanks, such as \
         https://host/models/; empty: none",
    )
    .at_start(),
    number(TIMEOUT, 60.0, [0.1, 3600.0], "how long [wall s] load_world and spawn_entity may read before they give up").at_start(),
];

/// Most loads under way at a time, including cancelled ones that have not ended yet.
const AT_A_TIME: usize = 8;
/// How often the caller of a long load checks whether the node is shutting down.
const POLL_PERIOD: Duration = Duration::from_millis(100);

/// Runs the loads that callers ask for.
pub(crate) struct Loader {
    reach: Arc<Reach>,
    timeout: Duration,
    slots: Arc<Semaphore>,
    /// The process is ending.
    stop: Arc<AtomicBool>,
}

/// Cancels a load when the future that waits for it is dropped.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl Loader {
    /// A loader with the limits of the parameters; `folders` are the default of [`FOLDERS`]. `stop` cancels all loads.
    pub fn new(parameters: &Parameters, folders: Vec<PathBuf>, stop: Arc<AtomicBool>) -> Loader {
        let given = parameters.word(FOLDERS);
        let folders = if given.is_empty() { folders } else { std::env::split_paths(&given).collect() };
        let addresses = parameters.word(ADDRESSES).split_whitespace().map(str::to_owned).collect();
        let timeout = Duration::from_secs_f64(parameters.number(TIMEOUT));
        Loader::with_timeout(Reach::new(folders, addresses), timeout, stop)
    }

    /// A loader restricted to `reach`, with this timeout for each load.
    pub(super) fn with_timeout(reach: Reach, timeout: Duration, stop: Arc<AtomicBool>) -> Loader {
        Loader { reach: Arc::new(reach), timeout, slots: Arc::new(Semaphore::new(AT_A_TIME)), stop }
    }

    /// The files and addresses that callers may name.
    pub fn reach(&self) -> &Arc<Reach> {
        &self.reach
    }

    /// Runs `work` on a thread of its own; `label` names it in messages.
    pub async fn run<T: Send + 'static>(
        &self,
        label: &str,
        work: impl FnOnce(Cancel) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        let began = Instant::now();
        let Ok(Ok(slot)) = tokio::time::timeout(self.timeout, self.slots.clone().acquire_owned()).await else {
            let hint = "hint: cancelled loads end after a while; try again later";
            return Err(Refusal::failed(format!("{label}: {AT_A_TIME} other loads are under way\n  {hint}")));
        };
        let cancel = Cancel::default();
        let _cancels = CancelOnDrop(cancel.clone());
        let mut task = tokio::task::spawn_blocking(move || {
            let _slot = slot;
            work(cancel)
        });
        loop {
            match tokio::time::timeout(POLL_PERIOD.min(self.timeout), &mut task).await {
                Ok(Ok(outcome)) => return outcome,
                Ok(Err(error)) if error.is_panic() => {
                    return Err(Refusal::failed(format!("{label}: a bug in skidpad, see its log")));
                }
                Ok(Err(_)) => return Err(Refusal::ended()),
                Err(_) if self.stop.load(Ordering::Relaxed) => return Err(Refusal::ended()),
                Err(_) if began.elapsed() >= self.timeout => {
                    let seconds = self.timeout.as_secs_f64();
                    return Err(Refusal::failed(format!(
                        "{label}: not read after {seconds} s, and cancelled\n  hint: raise the parameter {TIMEOUT}"
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

    fn loads(timeout: Duration) -> Loader {
        Loader::with_timeout(Reach::default(), timeout, Arc::default())
    }

    /// Waits until it is cancelled.
    fn endless(cancel: &Cancel) {
        while !cancel.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_load_past_its_timeout_is_cancelled_and_the_next_one_runs() {
        let loads = loads(Duration::from_millis(50));
        let refusal = run(loads.run("load_world", |cancel| {
            endless(&cancel);
            Ok(())
        }));
        let reason = refusal.unwrap_err().reason;
        assert_eq!(
            reason,
            "load_world: not read after 0.05 s, and cancelled\n  hint: raise the parameter load_timeout"
        );
        assert_eq!(run(loads.run("load_world", |_| Ok(7))), Ok(7));
    }

    #[test]
    fn shutdown_cancels_loads() {
        let loads = loads(Duration::from_secs(3600));
        loads.stop.store(true, Ordering::Relaxed);
        let outcome = run(loads.run("load_world", |cancel| {
            endless(&cancel);
            Ok(())
        }));
        assert_eq!(outcome, Err(Refusal::ended()));
    }

    #[test]
    fn hanging_loads_take_no_more_than_the_available_places() {
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
                assert!(loads.run("spawn", hang).await.is_err());
            }
            let refusal = loads.run("spawn", |_| Ok(())).await.unwrap_err();
            assert!(refusal.reason.starts_with("spawn: 8 other loads are under way"), "{}", refusal.reason);
            drop(release);
        });
    }
}
