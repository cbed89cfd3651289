//! The address that the server listens on: parsing and binding.

use std::fmt;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener, ToSocketAddrs};
use std::str::FromStr;

use skidpad_files::diagnostic::Diagnostic;

use super::WebError;

/// Where to listen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listen {
    /// Name or address of this machine; none: 127.0.0.1.
    pub host: Option<String>,
    /// The port, 0 for any that is free; none: the first free one from [`Listen::PORT`] on.
    pub port: Option<u16>,
}

impl Listen {
    /// The default port.
    pub const PORT: u16 = 8520;
    /// The last port that is tried without a given port.
    pub(crate) const LAST_PORT: u16 = 8539;

    /// Binds the port.
    pub(super) fn bind(&self) -> Result<TcpListener, WebError> {
        let host = self.host.as_deref().unwrap_or("127.0.0.1");
        let ports = self.port.map_or(Listen::PORT..=Listen::LAST_PORT, |port| port..=port);
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for port in ports {
            match bind(host, port) {
                Ok(listener) => return Ok(listener),
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => last = error,
                Err(error) => return Err(self.failed(&error)),
            }
        }
        Err(self.failed(&last))
    }

    fn failed(&self, error: &io::Error) -> WebError {
        WebError::Listen { address: self.to_string(), reason: error.to_string() }
    }
}

/// Binds the first available address of a name.
fn bind(host: &str, port: u16) -> io::Result<TcpListener> {
    let addresses: Vec<SocketAddr> = (host, port).to_socket_addrs()?.collect();
    TcpListener::bind(addresses.as_slice())
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.host.as_deref().unwrap_or("127.0.0.1");
        let [open, close] = if host.contains(':') { ["[", "]"] } else { [""; 2] };
        match self.port {
            Some(port) => write!(f, "{open}{host}{close}:{port}"),
            None => write!(f, "{open}{host}{close}:{} to {}", Listen::PORT, Listen::LAST_PORT),
        }
    }
}

impl FromStr for Listen {
    type Err = Diagnostic;

    /// Reads `PORT`, `HOST:PORT` or `HOST`; addresses of IPv6 in brackets where a port follows.
    fn from_str(text: &str) -> Result<Listen, Diagnostic> {
        let wrong =
            || Diagnostic::of("not an address").accepted("PORT, HOST:PORT or HOST, such as 8521 or 0.0.0.0:8520");
        let port = |text: &str| text.parse().map(Some).map_err(|_| wrong());
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
        if is_number(text) {
            return Ok(Listen { host: None, port: port(text)? });
        }
        if let Ok(address) = text.trim_matches(['[', ']']).parse::<IpAddr>() {
            return Ok(Listen { host: Some(address.to_string()), port: None });
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, number)) => (host.trim_matches(['[', ']']), port(number)?),
            None => (text, None),
        };
        let is_address = host.parse::<IpAddr>().is_ok();
        let is_name = !host.is_empty() && host.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c));
        if is_address || is_name { Ok(Listen { host: Some(host.into()), port }) } else { Err(wrong()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listen(host: Option<&str>, port: Option<u16>) -> Result<Listen, Diagnostic> {
        Ok(Listen { host: host.map(Into::into), port })
    }

    #[test]
    fn ports_hosts_and_both_are_understood() {
        assert_eq!("8521".parse(), listen(None, Some(8521)));
        assert_eq!("0.0.0.0".parse(), listen(Some("0.0.0.0"), None));
        assert_eq!("0.0.0.0:80".parse(), listen(Some("0.0.0.0"), Some(80)));
        assert_eq!("::1".parse(), listen(Some("::1"), None));
        assert_eq!("[::1]:80".parse(), listen(Some("::1"), Some(80)));
        assert_eq!("my-robot.local:0".parse(), listen(Some("my-robot.local"), Some(0)));
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for bad in ["", "70000", "host:", ":80", "a b", "http://host:80", "host:80/x", "-1:-1"] {
            let message = bad.parse::<Listen>().unwrap_err();
            assert!(
                message.to_string().starts_with("not an address\n  accepted: PORT, HOST:PORT or HOST"),
                "{bad}: {message}"
            );
        }
    }

    #[test]
    fn the_next_free_port_is_used_only_if_none_was_given() {
        let first = Listen { host: None, port: Some(0) }.bind().unwrap();
        let port = first.local_addr().unwrap().port();
        let error = Listen { host: None, port: Some(port) }.bind().unwrap_err().to_string();
        assert!(error.starts_with(&format!("--web 127.0.0.1:{port}: cannot listen: ")), "{error}");
        let second = Listen::default().bind().unwrap();
        let third = Listen::default().bind().unwrap();
        let ports = [&second, &third].map(|listener| listener.local_addr().unwrap().port());
        assert!(Listen::PORT <= ports[0] && ports[0] < ports[1] && ports[1] <= Listen::LAST_PORT, "{ports:?}");
    }
}
