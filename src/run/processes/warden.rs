//! A process that ends the programs when this one ends without having done so: when it is killed, which it cannot notice itself.
//!
//! A shell in a group of its own reads the numbers of the groups from a pipe. When this process ends in any way the system closes the pipe, and the
//! shell ends the groups that were named last. The system's signal at the end of a parent (`PR_SET_PDEATHSIG`) does not do: it comes to the
//! program alone, not to what that has started, and comes already when the thread ends that has started it.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

use rustix::process::Pid;
use skidpad_files::diagnostic::Diagnostic;

/// Reads a line for each change, with the numbers of all groups; after the last one it asks them to end, and then makes them.
const SCRIPT: &str = "
while read -r line; do groups=$line; done
[ -n \"$groups\" ] || exit 0
for group in $groups; do kill -s TERM -- -\"$group\"; done
sleep 1
for group in $groups; do kill -s KILL -- -\"$group\"; done
";

/// The process that watches, once there is something to watch.
#[derive(Debug)]
pub(super) struct Warden {
    shell: Option<Child>,
    has_warned: bool,
}

impl Warden {
    /// Nothing has been started.
    pub(super) const NONE: Warden = Warden { shell: None, has_warned: false };

    /// Names the groups that are to end with this process.
    pub(super) fn watch(&mut self, groups: &[Pid]) {
        if self.shell.is_none() && groups.is_empty() {
            return;
        }
        let numbers: Vec<String> = groups.iter().map(|group| group.as_raw_pid().to_string()).collect();
        let line = numbers.join(" ") + "\n";
        // Somebody may have ended the shell.
        if self.tell(&line).is_err() {
            self.shell = None;
            let again = self.tell(&line);
            if let Err(error) = again
                && !std::mem::replace(&mut self.has_warned, true)
            {
                let found = format!("cannot watch this process: {error}");
                let reported =
                    Diagnostic::new("sh", found).hint("processes beside runs keep running if skidpad is killed");
                tracing::warn!(diagnostic = reported.as_value());
            }
        }
    }

    fn tell(&mut self, line: &str) -> std::io::Result<()> {
        let shell = match &mut self.shell {
            Some(shell) => shell,
            none => none.insert(start()?),
        };
        shell.stdin.as_mut().map_or(Ok(()), |pipe| pipe.write_all(line.as_bytes()))
    }
}

fn start() -> std::io::Result<Child> {
    let mut command = Command::new("sh");
    // A signal to the group of this process does not reach it.
    command.args(["-c", SCRIPT]).current_dir("/").process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}
