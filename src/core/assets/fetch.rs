//! Fetches one file over HTTP.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use ureq::{Agent, Error};

use super::checksum::copy_summed;
use super::{Cancel, Limits};

/// Why a file could not be fetched.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server does not answer, for this reason; it is not asked again.
    Unreachable(String),
    /// Any other reason; messages continue the text with `for <tag>`.
    Other(String),
}

/// Scheme and host of an address: its server.
pub(super) fn server(url: &str) -> &str {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    &url[..end]
}

/// Whether an address is on this machine, which no proxy can reach.
fn is_loopback(url: &str) -> bool {
    let authority = server(url).split_once("://").map_or("", |(_, rest)| rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|own| {
        let rest = host.strip_prefix(own);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
    })
}

/// The HTTP client of one load.
pub(super) fn agent(limits: &Limits) -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(limits.redirects)
        .timeout_resolve(Some(limits.wait))
        .timeout_connect(Some(limits.wait))
        .timeout_recv_response(Some(limits.wait))
        .timeout_per_read(Some(limits.wait))
        .timeout_global(Some(limits.whole))
        .user_agent(concat!("skidpad/", env!("CARGO_PKG_VERSION")))
        .build()
        .new_agent()
}

/// Fetches `url` into a new file and returns its checksum.
pub(super) fn fetch(
    agent: &Agent,
    url: &str,
    limits: &Limits,
    cancel: &Cancel,
    into: &Path,
) -> Result<String, Failure> {
    // A redirect must not lead from an encrypted connection to a plain one.
    let request = agent.get(url).config().https_only(url.starts_with("https://")).max_redirects(limits.redirects);
    let request = if is_loopback(url) { request.proxy(None) } else { request };
    let mut response = request.build().call().map_err(|error| explain(url, error))?;
    let status = response.status();
    if !status.is_success() {
        let reason = status.canonical_reason().unwrap_or_default();
        let answer = format!("{} {reason}", status.as_u16());
        return Err(Failure::Other(format!("server answers \"{}\" to \"{url}\"", answer.trim())));
    }
    let too_long = || Failure::Other(format!("more than {} at \"{url}\"", size(limits.fetched)));
    let expected = response.body().content_length();
    if expected.is_some_and(|length| length > limits.fetched) {
        return Err(too_long());
    }
    let written = |error: io::Error| Failure::Other(format!("cannot write {} ({error})", into.display()));
    let mut file = File::create_new(into).map_err(written)?;
    let mut body = cancel.reader(response.body_mut().as_reader().take(limits.fetched + 1));
    let (sum, length) = copy_summed(&mut body, &mut file).map_err(|error| broken(url, error))?;
    if length > limits.fetched {
        return Err(too_long());
    }
    if let Some(expected) = expected.filter(|expected| *expected != length) {
        return Err(Failure::Other(format!("only {length} of {expected} bytes of \"{url}\" came")));
    }
    Ok(sum)
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

/// Describes an error before the response.
fn explain(url: &str, error: Error) -> Failure {
    match error {
        Error::Timeout(_) => Failure::Unreachable("it does not answer in time".to_string()),
        Error::HostNotFound => Failure::Unreachable("host not found".to_string()),
        Error::ConnectionFailed => Failure::Unreachable("connection failed".to_string()),
        Error::Io(error) => Failure::Unreachable(in_words(&error)),
        Error::Tls(_) | Error::Rustls(_) => Failure::Unreachable(error.to_string()),
        Error::TooManyRedirects | Error::RedirectFailed => Failure::Other(format!("too many redirects from \"{url}\"")),
        Error::RequireHttpsOnly(_) => Failure::Other(format!("a redirect to an address without https from \"{url}\"")),
        Error::BadUri(_) | Error::Http(_) => Failure::Other(format!("no valid address in \"{url}\"")),
        other => Failure::Other(format!("no valid answer ({other}) to \"{url}\"")),
    }
}

/// Describes an error during the response.
fn broken(url: &str, error: io::Error) -> Failure {
    let is_timeout = |inner: &Error| matches!(inner, Error::Timeout(_));
    if error.get_ref().and_then(|inner| inner.downcast_ref()).is_some_and(is_timeout) {
        return Failure::Unreachable("it stopped in the middle of an answer".to_string());
    }
    match error.kind() {
        io::ErrorKind::StorageFull => Failure::Other(format!("no space left for \"{url}\"")),
        _ => Failure::Other(format!("broken answer ({}) to \"{url}\"", in_words(&error))),
    }
}

fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused".to_string(),
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => "connection lost".to_string(),
        io::ErrorKind::UnexpectedEof => "cut short".to_string(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_distinguished_by_scheme_host_and_port() {
        assert_eq!(server("https://h:8/a/b.zip"), "https://h:8");
        assert_eq!(server("http://h?x"), "http://h");
        assert!(
            is_loopback("http://127.0.0.1:80/x") && is_loopback("http://localhost") && is_loopback("http://[::1]:8/")
        );
        assert!(!is_loopback("http://127.0.0.1.example.org/x") && !is_loopback("https://example.org/localhost"));
    }

    #[test]
    fn sizes_are_round() {
        assert_eq!([size(2 << 30), size(10 << 20), size(1500)], ["2 GiB", "10 MiB", "1500 bytes"]);
    }
}
