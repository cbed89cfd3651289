//! Service calls: taken from the client library at once, answered in order of arrival, and refused when too many wait.
//!
//! The client library keeps ten calls of a service and loses what comes beyond, whose callers then wait forever. So the thread that
//! turns the node takes the calls out after every turn, and the reader behind has room for as many as may be under way. Callers keep no
//! more than ten answers either: where many calls are under way, their answers go out at a pace that a caller in Python keeps up with.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::{FutureExt, StreamExt};
use r2r::{Node, QosProfile, WrappedServiceTypeSupport};
use tokio::runtime::Handle;
use tokio::sync::Mutex;

use crate::guard::Guard;
use crate::ros::nul_safe;

/// Calls of one service that may be under way; those beyond are refused.
pub const AT_A_TIME: usize = 512;
/// What a service keeps until it is taken out.
const QOS: QosProfile = QosProfile::services_default().keep_last(AT_A_TIME);
/// Calls under way from which on answers are paced until none is left: a caller keeps ten.
const CROWD: usize = 8;
/// Time from one answer to the next then: with ten kept, a caller on a busy machine may be held up for a tenth of a second.
const PACE: Duration = Duration::from_millis(10);
/// How long those who wait for an answer are waited for at the end.
const FAREWELL: Duration = Duration::from_millis(300);

/// Takes the calls of all services of a node.
#[derive(Default)]
pub struct Reception {
    takers: Vec<Box<dyn FnMut() + Send>>,
    under_way: Arc<AtomicUsize>,
}

/// How a service that takes its time answers.
pub struct Answering<A, R, D> {
    /// The answer to a request, and the argument of `answered`.
    pub answer: A,
    /// What is answered to a call that is refused, with the reason.
    pub refuse: R,
    /// Called after an answer of `answer` has been sent.
    pub answered: D,
}

impl Reception {
    /// Takes and hands on what has come in; to be called after every turn of the node.
    pub fn take(&mut self) {
        self.takers.iter_mut().for_each(|taker| taker());
    }

    /// Waits until the calls under way are answered, but not for long.
    pub fn finish(&self) {
        let deadline = Instant::now() + FAREWELL;
        while self.under_way.load(Ordering::Acquire) > 0 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Offers a service that can be answered without waiting for anything; a call that is refused gets an empty answer.
    pub fn offer_ready<S>(
        &mut self,
        node: &mut Node,
        name: &str,
        tasks: &Handle,
        answer: impl Fn(&S::Request) -> S::Response + Send + Sync + 'static,
    ) -> r2r::Result<()>
    where
        S: WrappedServiceTypeSupport + 'static,
        S::Request: Send,
        S::Response: Send,
    {
        let answering = Answering {
            answer: move |request: S::Request| std::future::ready((answer(&request), ())),
            refuse: |_: String| S::Response::default(),
            answered: |(): ()| (),
        };
        self.offer::<S, _, _, _, _, _>(node, name, tasks, answering)
    }

    /// Offers a service that is answered on `tasks`, in the order in which the calls came unless they wait for something.
    pub fn offer<S, F, T, A, R, D>(
        &mut self,
        node: &mut Node,
        name: &str,
        tasks: &Handle,
        answering: Answering<A, R, D>,
    ) -> r2r::Result<()>
    where
        S: WrappedServiceTypeSupport + 'static,
        S::Request: Send,
        S::Response: Send,
        T: Send + 'static,
        F: Future<Output = (S::Response, T)> + Send + 'static,
        A: Fn(S::Request) -> F + Send + Sync + 'static,
        R: Fn(String) -> S::Response + Send + Sync + 'static,
        D: Fn(T) + Send + Sync + 'static,
    {
        let mut calls = node.create_service::<S>(name, QOS)?;
        let desk = Arc::new(Desk {
            guard: Guard::new(format!("service \"{name}\"")),
            name: name.to_owned(),
            answering,
            under_way: AtomicUsize::new(0),
            of_all: self.under_way.clone(),
            is_crowded: AtomicBool::new(false),
            pace: Mutex::new(()),
        });
        let tasks = tasks.clone();
        self.takers.push(Box::new(move || {
            while let Some(Some(mut call)) = calls.next().now_or_never() {
                let place = Place::take(desk.clone());
                if place.before >= AT_A_TIME {
                    let reason = format!(
                        "service \"{}\": too many calls are under way\n  accepted: up to {AT_A_TIME}",
                        desk.name
                    );
                    report(&desk.name, nul_safe::respond(call, (desk.answering.refuse)(reason)));
                    continue;
                }
                let desk = desk.clone();
                tasks.spawn(async move {
                    let request = std::mem::take(&mut call.message);
                    let outcome = desk.guard.run_async(async { (desk.answering.answer)(request).await }).await;
                    let (response, rest) = match outcome {
                        Some((response, rest)) => (response, Some(rest)),
                        None => {
                            let reason = format!("service \"{}\": failed, see the log of the node", desk.name);
                            ((desk.answering.refuse)(reason), None)
                        }
                    };
                    // In the order in which they are ready.
                    let turn = desk.pace.lock().await;
                    report(&desk.name, nul_safe::respond(call, response));
                    if let Some(rest) = rest {
                        (desk.answering.answered)(rest);
                    }
                    if desk.is_crowded.load(Ordering::Acquire) {
                        tokio::time::sleep(PACE).await;
                    }
                    drop((turn, place));
                });
            }
        }));
        Ok(())
    }
}

/// One service.
struct Desk<A, R, D> {
    name: String,
    answering: Answering<A, R, D>,
    guard: Guard,
    under_way: AtomicUsize,
    of_all: Arc<AtomicUsize>,
    /// Whether answers are paced.
    is_crowded: AtomicBool,
    /// Held by the handler until it answers.
    pace: Mutex<()>,
}

/// A call under way, counted for as long as this is there.
struct Place<A, R, D> {
    desk: Arc<Desk<A, R, D>>,
    /// How many there were before.
    before: usize,
}

impl<A, R, D> Place<A, R, D> {
    fn take(desk: Arc<Desk<A, R, D>>) -> Place<A, R, D> {
        desk.of_all.fetch_add(1, Ordering::AcqRel);
        let before = desk.under_way.fetch_add(1, Ordering::AcqRel);
        if before >= CROWD {
            desk.is_crowded.store(true, Ordering::Release);
        }
        Place { desk, before }
    }
}

impl<A, R, D> Drop for Place<A, R, D> {
    fn drop(&mut self) {
        if self.desk.under_way.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.desk.is_crowded.store(false, Ordering::Release);
        }
        self.desk.of_all.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The client may have left.
fn report(name: &str, sent: r2r::Result<()>) {
    if let Err(error) = sent {
        tracing::debug!("service \"{name}\": could not answer: {error}");
    }
}
