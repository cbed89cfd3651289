//! Threads after a fork: a child process has none of its parent's, so work for them would wait forever.
//!
//! In a child, everything that may use the threads of rayon runs in a pool that the child makes when it first needs one.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

static IS_CHILD: AtomicBool = AtomicBool::new(false);
/// The pool of the child with this process number.
static OF_CHILD: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);

#[pyfunction]
fn in_child() {
    IS_CHILD.store(true, Ordering::Relaxed);
    crate::interrupt::forget();
}

/// Asks Python to tell of forks.
pub(crate) fn watch(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let hooks = pyo3::types::PyDict::new(module.py());
    hooks.set_item("after_in_child", wrap_pyfunction!(in_child, module)?)?;
    module.py().import("os")?.call_method("register_at_fork", (), Some(&hooks))?;
    Ok(())
}

/// Whether this process has been forked from the one that loaded the module.
pub(crate) fn is_child() -> bool {
    IS_CHILD.load(Ordering::Relaxed)
}

/// Does work that may use threads.
pub(crate) fn with_threads<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if !is_child() {
        return work();
    }
    match pool_of_child() {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

/// The pool of this process; none if it cannot be made, or if another thread held the lock at the fork.
fn pool_of_child() -> Option<Arc<ThreadPool>> {
    let mut made = OF_CHILD.try_lock().ok()?;
    let this_process = std::process::id();
    if let Some((process, pool)) = &*made
        && *process == this_process
    {
        return Some(Arc::clone(pool));
    }
    let pool = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    // That of a parent has no threads here, which its end would wait for.
    std::mem::forget(made.replace((this_process, Arc::clone(&pool))));
    Some(pool)
}
