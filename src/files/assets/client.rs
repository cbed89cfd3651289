//! The HTTP client, in builds with feature `network`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use ureq::Error;

pub(super) use ureq::Agent;

use super::checksum::copy_summed;
use super::fetch::{Failure, server, size};
use super::{Cancel, Limits};
use crate::file_error::FileError;

/// Whether an address is on this machine, which no proxy can reach.
fn is_loopback(url: &str) -> bool {
    let authority = server(url).split_once("://").map_or("", |(_, authority)| authority);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    ["localhost", "127.0.0.1", "[::1]"].iter().any(|loopback| {
        let after = host.strip_prefix(loopback);
        after.is_some_and(|port| port.is_empty() || port.starts_with(':'))
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
        return Err(Failure::other(format!("server answers \"{}\" to \"{url}\"", answer.trim())));
    }
    let too_long = || Failure::other(format!("more than {} at \"{url}\"", size(limits.fetched)));
    let expected = response.body().content_length();
    if expected.is_some_and(|length| length > limits.fetched) {
        return Err(too_long());
    }
    let written = |error: io::Error| Failure::Other(FileError::write(into, error).into());
    let mut file = File::create_new(into).map_err(written)?;
    let mut body = cancel.reader(response.body_mut().as_reader().take(limits.fetched + 1));
    let (sum, length) = copy_summed(&mut body, &mut file).map_err(|error| broken(url, error))?;
    if length > limits.fetched {
        return Err(too_long());
    }
    if let Some(expected) = expected.filter(|expected| *expected != length) {
        return Err(Failure::other(format!("only {length} of {expected} bytes of \"{url}\" came")));
    }
    Ok(sum)
}

/// Describes an error before the response.
fn explain(url: &str, error: Error) -> Failure {
    match error {
        Error::Timeout(_) => Failure::Unreachable("it does not answer in time".to_string()),
        Error::HostNotFound => Failure::Unreachable("host not found".to_string()),
        Error::ConnectionFailed => Failure::Unreachable("connection failed".to_string()),
        Error::Io(error) => Failure::Unreachable(in_words(&error)),
        Error::Tls(_) | Error::Rustls(_) => Failure::Unreachable(error.to_string()),
        Error::TooManyRedirects | Error::RedirectFailed => Failure::other(format!("too many redirects from \"{url}\"")),
        Error::RequireHttpsOnly(_) => Failure::other(format!("a redirect to an address without https from \"{url}\"")),
        Error::BadUri(_) | Error::Http(_) => Failure::other(format!("no valid address in \"{url}\"")),
        other => Failure::other(format!("no valid answer ({other}) to \"{url}\"")),
    }
}

/// Describes an error during the response.
fn broken(url: &str, error: io::Error) -> Failure {
    let is_timeout = |inner: &Error| matches!(inner, Error::Timeout(_));
    if error.get_ref().and_then(|inner| inner.downcast_ref()).is_some_and(is_timeout) {
        return Failure::Unreachable("it stopped in the middle of an answer".to_string());
    }
    match error.kind() {
        io::ErrorKind::StorageFull => Failure::other(format!("no space left for \"{url}\"")),
        _ => Failure::other(format!("broken answer ({}) to \"{url}\"", in_words(&error))),
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
    fn loopback_is_known_by_its_host() {
        assert!(
            is_loopback("http://127.0.0.1:80/x") && is_loopback("http://localhost") && is_loopback("http://[::1]:8/")
        );
        assert!(!is_loopback("http://127.0.0.1.example.org/x") && !is_loopback("https://example.org/localhost"));
    }
}
