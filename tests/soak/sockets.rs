//! Many simultaneous clients of the real program's viewer that send orders, frames and requests of all kinds, read or not, and leave at any time.
//!
//! Throughout, the program has to answer, use bounded memory, and end with status 0 on request.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rand::Rng as _;
use rustix::process::{Pid, Signal, kill_process};
use skidpad_test_support::watched::{self, Watch, Watched};

use super::requests::{PING, TEXT, frame, frames, message, request, upgrade};
use super::support::Lab;
use super::{Plan, Rng, Usage, kept, root};

/// Clients at a time; the server takes 32 viewers and 128 connections.
const CLIENTS: usize = 40;
/// Memory that the program may take [bytes]: a debug build at rest takes some 50 MiB, and 128 connections of 256 KiB each are 32.
const MEMORY: u64 = 400 << 20;
/// How long the program may take to answer, and to end.
const PATIENCE: Duration = Duration::from_secs(60);
/// What one client does at most [bytes].
const FLOOD: usize = 64 << 20;

/// What clients have done.
#[derive(Default)]
struct Log {
    connections: AtomicU64,
    bytes: AtomicU64,
    /// The last of it.
    recent: Mutex<VecDeque<String>>,
    stop: AtomicBool,
}

impl Log {
    fn note(&self, number: u64, event: &str) {
        let mut recent = self.recent.lock().unwrap();
        recent.push_back(format!("connection {number}: {event}"));
        if recent.len() > 1000 {
            recent.pop_front();
        }
    }

    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }
}

/// The program, and what it says.
struct Program {
    child: Watched,
    address: SocketAddr,
    said: Arc<Mutex<String>>,
    reader: Option<thread::JoinHandle<()>>,
}

impl Program {
    fn start(lab: &Lab, plan: Plan) -> Program {
        let world = root().join("worlds/two_robots.world.xml");
        let mut child = lab
            .skidpad(&format!("run {} --headless --web 0", world.display()))
            .env("RUST_BACKTRACE", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .watch_for(plan.duration + watched::PATIENCE)
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended with {}", child.wait());
            if let Some(link) = line.trim().strip_prefix("viewer: http://") {
                break link.trim_end_matches('/').parse().unwrap();
            }
        };
        let said = Arc::<Mutex<String>>::default();
        let into = Arc::clone(&said);
        let reader = thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                let mut said = into.lock().unwrap();
                if said.len() < 10 << 20 {
                    *said += &line;
                    said.push('\n');
                }
            }
        });
        Program { child, address, said, reader: Some(reader) }
    }

    /// Ends it as Ctrl-C does; why that did not go well.
    fn end(&mut self) -> Result<(), String> {
        kill_process(Pid::from_child(&self.child), Signal::INT).map_err(|error| format!("cannot be ended: {error}"))?;
        let signalled = Instant::now();
        while signalled.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait() {
                return if status.success() { Ok(()) } else { Err(format!("ended with {status}")) };
            }
            thread::sleep(Duration::from_millis(20));
        }
        Err(format!("has not ended {} s after SIGINT", PATIENCE.as_secs()))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        if let Some(reader) = self.reader.take() {
            let _ = reader.join();
        }
    }
}

/// Attacks for as long as the plan says.
pub(crate) fn run(plan: Plan) {
    let lab = Lab::new();
    let mut program = Program::start(&lab, plan);
    let log = Arc::new(Log::default());
    let next = Arc::new(AtomicU64::new(0));
    let address = program.address;
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let (log, next) = (Arc::clone(&log), Arc::clone(&next));
            thread::spawn(move || {
                while log.goes_on() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    // Errors of a connection are expected.
                    let _ = client(address, number, &mut plan.rng(number), &log);
                }
            })
        })
        .collect();
    let began = Instant::now();
    let mut peak = 0;
    let mut outcome = watch(&mut program, plan, &log, began, &mut peak);
    log.stop.store(true, Ordering::Relaxed);
    for client in clients {
        client.join().unwrap();
    }
    outcome = outcome.and_then(|()| is_well(address)).and_then(|()| program.end());
    if outcome.is_ok() && program.said.lock().unwrap().contains("panicked at") {
        outcome = Err("a thread has panicked".into());
    }
    let line = summary(&log, began, peak, plan, usize::from(outcome.is_err()));
    println!("soak: {line}");
    if let Err(why) = outcome {
        let folder = kept(&format!("sockets-{}", plan.seed));
        let recent = log.recent.lock().unwrap().iter().fold(String::new(), |all, line| all + line + "\n");
        std::fs::write(folder.join("actions.txt"), recent).unwrap();
        std::fs::write(folder.join("said.txt"), &*program.said.lock().unwrap()).unwrap();
        panic!("{line}\n{why}\n  see {}", folder.display());
    }
}

