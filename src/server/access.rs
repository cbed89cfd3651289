//! Access control: the token, and checks of the Host and Origin headers, so that no foreign page gets in through a browser.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{AUTHORIZATION, HOST, ORIGIN, SEC_WEBSOCKET_PROTOCOL};
use axum::http::{HeaderMap, StatusCode, Uri};
use sha2::{Digest, Sha256};

use super::WebError;
use super::refusal::Refusal;

/// Prefix of the token among the subprotocols that a viewer offers.
const SUBPROTOCOL: &str = "token.";

/// Accepted lengths of tokens.
const LENGTHS: std::ops::RangeInclusive<usize> = 8..=128;

/// The rules of a server.
#[derive(Debug)]
pub(super) struct Access {
    /// Digest of the token; none: no token is required.
    token: Option<[u8; 32]>,
    /// Where it listens.
    bound: IpAddr,
}

impl Access {
    /// The rules for a server at this address, and the token that was generated if one is required and none is given.
    pub(super) fn new(bound: SocketAddr, given: Option<&str>) -> Result<(Access, Option<String>), WebError> {
        let token = match given {
            Some(token) => Some(check(token)?),
            None if bound.ip().is_loopback() => None,
            None => Some(format!("{:032x}", rand::random::<u128>())),
        };
        let digest = token.as_deref().map(digest);
        Ok((Access { token: digest, bound: bound.ip() }, token))
    }

    /// Fails unless the request names this server as its host and does not come from another page.
    pub(super) fn check_origin(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let forbidden = |reason: String| Err(Refusal::new(StatusCode::FORBIDDEN, reason));
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let Some(host) = text(HOST) else {
            return Err(Refusal::new(StatusCode::BAD_REQUEST, "Host: missing\n  accepted: the name of this server"));
        };
        // Without a token, the host name is the only protection against DNS rebinding.
        if self.token.is_none() && !self.is_own(host_of(host)) {
            return forbidden(format!(
                "Host: \"{host}\" is not a name of this server\n  accepted: localhost, 127.0.0.1, [::1]\n  hint: other names need \
                 a token (--web-token)"
            ));
        }
        let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
        let authority =
            origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, authority)| authority);
        match authority {
            Some(authority) if authority.eq_ignore_ascii_case(host) => Ok(()),
            Some(_) | None => forbidden(format!(
                "Origin: {origin:?} is another page\n  accepted: that of this server, whose authority is {host:?}"
            )),
        }
    }

    fn is_own(&self, host: &str) -> bool {
        if host.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
        address.is_ok_and(|address| address.is_loopback() || address == self.bound)
    }

    /// Fails unless the required token is in the request's headers or in its query.
    pub(super) fn check_token(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refusal> {
        let Some(wanted) = &self.token else { return Ok(()) };
        let token = bearer(headers).or_else(|| subprotocol(headers)).or_else(|| query(uri));
        let refuse = |fault: &str| {
            let reason = format!(
                "token: {fault}\n  accepted: the one in the link that skidpad printed, as Authorization: Bearer TOKEN, as subprotocol \
                 token.TOKEN, or as ?token=TOKEN"
            );
            Err(Refusal::new(StatusCode::UNAUTHORIZED, reason))
        };
        match token {
            None => refuse("missing"),
            Some(token) if is_equal(&digest(token), wanted) => Ok(()),
            Some(_) => refuse("wrong token"),
        }
    }
}

fn check(token: &str) -> Result<String, WebError> {
    let fits = token.bytes().all(|c| c.is_ascii_alphanumeric() || b"-._~".contains(&c));
    if fits && LENGTHS.contains(&token.len()) { Ok(token.into()) } else { Err(WebError::Token) }
}

