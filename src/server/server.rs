//! The server: its thread, its runtime, and the limits of connections.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use skidpad_files::input_file;
use skidpad_view::messages::{Mode, RecordingView};
use socket2::SockRef;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tower::ServiceExt;

use super::access::Access;
use super::address::Listen;
use super::dead_man::DeadMan;
use super::hub::{Hub, Pilot};
use super::orders::OrderBudget;
use super::page::Page;
use super::slots::{CONNECTIONS, ConnectionSlot, Slots};
use super::write_timeout::WriteTimeout;
use super::{Shared, WebError, rest};

/// Time limit for a client's request headers.
const HEADER_PATIENCE: Duration = Duration::from_secs(10);
/// Send buffer of the system per connection [bytes].
const SEND_BUFFER: usize = 256 << 10;
/// Part of it that may be unsent [bytes].
#[cfg(target_os = "linux")]
const UNSENT: u32 = 32 << 10;
/// Time limit for a write that makes no progress.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time limit for notifying viewers at shutdown.
const CLOSE_PATIENCE: Duration = Duration::from_secs(2);

/// Most warnings of the load that viewers see.
const MAX_WARNINGS: usize = 200;

/// How to serve.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where.
    pub listen: Listen,
    /// Token that viewers need, 8 to 128 letters, digits or `-._~`; none: no token at a loopback address, and a generated one
    /// at others.
    pub token: Option<String>,
    /// Refuses all orders.
    pub read_only: bool,
    /// What the load of the world, or of the recording, warned of; viewers see the first 200.
    pub warnings: Vec<String>,
    /// The recording that is shown, or that is being made; none: there is none.
    pub recording: Option<RecordingView>,
    /// Tells viewers that the pilot carries out edits of the world file; not if it is read-only.
    pub can_edit: bool,
}

