//! A WebSocket that stops reading while too many of its pongs wait to go out, so that a peer that pings and reads no answers is held up itself.
//!
//! The protocol wants each ping answered, and the library below queues the pong while it reads, however many wait already.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::Error;
use axum::extract::ws::{Message, WebSocket};
use futures::{Sink, Stream};

/// So many pongs, of up to 127 bytes each, may wait for the peer to read. A few, so that a slow reader's orders still come in.
const OWED: u32 = 32;

/// A WebSocket with a limit to the pongs that wait. What it reads includes the pings, which are answered already.
pub(super) struct PongLimit {
    socket: WebSocket,
    /// Pings since everything was last on its way.
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
