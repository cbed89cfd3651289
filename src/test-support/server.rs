//! A small HTTP server on the loopback device, which records its requests.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The response for a path.
#[derive(Clone, Debug)]
pub enum Answer {
    /// 200 with this body.
    Body(Vec<u8>),
    /// This status and no body.
    Status(&'static str),
    /// 302 to this path or address.
    Redirect(String),
    /// 200 with this body and a too large Content-Length.
    Cut(Vec<u8>),
    /// 200 with this Content-Length and no body.
    Long(u64),
    /// 200 with an endless body of zeros.
    Endless,
    /// The beginning of a body, then silence.
    Stalling,
    /// 200 with this body, once the flag is up.
    Held(Arc<AtomicBool>, Vec<u8>),
    /// No answer at all.
    Silent,
}

/// Runs until it is dropped.
pub struct Server {
    address: SocketAddr,
    requested_paths: Arc<Mutex<Vec<String>>>,
    stop: Arc<AtomicBool>,
}

impl Server {
    /// Serves what `answer` says to each path.
    pub fn start(answer: impl Fn(&str) -> Answer + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requested_paths = Arc::<Mutex<Vec<String>>>::default();
        let stop = Arc::<AtomicBool>::default();
        let answer = Arc::new(answer);
        let (list, end) = (Arc::clone(&requested_paths), Arc::clone(&stop));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if end.load(Ordering::Relaxed) {
                    return;
                }
                let (answer, list, end) = (Arc::clone(&answer), Arc::clone(&list), Arc::clone(&end));
                // The client may disconnect at any time.
                thread::spawn(move || drop(serve(stream, &*answer, &list, &end)));
            }
        });
        Server { address, requested_paths, stop }
    }

    /// The address of a path, which starts with `/`.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The paths asked for so far.
    pub fn requested_paths(&self) -> Vec<String> {
        self.requested_paths.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Wakes the thread that waits for connections.
        drop(TcpStream::connect(self.address));
    }
}

fn serve(
    mut stream: TcpStream,
    answer: &(dyn Fn(&str) -> Answer + Send + Sync),
    requested_paths: &Mutex<Vec<String>>,
    stop: &AtomicBool,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request = lines.next().unwrap_or(Ok(String::new()))?;
    let path = request.split(' ').nth(1).unwrap_or_default().to_string();
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    if path.is_empty() {
        return Ok(());
    }
    requested_paths.lock().unwrap().push(path.clone());
    let mut head = |status: &str, more: &str| {
        write!(stream, "HTTP/1.1 {status}\r\n{more}Connection: close\r\n\r\n")?;
        Ok::<_, std::io::Error>(())
    };
    let wait_for = |flag: &AtomicBool| {
        while !stop.load(Ordering::Relaxed) && !flag.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(5));
        }
    };
    let wait = || wait_for(stop);
    match answer(&path) {
        Answer::Body(body) => {
            head("200 OK", &format!("Content-Length: {}\r\n", body.len()))?;
            stream.write_all(&body)?;
        }
        Answer::Status(status) => head(status, "Content-Length: 0\r\n")?,
        Answer::Redirect(to) => head("302 Found", &format!("Location: {to}\r\nContent-Length: 0\r\n"))?,
        Answer::Cut(body) => {
            head("200 OK", &format!("Content-Length: {}\r\n", body.len() + 10))?;
            stream.write_all(&body)?;
        }
        Answer::Long(length) => head("200 OK", &format!("Content-Length: {length}\r\n"))?,
        Answer::Endless => {
            head("200 OK", "")?;
            while !stop.load(Ordering::Relaxed) {
                stream.write_all(&[0; 4096])?;
            }
        }
        Answer::Stalling => {
            head("200 OK", "Content-Length: 100\r\n")?;
            stream.write_all(b"some")?;
            wait();
        }
        Answer::Held(flag, body) => {
            wait_for(&flag);
            head("200 OK", &format!("Content-Length: {}\r\n", body.len()))?;
            stream.write_all(&body)?;
        }
        Answer::Silent => wait(),
    }
    Ok(())
}
