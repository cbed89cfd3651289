//! Long work that Ctrl-C ends. Python's handlers of signals run in its main thread alone, and only where that thread lets them; so the work is done by
//! another thread, and the one that has called waits for it and looks for signals meanwhile.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use skidpad::assets::Cancel;

use crate::errors::Class;

/// Longest time between two looks for signals.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);
/// How long work may go on after a signal to end by itself.
const GRACE: Duration = Duration::from_millis(150);

/// Work that has ended, by itself or early.
pub(crate) struct Attended<T> {
    pub(crate) value: T,
    /// What a handler of a signal has raised meanwhile; `KeyboardInterrupt`, usually.
    pub(crate) raised: Option<PyErr>,
    /// Whether the work has been cancelled, because it did not end soon after the signal.
    pub(crate) is_cancelled: bool,
}

/// Waits for the end of work so long, and lets other threads of Python run. A receiver belongs to one thread, and is borrowed by it alone.
fn receive(python: Python<'_>, ended: &mut Receiver<()>, longest: Duration) -> Result<(), RecvTimeoutError> {
    python.detach(move || ended.recv_timeout(longest))
}

/// Waits until the work of another thread has ended, or a handler of a signal raises something.
fn wait(python: Python<'_>, ended: &mut Receiver<()>) -> PyResult<()> {
    loop {
        match receive(python, ended, PATIENCE) {
            // Its sender is gone when the thread has panicked.
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => python.check_signals()?,
        }
    }
}

/// Does work on what the caller owns. A signal calls `hasten`, after which it may end by itself for a while; then `cancel` ends it: the work looks for it at least
/// every tenth of a second.
pub(crate) fn attend<T: Send>(
    python: Python<'_>,
    hasten: impl Fn(),
    cancel: &Cancel,
    work: impl FnOnce() -> T + Send,
) -> PyResult<Attended<T>> {
    thread::scope(|scope| {
        let (sender, mut ended) = sync_channel(1);
        let thread = thread::Builder::new().spawn_scoped(scope, move || {
            let value = work();
            // Nobody waits for it any more once a signal has been seen and the grace is over.
            let _ = sender.send(());
            value
        });
        let thread = thread.map_err(no_thread)?;
        let raised = wait(python, &mut ended).err();
        let mut is_cancelled = false;
        if raised.is_some() {
            hasten();
            let is_late = receive(python, &mut ended, GRACE) == Err(RecvTimeoutError::Timeout);
            if is_late {
                is_cancelled = true;
                cancel.cancel();
            }
        }
        let value = python.detach(|| thread.join()).unwrap_or_else(|panic| resume_unwind(panic));
        Ok(Attended { value, raised, is_cancelled })
    })
}

/// Does work that needs nothing of the caller. After a signal nobody waits for it: it is cancelled, and what it makes is dropped.
pub(crate) fn abandonable<T: Send + 'static>(
    python: Python<'_>,
    cancel: &Cancel,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut ended) = sync_channel(1);
    let thread = thread::Builder::new().spawn(move || {
        let value = work();
        // The receiver is gone after a signal.
        let _ = sender.send(());
        value
    });
    let thread = thread.map_err(no_thread)?;
    wait(python, &mut ended).inspect_err(|_| cancel.cancel())?;
    Ok(python.detach(|| thread.join()).unwrap_or_else(|panic| resume_unwind(panic)))
}

/// The ends of work that goes on after a signal because data would be lost otherwise.
static UNFINISHED: Mutex<Vec<Receiver<()>>> = Mutex::new(Vec::new());

/// Does work that must not be cut off, such as completing a file. After a signal nobody waits for it before the interpreter ends.
pub(crate) fn complete<T: Send + 'static>(
    python: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, ended) = sync_channel(1);
    let waits = abandonable(python, &Cancel::default(), move || {
        let value = work();
        let _ = sender.send(());
        value
    });
    if waits.is_err()
        && let Ok(mut unfinished) = UNFINISHED.lock()
    {
        unfinished.push(ended);
    }
    waits
}

/// Waits at the end of the interpreter for what [`complete`] has left; another signal gives up.
#[pyfunction]
fn finish(python: Python<'_>) -> PyResult<()> {
    let unfinished = UNFINISHED.lock().map(|mut unfinished| std::mem::take(&mut *unfinished)).unwrap_or_default();
    for mut ended in unfinished {
        if receive(python, &mut ended, PATIENCE) == Err(RecvTimeoutError::Timeout) {
            let text = "skidpad: waiting for the disk to store the end of a recording; Ctrl-C gives up\n";
            python.import("sys")?.getattr("stderr")?.call_method1("write", (text,))?;
            wait(python, &mut ended)?;
        }
    }
    Ok(())
}

/// Forgets in a forked child what threads of its parent do.
pub(crate) fn forget() {
    if let Ok(mut unfinished) = UNFINISHED.try_lock() {
        unfinished.clear();
    }
}

/// Lets the end of the interpreter wait for unfinished work.
pub(crate) fn watch(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let finish = wrap_pyfunction!(finish, module)?;
    module.py().import("atexit")?.call_method1("register", (finish,)).map(|_| ())
}

fn no_thread(error: std::io::Error) -> PyErr {
    Class::Skidpad.error(format!("no thread can be started: {error}"))
}