/// The host of a Host header, without its port.
fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port))
            if port.bytes().all(|c| c.is_ascii_digit()) && (!host.contains(':') || host.ends_with(']')) =>
        {
            host
        }
        Some(_) | None => authority,
    }
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// Comparison in constant time.
fn is_equal(a: &[u8; 32], b: &[u8; 32]) -> bool {
    std::hint::black_box(a.iter().zip(b).fold(0, |differences, (a, b)| differences | (a ^ b))) == 0
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

fn subprotocol(headers: &HeaderMap) -> Option<&str> {
    let offered = headers.get_all(SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|value| value.to_str().ok());
    offered.flat_map(|list| list.split(',')).find_map(|name| name.trim().strip_prefix(SUBPROTOCOL))
}

fn query(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use axum::http::header::HeaderName;

    fn access(bound: &str, token: Option<&str>) -> Access {
        Access::new(bound.parse().unwrap(), token).unwrap().0
    }

    fn headers(list: &[(HeaderName, &str)]) -> HeaderMap {
        list.iter().map(|(name, value)| (name.clone(), HeaderValue::from_str(value).unwrap())).collect()
    }

    fn status(result: Result<(), Refusal>) -> u16 {
        result.map_or_else(|refusal| refusal.status.as_u16(), |()| 200)
    }

    #[test]
    fn only_addresses_beyond_this_machine_require_a_token() {
        let made = |bound: &str| Access::new(bound.parse().unwrap(), None).unwrap().1;
        assert_eq!((made("127.0.0.1:80"), made("[::1]:80")), (None, None));
        let tokens = [made("0.0.0.0:80").unwrap(), made("0.0.0.0:80").unwrap()];
        assert!(tokens.iter().all(|token| token.len() == 32) && tokens[0] != tokens[1], "{tokens:?}");
    }

    #[test]
    fn tokens_of_users_are_long_enough_and_fit_a_header() {
        for bad in ["", "short", "with space", "with,comma", &"x".repeat(129)] {
            assert!(matches!(Access::new("127.0.0.1:80".parse().unwrap(), Some(bad)), Err(WebError::Token)), "{bad}");
        }
    }

    #[test]
    fn without_a_token_only_own_host_names_are_accepted() {
        let access = access("127.0.0.1:8520", None);
        let check = |host: &str| status(access.check_origin(&headers(&[(HOST, host)])));
        for own in ["localhost:8520", "LOCALHOST", "127.0.0.1:9", "127.3.2.1", "[::1]:8520", "[::1]"] {
            assert_eq!(check(own), 200, "{own}");
        }
        for other in ["evil.example", "evil.example:8520", "localhost.evil.example", "10.0.0.1:8520", "127.0.0.1.x", ""]
        {
            assert_eq!(check(other), 403, "{other}");
        }
        assert_eq!(status(access.check_origin(&HeaderMap::new())), 400);
    }

    #[test]
    fn foreign_pages_are_refused_even_with_a_token() {
        for access in [access("127.0.0.1:8520", None), access("0.0.0.0:8520", Some("0123456789"))] {
            let check =
                |origin: &str| status(access.check_origin(&headers(&[(HOST, "localhost:8520"), (ORIGIN, origin)])));
            assert_eq!(check("http://localhost:8520"), 200);
            for other in ["http://localhost:8521", "https://evil.example", "null", "http://localhost"] {
                assert_eq!(check(other), 403, "{other}");
            }
        }
    }

    #[test]
    fn the_token_may_come_in_three_ways() {
        let access = access("0.0.0.0:8520", Some("0123456789"));
        let check =
            |list: &[(HeaderName, &str)], uri: &str| status(access.check_token(&headers(list), &uri.parse().unwrap()));
        assert_eq!(check(&[(AUTHORIZATION, "Bearer 0123456789")], "/"), 200);
        assert_eq!(check(&[(SEC_WEBSOCKET_PROTOCOL, "skidpad.v1, token.0123456789")], "/"), 200);
        assert_eq!(check(&[], "/api/scene?x=1&token=0123456789"), 200);
        for wrong in ["/", "/?token=", "/?token=012345678", "/?token=01234567890", "/?xtoken=0123456789"] {
            assert_eq!(check(&[], wrong), 401, "{wrong}");
        }
        assert_eq!(check(&[(AUTHORIZATION, "Basic 0123456789")], "/"), 401);
    }
}