fn summary(log: &Log, began: Instant, peak: u64, plan: Plan, failures: usize) -> String {
    let count = |of: &AtomicU64| of.load(Ordering::Relaxed);
    let (connections, bytes) = (count(&log.connections), count(&log.bytes) >> 20);
    let (seconds, peak, seed) = (began.elapsed().as_secs(), peak >> 20, plan.seed);
    format!(
        "sockets: {connections} connections, {bytes} MiB sent, {seconds} s, peak {peak} MiB, seed {seed}, failures {failures}"
    )
}

/// Looks at the program until time is up or something is wrong.
fn watch(program: &mut Program, plan: Plan, log: &Log, began: Instant, peak: &mut u64) -> Result<(), String> {
    let (mut requested, mut reported) = (Instant::now(), Instant::now());
    while began.elapsed() < plan.duration {
        thread::sleep(Duration::from_millis(20));
        if let Some(status) = program.child.try_wait() {
            return Err(format!("ended with {status}"));
        }
        if let Some(usage) = Usage::of(program.child.id()) {
            *peak = usage.peak.max(*peak);
            if usage.resident > MEMORY {
                let _ = program.child.kill();
                return Err(format!("takes {} MiB, accepted: {}", usage.resident >> 20, MEMORY >> 20));
            }
        }
        if requested.elapsed() > Duration::from_secs(1) {
            is_answering(program.address)?;
            requested = Instant::now();
        }
        if reported.elapsed() > Duration::from_secs(60) {
            reported = Instant::now();
            println!("soak: {}", summary(log, began, *peak, plan, 0));
        }
    }
    Ok(())
}

/// The answer to a request, of any status.
fn ask(address: SocketAddr, text: &str) -> Result<String, String> {
    let failed = |error: std::io::Error| format!("does not answer: {error}");
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).map_err(failed)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
    stream.write_all(text.as_bytes()).map_err(failed)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failed)?;
    Ok(answer)
}

