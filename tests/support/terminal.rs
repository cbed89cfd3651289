//! A terminal of a given size for the program, and what is on it.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use skidpad_test_support::watched::{Watch, Watched};

/// A program on a terminal.
pub struct OnTerminal {
    pub child: Watched,
    output: Receiver<Vec<u8>>,
    seen: Vec<u8>,
}

/// How long an output may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl OnTerminal {
    /// Starts a program whose streams are a terminal with so many columns.
    pub fn start(mut command: Command, columns: u16) -> OnTerminal {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let open = || OpenOptions::new().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let slave = open();
        let size = Winsize { ws_row: 40, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&slave, size).unwrap();
        let child = command.stdin(open()).stdout(open()).stderr(slave).env("TERM", "xterm").watch();
        // The command keeps its ends of the terminal open.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut master = File::from(master);
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // Reading fails once the program has closed the terminal.
            while let Ok(count @ 1..) = master.read(&mut buffer) {
                let _ = sender.send(buffer[..count].to_vec());
            }
        });
        OnTerminal { child, output, seen: Vec::new() }
    }

    /// Waits until the program has written this.
    pub fn wait_for(&mut self, text: &str) {
        let begun = Instant::now();
        while !String::from_utf8_lossy(&self.seen).contains(text) {
            let more = self.output.recv_timeout(PATIENCE.saturating_sub(begun.elapsed()));
            let last = &self.seen[self.seen.len().saturating_sub(500)..];
            let more = more.unwrap_or_else(|_| panic!("no {text:?}: {:?}", String::from_utf8_lossy(last)));
            self.seen.extend(more);
        }
    }

    /// Status and output of the program, once it has ended; none: a signal has ended it.
    pub fn end(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().code();
        self.seen.extend(self.output.iter().flatten());
        (status, String::from_utf8(self.seen).unwrap())
    }
}

/// The lines that are left on the screen after this output, without colours.
pub fn screen(output: &str) -> Vec<String> {
    let (mut lines, mut row, mut column) = (vec![Vec::new()], 0, 0);
    let mut characters = output.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\n' => {
                row += 1;
                if lines.len() == row {
                    lines.push(Vec::new());
                }
            }
            '\r' => column = 0,
            '\x1b' => {
                assert_eq!(characters.next(), Some('['), "{output:?}");
                let mut number = String::new();
                while let Some(digit) = characters.next_if(|c| c.is_ascii_digit() || ";?".contains(*c)) {
                    number.push(digit);
                }
                let count = number.parse().unwrap_or(1);
                match characters.next() {
                    Some('A') => row -= count,
                    Some('B') => row += count,
                    Some('D') => column -= count,
                    Some('K') if number == "2" => lines[row].clear(),
                    Some('K') => lines[row].truncate(column),
                    Some('m' | 'h' | 'l') => {}
                    other => panic!("{other:?} in {output:?}"),
                }
            }
            c => {
                let line: &mut Vec<char> = &mut lines[row];
                if line.len() <= column {
                    line.resize(column + 1, ' ');
                }
                line[column] = c;
                column += 1;
            }
        }
    }
    lines.into_iter().map(|line| line.into_iter().collect::<String>().trim_end().to_owned()).collect()
}
