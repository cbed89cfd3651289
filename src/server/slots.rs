//! Slots that limit the number of connections and viewers.

use std::sync::Arc;

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::refusal::Refusal;

/// Most simultaneous connections.
pub(super) const CONNECTIONS: u32 = 128;
/// Most simultaneous viewers.
const VIEWERS: usize = 32;

/// The free slots of a server.
pub(super) struct Slots {
    connections: Arc<Semaphore>,
    viewers: Arc<Semaphore>,
}

impl Slots {
    pub(super) fn new() -> Slots {
        Slots {
            connections: Arc::new(Semaphore::new(CONNECTIONS as usize)),
            viewers: Arc::new(Semaphore::new(VIEWERS)),
        }
    }

    /// Takes a connection slot, if one is free.
    pub(super) fn take(&self) -> Option<ConnectionSlot> {
        let permit = Arc::clone(&self.connections).try_acquire_owned().ok()?;
        Some(ConnectionSlot { _connection: Arc::new(permit), viewers: Arc::clone(&self.viewers) })
    }

    /// Waits until all connection slots are free.
    pub(super) async fn all_free(&self) {
        let _ = self.connections.acquire_many(CONNECTIONS).await;
    }
}

/// A connection slot; freed when the last copy is dropped.
#[derive(Clone, Debug)]
pub(super) struct ConnectionSlot {
    _connection: Arc<OwnedSemaphorePermit>,
    viewers: Arc<Semaphore>,
}

/// A viewer slot together with its connection slot; freed when the last copy is dropped.
#[derive(Clone, Debug)]
pub(super) struct ViewerSlot {
    _place: ConnectionSlot,
    _viewer: Arc<OwnedSemaphorePermit>,
}

impl ConnectionSlot {
    /// Takes a viewer slot.
    pub(super) fn take_viewer_slot(self) -> Result<ViewerSlot, Refusal> {
        let viewer = Arc::clone(&self.viewers).try_acquire_owned().map_err(|_| {
            let reason = format!("socket: all places are taken\n  accepted: up to {VIEWERS} viewers");
            Refusal::new(StatusCode::SERVICE_UNAVAILABLE, reason)
        })?;
        Ok(ViewerSlot { _place: self, _viewer: Arc::new(viewer) })
    }
}