fn get(address: SocketAddr, path: &str) -> Result<String, String> {
    ask(address, &format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"))
}

fn is_answering(address: SocketAddr) -> Result<(), String> {
    let answer = get(address, "/api/health")?;
    if answer.starts_with("HTTP/1.1 200") { Ok(()) } else { Err(format!("is not well: {answer}")) }
}

/// Whether simulated time goes on once it may.
fn is_well(address: SocketAddr) -> Result<(), String> {
    let began = Instant::now();
    let time = || -> Result<f64, String> {
        let answer = get(address, "/api/status")?;
        let body = answer.split("\r\n\r\n").nth(1).unwrap_or_default();
        let status: serde_json::Value =
            serde_json::from_str(body).map_err(|error| format!("says \"{answer}\": {error}"))?;
        status["time"].as_f64().ok_or_else(|| format!("tells no time: {answer}"))
    };
    let before = time()?;
    while began.elapsed() < 3 * PATIENCE {
        for order in ["{\"do\":\"set_rate\",\"rate\":1}", "{\"do\":\"resume\"}"] {
            let length = order.len();
            ask(
                address,
                &format!(
                    "POST /api/orders HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Type: application/json\r\n\
                     Content-Length: {length}\r\n\r\n{order}"
                ),
            )?;
        }
        thread::sleep(Duration::from_millis(200));
        if time()? > before {
            return Ok(());
        }
    }
    Err("simulated time stands although it was told to go on".into())
}

/// One connection from its beginning to its end.
fn client(address: SocketAddr, number: u64, rng: &mut Rng, log: &Log) -> std::io::Result<()> {
    let host = address.to_string();
    let kind = rng.random_range(0..16);
    log.connections.fetch_add(1, Ordering::Relaxed);
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    stream.set_write_timeout(Some(Duration::from_millis(500)))?;
    let mut send = |stream: &mut TcpStream, bytes: &[u8]| {
        log.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        stream.write_all(bytes)
    };
    match kind {
        0..=3 => {
            let text = request(&host, rng);
            log.note(number, &format!("request {:?}", String::from_utf8_lossy(&text[..text.len().min(300)])));
            send(&mut stream, &text)?;
            read(&mut stream, rng.random_range(0..20), log);
        }
        // Slowly, byte by byte.
        4 => {
            log.note(number, "slow lines");
            for byte in request(&host, rng).iter().take(rng.random_range(1..60)) {
                send(&mut stream, &[*byte])?;
                thread::sleep(Duration::from_millis(50));
                if !log.goes_on() {
                    break;
                }
            }
        }
        5 => {
            log.note(number, "silence");
            read(&mut stream, rng.random_range(0..20), log);
        }
        6 => {
            log.note(number, "noise");
            let mut noise = vec![0; rng.random_range(0..20_000)];
            rng.fill(&mut noise[..]);
            send(&mut stream, &noise)?;
            read(&mut stream, 2, log);
        }
        _ => {
            send(&mut stream, &upgrade(&host, rng))?;
            read(&mut stream, 1, log);
            match kind {
                7 => flood(&mut stream, rng, number, log, &mut send)?,
                8..=10 => {
                    for _ in 0..rng.random_range(1..30) {
                        let frames = frames(rng);
                        log.note(number, &format!("frames {:02x?}", &frames[..frames.len().min(40)]));
                        send(&mut stream, &frames)?;
                        read(&mut stream, rng.random_range(0..2), log);
                    }
                }
                _ => {
                    for _ in 0..rng.random_range(1..60) {
                        let text = message(rng);
                        log.note(number, &format!("order {:?}", &text[..text.len().min(200)]));
                        send(&mut stream, &frame(TEXT, text.as_bytes()))?;
                        read(&mut stream, rng.random_range(0..2), log);
                    }
                }
            }
        }
    }
    // In the middle of it, or politely.
    match rng.random_range(0..3) {
        0 => stream.shutdown(Shutdown::Write)?,
        1 => send(&mut stream, &frame(0x88, &1000_u16.to_be_bytes()))?,
        _ => {}
    }
    Ok(())
}

/// Sends pings or orders without end, and reads nothing or next to nothing of what comes back.
fn flood(
    stream: &mut TcpStream,
    rng: &mut Rng,
    number: u64,
    log: &Log,
    send: &mut impl FnMut(&mut TcpStream, &[u8]) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let (piece, kind) = match rng.random_range(0..4) {
        0 => (frame(TEXT, b"{\"id\":1,\"order\":{\"do\":\"resume\"}}"), "orders"),
        1 => (frame(PING, b""), "empty pings"),
        _ => (frame(PING, &[0; 125]), "pings"),
    };
    let reads = rng.random_ratio(1, 3);
    log.note(number, &format!("a flood of {kind}, {}", if reads { "reading a little" } else { "reading nothing" }));
    let many = piece.repeat((64 << 10) / piece.len());
    let began = Instant::now();
    let mut sent = 0;
    while sent < FLOOD && log.goes_on() && began.elapsed() < Duration::from_secs(10) {
        // What a server does not take is not a failure.
        if send(stream, &many).is_err() {
            break;
        }
        sent += many.len();
        if reads {
            let _ = stream.read(&mut [0; 512]);
        }
    }
    thread::sleep(Duration::from_millis(rng.random_range(0..2000)));
    Ok(())
}

/// Reads what comes, at most so many times a fifth of a second.
fn read(stream: &mut TcpStream, times: u32, log: &Log) {
    let mut bytes = [0; 4096];
    let began = Instant::now();
    while began.elapsed() < times * Duration::from_millis(200) && log.goes_on() {
        match stream.read(&mut bytes) {
            Ok(0) => return,
            Err(error) if !matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                return;
            }
            _ => {}
        }
    }
}
