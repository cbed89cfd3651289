//! Tells whoever loads a world what takes so long.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

type Listener = dyn Fn(&str) + Send + Sync;

/// A listener for what a load is doing, or none. What it is told reads `fetching https://…`, `unpacking …`, `reading map …`.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Listener>>);

impl Progress {
    /// One that calls `listener`, at the start of each piece of work, in the thread that loads.
    pub fn new(listener: impl Fn(&str) + Send + Sync + 'static) -> Progress {
        Progress(Some(Arc::new(listener)))
    }

    /// Says what begins now.
    pub fn tell(&self, what: &str) {
        if let Some(listener) = &self.0 {
            listener(what);
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(…)" } else { "Progress(none)" })
    }
}

// A listener is only ever told things: after a panic there is nothing half done to be seen through it.
impl UnwindSafe for Progress {}
impl RefUnwindSafe for Progress {}
