//! Progress messages for slow parts of a load.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

type Listener = dyn Fn(&str) + Send + Sync;

/// A listener for the progress of a load, or none. Messages read `fetching https://…`, `unpacking …`, `reading map …`.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<Listener>>);

impl Progress {
    /// Calls `listener` at the start of each piece of work, in the loading thread.
    pub fn new(listener: impl Fn(&str) + Send + Sync + 'static) -> Progress {
        Progress(Some(Arc::new(listener)))
    }

    /// Reports the start of a piece of work, which `work` describes.
    pub fn tell(&self, work: &str) {
        if let Some(listener) = &self.0 {
            listener(work);
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Progress(…)" } else { "Progress(none)" })
    }
}

// Listeners only receive messages: after a panic they expose no inconsistent state.
impl UnwindSafe for Progress {}
impl RefUnwindSafe for Progress {}
