//! The queue from the simulation thread to the publisher thread: bounded in number and in bytes. When it is full, the oldest item is
//! dropped.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};

use skidpad_run::guard::lock;

/// A bounded queue of reusable items. Locks are held for a push or a pop of a pointer, never while publishing.
pub struct Queue<T> {
    inner: Mutex<Inner<T>>,
    filled: Condvar,
    capacity: usize,
    /// Size of the waiting items beyond which there are no more, but one [bytes].
    most_bytes: usize,
}

struct Inner<T> {
    /// With the size of each [bytes].
    waiting: VecDeque<(Box<T>, usize)>,
    /// Size of all of them [bytes].
    bytes: usize,
    spare: Vec<Box<T>>,
    closed: bool,
    dropped: u64,
}

impl<T> Inner<T> {
    fn pop(&mut self) -> Option<Box<T>> {
        let (item, bytes) = self.waiting.pop_front()?;
        self.bytes -= bytes;
        Some(item)
    }
}

impl<T: Default> Queue<T> {
    /// An empty queue for at most `capacity` (at least 1) items, of `most_bytes` in all or a single larger one.
    pub fn new(capacity: usize, most_bytes: usize) -> Queue<T> {
        let capacity = capacity.max(1);
        let waiting = VecDeque::with_capacity(capacity);
        let inner = Inner { waiting, bytes: 0, spare: Vec::new(), closed: false, dropped: 0 };
        Queue { inner: Mutex::new(inner), filled: Condvar::new(), capacity, most_bytes }
    }

    /// An item to fill: a used one with its buffers, or the oldest waiting one when the queue is full (with true: its content was never
    /// published), or a new one. One that was never published is counted if `is_heard`: somebody would have received it. None when the queue is closed.
    pub(crate) fn take_spare(&self, is_heard: bool) -> Option<(Box<T>, bool)> {
        let mut inner = lock(&self.inner);
        if inner.closed {
            return None;
        }
        if (inner.waiting.len() >= self.capacity || inner.bytes >= self.most_bytes)
            && let Some(oldest) = inner.pop()
        {
            inner.dropped += u64::from(is_heard);
            return Some((oldest, true));
        }
        Some((inner.spare.pop().unwrap_or_default(), false))
    }

    /// Appends a filled item of this size [bytes] and wakes the reader.
    pub fn push(&self, item: Box<T>, bytes: usize) {
        let mut inner = lock(&self.inner);
        inner.waiting.push_back((item, bytes));
        inner.bytes += bytes;
        drop(inner);
        self.filled.notify_one();
    }

    /// Waits for the next item; none when the queue is closed.
    pub fn pop(&self) -> Option<Box<T>> {
        let mut inner = lock(&self.inner);
        loop {
            if inner.closed {
                return None;
            }
            match inner.pop() {
                Some(item) => return Some(item),
                None => inner = self.filled.wait(inner).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Returns a used item, so that its buffers are used again.
    pub(crate) fn recycle(&self, item: Box<T>) {
        lock(&self.inner).spare.push(item);
    }

    /// Closes the queue: waiting items are dropped, and readers and writers get none.
    pub fn close(&self) {
        lock(&self.inner).closed = true;
        self.filled.notify_all();
    }

    /// Number of waiting items.
    pub fn waiting(&self) -> usize {
        lock(&self.inner).waiting.len()
    }

    /// Number of items so far that were dropped though somebody would have received them.
    pub fn dropped(&self) -> u64 {
        lock(&self.inner).dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(queue: &Queue<u32>, value: u32) -> bool {
        let (mut item, lost) = queue.take_spare(true).unwrap();
        *item = value;
        queue.push(item, size_of::<u32>());
        lost
    }

    #[test]
    fn a_full_queue_drops_and_counts_its_oldest_item() {
        let queue = Queue::new(2, 1000);
        assert!(!push(&queue, 1));
        assert!(!push(&queue, 2));
        assert!(push(&queue, 3));
        assert_eq!(queue.dropped(), 1);
        assert!(queue.take_spare(false).unwrap().1);
        assert_eq!(queue.dropped(), 1, "what nobody hears is not missed");
        assert_eq!(queue.pop().as_deref(), Some(&3));
    }

    #[test]
    fn large_items_fill_the_queue_by_their_size() {
        let queue = Queue::<u32>::new(100, 1000);
        let put = |value, bytes| {
            let (mut item, lost) = queue.take_spare(true).unwrap();
            *item = value;
            queue.push(item, bytes);
            lost
        };
        assert!(!put(1, 600) && !put(2, 600), "the size of an item is known when it is filled");
        assert!(put(3, 5000), "the first one is lost");
        assert!(put(4, 10) && queue.waiting() == 2);
        assert_eq!((queue.pop().as_deref(), queue.pop().as_deref()), (Some(&3), Some(&4)));
        assert!(!put(5, 5000) && queue.dropped() == 2, "a single one always has room");
    }

    #[test]
    fn a_closed_queue_yields_and_accepts_nothing() {
        let queue = Queue::new(2, 1000);
        push(&queue, 1);
        queue.close();
        assert!(queue.pop().is_none());
        assert!(queue.take_spare(true).is_none());
    }

    #[test]
    fn closing_wakes_a_waiting_reader() {
        let queue = std::sync::Arc::new(Queue::<u32>::new(1, 1000));
        let reader = std::thread::spawn({
            let queue = queue.clone();
            move || queue.pop().is_none()
        });
        queue.close();
        assert!(reader.join().unwrap());
    }

    #[test]
    fn used_items_are_recycled() {
        let queue = Queue::<Vec<u8>>::new(2, 1 << 20);
        let (mut item, _) = queue.take_spare(true).unwrap();
        item.reserve(1000);
        queue.push(item, 1000);
        queue.recycle(queue.pop().unwrap());
        assert!(queue.take_spare(true).unwrap().0.capacity() >= 1000);
    }
}