/// A running server; it ends when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    token: Option<String>,
    closing: watch::Sender<Option<String>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Serves the content of `hub`, and passes the viewers' orders to `pilot`, in its own thread.
    ///
    /// # Errors
    /// The address is not available, the token is invalid, or no thread can be started.
    pub fn start(options: &Options, hub: Arc<Hub>, pilot: Arc<dyn Pilot>, mode: Mode) -> Result<Server, WebError> {
        let failed = |error: std::io::Error| WebError::Start(error.to_string());
        let listener = options.listen.bind()?;
        let address = listener.local_addr().map_err(failed)?;
        let (access, token) = Access::new(address, options.token.as_deref())?;
        listener.set_nonblocking(true).map_err(failed)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(4)
            .thread_name("viewer files")
            .build()
            .map_err(failed)?;
        let listener = {
            let _inside = runtime.enter();
            TcpListener::from_std(listener).map_err(failed)?
        };
        let (closing, close) = watch::channel(None);
        let (driven, orders) = mpsc::channel(64);
        runtime.spawn(DeadMan::new(Arc::clone(&pilot)).follow(orders));
        let shared = Arc::new(Shared {
            hub,
            pilot,
            mode,
            read_only: options.read_only,
            warnings: options.warnings.iter().take(MAX_WARNINGS).cloned().collect(),
            recording: options.recording.clone(),
            can_edit: options.can_edit && !options.read_only,
            run: format!("{:016x}", rand::random::<u64>()),
            access,
            page: Page::embedded(),
            driven,
            budget: Mutex::new(OrderBudget::new()),
            closing: close,
        });
        let serve = move || serve(runtime, listener, &shared);
        let thread = std::thread::Builder::new().name("viewer".into()).spawn(serve).map_err(failed)?;
        Ok(Server { address, token, closing, thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The link to open in a browser, with the token if required: after a `#`, so that browsers do not send it.
    pub fn link(&self) -> String {
        let host = if self.address.ip().is_unspecified() { reached_as(Path::new("/")) } else { None };
        let place = host.map_or_else(|| self.address.to_string(), |host| format!("{host}:{}", self.address.port()));
        match &self.token {
            Some(token) => format!("http://{place}/#token={token}"),
            None => format!("http://{place}/"),
        }
    }

    /// Notifies viewers of the reason, closes, and waits for the end, a second at most.
    pub fn shutdown(mut self, reason: &str) {
        self.close(reason);
    }

    fn close(&mut self, reason: &str) {
        let Some(thread) = self.thread.take() else { return };
        self.closing.send_replace(Some(reason.to_owned()));
        // After a panic of the thread there is nothing left to close.
        let _ = thread.join();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.close("the server ends");
    }
}

/// Longest host name [bytes]: more than Linux allows.
const MAX_HOST_NAME_LENGTH: u64 = 1 << 10;

/// Files that say that this is a container: of Docker, and of Podman.
const OF_CONTAINERS: [&str; 2] = [".dockerenv", "run/.containerenv"];

/// The name under which browsers reach this machine, whose files are below `root`. In a container its own name means nothing to them, and its port is published
/// on the machine that has it.
fn reached_as(root: &Path) -> Option<String> {
    if OF_CONTAINERS.iter().any(|file| root.join(file).exists()) {
        return Some("127.0.0.1".to_owned());
    }
    let name = input_file::read_text(&root.join("proc/sys/kernel/hostname"), MAX_HOST_NAME_LENGTH).ok()?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

fn serve(runtime: Runtime, listener: TcpListener, shared: &Arc<Shared>) {
    let router = rest::router(Arc::clone(shared));
    let slots = Slots::new();
    runtime.block_on(async {
        let page = Arc::clone(shared);
        tokio::task::spawn_blocking(move || page.page.compress());
        let mut closing = shared.closing.clone();
        let accept = async {
            loop {
                let stream = match listener.accept().await {
                    Ok((stream, _)) => stream,
                    // An error of one connection, or no free file descriptors: retried later.
                    Err(_) => {
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                };
                match slots.take() {
                    Some(slot) => {
                        tokio::spawn(connection(stream, router.clone(), slot, shared.closing.clone()));
                    }
                    None => turn_away(stream),
                }
            }
        };
        tokio::select! {
            () = accept => {}
            _ = closing.wait_for(Option::is_some) => {}
        }
        drop(listener);
        let _ = timeout(CLOSE_PATIENCE, slots.all_free()).await;
    });
    // Does not wait for files that are still being read.
    runtime.shutdown_background();
}

async fn connection(
    stream: TcpStream,
    router: Router,
    place: ConnectionSlot,
    mut closing: watch::Receiver<Option<String>>,
) {
    // Messages are small and urgent. Without these limits the system would buffer seconds of them for slow readers, all outdated on
    // arrival. Systems without such limits buffer more.
    let _ = stream.set_nodelay(true);
    let socket = SockRef::from(&stream);
    let _ = socket.set_send_buffer_size(SEND_BUFFER);
    #[cfg(target_os = "linux")]
    let _ = socket.set_tcp_notsent_lowat(UNSENT);
    let service = router.map_request(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(place.clone());
        request
    });
    let serving = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_PATIENCE)
        .max_buf_size(32 << 10)
        .serve_connection(TokioIo::new(WriteTimeout::new(stream, PATIENCE)), TowerToHyperService::new(service))
        .with_upgrades();
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        // Errors end with the connection.
        _ = serving.as_mut() => return,
        _ = closing.wait_for(Option::is_some) => serving.as_mut().graceful_shutdown(),
    }
    let _ = serving.await;
}

/// Answers that the server is full, if that is possible without blocking.
fn turn_away(mut stream: TcpStream) {
    let refusal = format!("{{\"error\":\"server: all places are taken\\n  accepted: {CONNECTIONS} connections\"}}");
    let response = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{refusal}",
        refusal.len()
    );
    if stream.try_write(response.as_bytes()).is_ok() {
        tokio::spawn(async move {
            let _ = timeout(CLOSE_PATIENCE, stream.shutdown()).await;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_is_reached_by_the_machine_that_has_it() {
        let root = tempfile::tempdir().unwrap();
        let kernel = root.path().join("proc/sys/kernel");
        std::fs::create_dir_all(&kernel).unwrap();
        assert_eq!(reached_as(root.path()), None);
        std::fs::write(kernel.join("hostname"), "robot\n").unwrap();
        assert_eq!(reached_as(root.path()).as_deref(), Some("robot"));
        std::fs::write(root.path().join(".dockerenv"), "").unwrap();
        assert_eq!(reached_as(root.path()).as_deref(), Some("127.0.0.1"));
    }
}
