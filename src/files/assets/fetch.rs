//! What is said about a file that cannot be fetched, and about its server.

use crate::diagnostic::Diagnostic;

/// Why a file could not be fetched.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server does not answer, for this reason; it is not asked again.
    Unreachable(String),
    /// Any other reason; messages continue what was found with `for <tag>`.
    Other(Diagnostic),
}

impl Failure {
    /// Any other reason than a server that does not answer.
    pub(super) fn other(found: String) -> Failure {
        Failure::Other(Diagnostic::of(found))
    }
}

/// Scheme and host of an address: its server.
pub(super) fn server(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    &url[..end]
}

/// A number of bytes in readable form.
pub(super) fn size(bytes: u64) -> String {
    for (unit, name) in [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")] {
        if bytes >= unit && bytes.is_multiple_of(unit) {
            return format!("{} {name}", bytes / unit);
        }
    }
    format!("{bytes} bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_distinguished_by_scheme_host_and_port() {
        assert_eq!(server("https://h:8/a/b.zip"), "https://h:8");
        assert_eq!(server("http://h?x"), "http://h");
    }

    #[test]
    fn sizes_are_round() {
        assert_eq!([size(2 << 30), size(10 << 20), size(1500)], ["2 GiB", "10 MiB", "1500 bytes"]);
    }
}
