//! A program with a server, as scripts see it: by HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;
use std::sync::mpsc;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use skidpad_test_support::watched::{Watch, Watched};

use crate::support::Lab;

/// How long an answer may take on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A replay or a run with its viewer's server.
pub struct Running {
    child: Watched,
    /// Where it listens.
    pub address: String,
    /// What it said until then.
    pub said: String,
}

impl Running {
    /// Starts the program with these arguments and a server.
    pub fn start(lab: &Lab, arguments: &str) -> Running {
        let mut command = lab.skidpad(&format!("{arguments} --web 127.0.0.1:0"));
        let mut child = command.stderr(Stdio::piped()).stdout(Stdio::null()).watch();
        let (mut said, mut address) = (String::new(), None);
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let (sender, receiver) = mpsc::channel();
        // Keeps the pipe open for the program's output.
        std::thread::spawn(move || lines.for_each(|line| drop(sender.send(line))));
        while address.is_none() {
            let line = receiver.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("it ends or hangs: {said}")).unwrap();
            address = line.strip_prefix("viewer: http://").map(|url| url.trim_end_matches('/').to_owned());
            said += &format!("{line}\n");
        }
        Running { child, address: address.unwrap(), said }
    }

    /// Status and JSON of an answer.
    pub fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}")))
    }

    /// Ends it; its status.
    pub fn end(self) -> Option<i32> {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        self.ended()
    }

    /// Its status, once it has ended by itself.
    pub fn ended(mut self) -> Option<i32> {
        self.child.wait().code()
    }
}
