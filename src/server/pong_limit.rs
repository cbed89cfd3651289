//! A WebSocket that stops reading while too many of its pongs are pending, so that a peer that pings without reading
//! the answers stalls itself.
//!
//! The protocol requires an answer to each ping, and the underlying library queues pongs without limit while it reads.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::Error;
use axum::extract::ws::{Message, WebSocket};
use futures::{Sink, Stream};

/// Most pending pongs, of up to 127 bytes each; enough that the orders of a slow reader still arrive.
const OWED: u32 = 32;

/// A WebSocket with a limit of pending pongs. It also yields the pings, which have already been answered.
pub(super) struct PongLimit {
    socket: WebSocket,
    /// Pings since the last complete flush.
    owed: u32,
}

impl PongLimit {
    pub(super) fn new(socket: WebSocket) -> PongLimit {
        PongLimit { socket, owed: 0 }
    }
}

impl Stream for PongLimit {
    type Item = Result<Message, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.owed > 0 {
            match Pin::new(&mut self.socket).poll_flush(context) {
                Poll::Ready(Ok(())) => self.owed = 0,
                Poll::Ready(Err(error)) => return Poll::Ready(Some(Err(error))),
                Poll::Pending if self.owed >= OWED => return Poll::Pending,
                Poll::Pending => {}
            }
        }
        let next = ready!(Pin::new(&mut self.socket).poll_next(context));
        self.owed += u32::from(matches!(next, Some(Ok(Message::Ping(_)))));
        Poll::Ready(next)
    }
}

impl Sink<Message> for PongLimit {
    type Error = Error;

    fn poll_ready(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.socket).poll_ready(context)
    }

    fn start_send(mut self: Pin<&mut Self>, message: Message) -> Result<(), Error> {
        Pin::new(&mut self.socket).start_send(message)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_close(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Pin::new(&mut self.socket).poll_close(context)
    }
}
