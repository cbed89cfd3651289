//! Service calls: taken from the client library at once, answered in order of arrival, and refused when too many wait.
//!
//! By default the client library queues ten calls of a service and drops any beyond, whose callers then wait forever. So the thread that
//! spins the node takes the calls out after every turn, and the queue has room for as many as may be under way. Clients queue no more
//! than ten answers either: where many calls are under way, answers go out at a pace that a client in Python keeps up with.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::{FutureExt, StreamExt};
use r2r::{Node, QosProfile, WrappedServiceTypeSupport};
use skidpad_run::guard::Guard;
use tokio::runtime::Handle;
use tokio::sync::Mutex;

use crate::typed_messages;

/// Calls of one service that may be under way; those beyond are refused.
pub const AT_A_TIME: usize = 512;
/// The queue of a service, from which calls are taken.
const QOS: QosProfile = QosProfile::services_default().keep_last(AT_A_TIME);
/// From this many calls under way, answers are paced until none is left: a client queues ten answers.
const PACING_THRESHOLD: usize = 8;
/// Time from one paced answer to the next: with a queue of ten, a client on a busy machine may be held up for a tenth of a second.
const PACING_PERIOD: Duration = Duration::from_millis(10);
/// How long a shutdown waits for the answers of calls under way.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_millis(300);

/// Takes and answers the calls of all services of a node.
pub(crate) struct ServiceCalls {
    /// Where calls are answered.
    tasks: Handle,
    takers: Vec<Box<dyn FnMut() + Send>>,
    under_way: Arc<AtomicUsize>,
}

impl ServiceCalls {
    /// No services yet; those that are offered are answered on `tasks`.
    pub fn new(tasks: &Handle) -> ServiceCalls {
        ServiceCalls { tasks: tasks.clone(), takers: Vec::new(), under_way: Arc::default() }
    }

    /// The threads that answer calls, for other tasks of the node.
    pub fn tasks(&self) -> &Handle {
        &self.tasks
    }

    /// Takes the calls that have arrived and starts to answer them; to be called after every turn of the node.
    pub fn take(&mut self) {
        self.takers.iter_mut().for_each(|taker| taker());
    }

    /// Waits until the calls under way are answered, but not for long.
    pub fn finish(&self) {
        let deadline = Instant::now() + SHUTDOWN_TIMEOUT;
        while self.under_way.load(Ordering::Acquire) > 0 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Offers a service whose answer is ready at once; a refused call gets an empty response.
    pub(crate) fn offer_ready<S>(
        &mut self,
        node: &mut Node,
        name: &str,
        answer: impl Fn(&S::Request) -> S::Response + Send + Sync + 'static,
    ) -> r2r::Result<()>
    where
        S: WrappedServiceTypeSupport<Request: Send, Response: Send> + 'static,
    {
        let answer = move |request: S::Request| std::future::ready((answer(&request), || ()));
        self.offer::<S, _, _>(node, name, answer, |_| S::Response::default())
    }

    /// Offers a service. Calls are answered in the order of their arrival unless they wait for something. `answer` gives the response to
    /// a request, and what to do after it has been sent; `refuse` gives the response to a call that is refused for a reason.
    pub fn offer<S, F, T>(
        &mut self,
        node: &mut Node,
        name: &str,
        answer: impl Fn(S::Request) -> F + Send + Sync + 'static,
        refuse: impl Fn(String) -> S::Response + Send + Sync + 'static,
    ) -> r2r::Result<()>
    where
        S: WrappedServiceTypeSupport<Request: Send, Response: Send> + 'static,
        F: Future<Output = (S::Response, T)> + Send + 'static,
        T: FnOnce() + Send + 'static,
    {
        let mut calls = node.create_service::<S>(name, QOS)?;
        let service = Arc::new(Service {
            guard: Guard::new(format!("service \"{name}\"")),
            name: name.to_owned(),
            answer,
            refuse,
            under_way: AtomicUsize::new(0),
            of_all: self.under_way.clone(),
            is_crowded: AtomicBool::new(false),
            pace: Mutex::new(()),
        });
        let tasks = self.tasks.clone();
        self.takers.push(Box::new(move || {
            while let Some(Some(mut call)) = calls.next().now_or_never() {
                let counted = CountedCall::new(service.clone());
                if counted.before >= AT_A_TIME {
                    let reason = format!(
                        "service \"{}\": too many calls are under way\n  accepted: up to {AT_A_TIME}",
                        service.name
                    );
                    report(&service.name, typed_messages::respond(call, (service.refuse)(reason)));
                    continue;
                }
                let service = service.clone();
                tasks.spawn(async move {
                    let request = std::mem::take(&mut call.message);
                    let outcome = service.guard.run_async(async { (service.answer)(request).await }).await;
                    let (response, afterwards) = match outcome {
                        Some((response, afterwards)) => (response, Some(afterwards)),
                        None => {
                            let reason = format!("service \"{}\": failed, see the log of the node", service.name);
                            ((service.refuse)(reason), None)
                        }
                    };
                    // In the order in which they are ready.
                    let pace = service.pace.lock().await;
                    report(&service.name, typed_messages::respond(call, response));
                    if let Some(afterwards) = afterwards {
                        afterwards();
                    }
                    if service.is_crowded.load(Ordering::Acquire) {
                        tokio::time::sleep(PACING_PERIOD).await;
                    }
                    drop((pace, counted));
                });
            }
        }));
        Ok(())
    }
}

/// One service.
struct Service<A, R> {
    name: String,
    answer: A,
    refuse: R,
    guard: Guard,
    under_way: AtomicUsize,
    of_all: Arc<AtomicUsize>,
    /// Whether answers are paced.
    is_crowded: AtomicBool,
    /// Held while an answer is sent, so that answers go out one after the other.
    pace: Mutex<()>,
}

/// A call under way, counted for as long as this lives.
struct CountedCall<A, R> {
    service: Arc<Service<A, R>>,
    /// How many calls of the service were under way before it.
    before: usize,
}

impl<A, R> CountedCall<A, R> {
    fn new(service: Arc<Service<A, R>>) -> CountedCall<A, R> {
        service.of_all.fetch_add(1, Ordering::AcqRel);
        let before = service.under_way.fetch_add(1, Ordering::AcqRel);
        if before >= PACING_THRESHOLD {
            service.is_crowded.store(true, Ordering::Release);
        }
        CountedCall { service, before }
    }
}

impl<A, R> Drop for CountedCall<A, R> {
    fn drop(&mut self) {
        if self.service.under_way.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.service.is_crowded.store(false, Ordering::Release);
        }
        self.service.of_all.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The client may have left.
fn report(name: &str, sent: r2r::Result<()>) {
    if let Err(error) = sent {
        tracing::debug!("service \"{name}\": cannot be answered: {error}");
    }
}
