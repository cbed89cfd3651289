//! What clients of the viewer's server send, right and wrong: orders, frames of WebSockets, requests of HTTP.

use rand::Rng as _;

use super::Rng;
use super::damage::{choice, damage};

/// In place of a number of an order.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "0.3",
    "2.5",
    "-4",
    "1e-9",
    "1e9",
    "1e308",
    "-1e308",
    "1e999",
    "-0",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "18446744073709551616",
    "null",
    "true",
    "\"1\"",
    "[]",
    "{}",
    "NaN",
    "",
    "1.0",
    "100000",
    "0.001",
];

const ORDERS: &[&str] = &[
    r#"{"do":"watch","rate":#,"points":"all","stride":#}"#,
    r#"{"do":"watch","rate":60,"points":"all","stride":1}"#,
    r#"{"do":"watch","rate":30,"points":{"vehicle":#},"stride":4}"#,
    r#"{"do":"pause"}"#,
    r#"{"do":"resume"}"#,
    r#"{"do":"step","count":#}"#,
    r#"{"do":"step","count":10}"#,
    r#"{"do":"reset"}"#,
    r#"{"do":"set_rate","rate":#}"#,
    r#"{"do":"set_rate","rate":1}"#,
    r#"{"do":"drive","vehicle":#,"speed":#,"turn":#}"#,
    r#"{"do":"drive","vehicle":0,"speed":1,"turn":#}"#,
    r#"{"do":"drive","vehicle":0,"speed":#,"turn":#,"sideways":#}"#,
    r#"{"do":"pedals","vehicle":#,"throttle":#,"brake":#,"reverse":false,"steering_angle":#}"#,
    r#"{"do":"place","entity":#,"x":#,"y":#,"z":null,"yaw":#}"#,
    r#"{"do":"place","entity":#,"x":1,"y":0.5,"z":#,"yaw":0}"#,
    r#"{"do":"seek","time":#}"#,
    r#"{"do":"quit"}"#,
    r#"{"do":"pause","more":#}"#,
    "#",
];

/// Paths of the server, and some that do not exist.
const PATHS: &[&str] = &[
    "/",
    "/api/health",
    "/api/scene",
    "/api/state",
    "/api/status",
    "/api/orders",
    "/api/maps/0.png",
    "/api/maps/-1.png",
    "/api/parts/0123456789abcdef0123456789abcdef",
    "/api/parts/..",
    "/api/files/0/x.dae",
    "/api/files/0/../../../etc/passwd",
    "/api/files/99999999999999999999/x",
    "/api/files/0/%2e%2e/%2e%2e/x",
    "/api/socket",
    "/index.html",
    "/assets/../..",
    "/%00",
    "/%",
    "*",
    "http://127.0.0.1/",
    "//",
    "/?token=x",
    "/api/state?%ff",
    "",
];

const HEADERS: &[&str] = &[
    "Connection: close",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Upgrade: h2c",
    "Transfer-Encoding: chunked",
    "Content-Length: 10",
    "Content-Length: -1",
    "Content-Length: 18446744073709551615",
    "Content-Length: 70000",
    "Expect: 100-continue",
    "Content-Type: application/json",
    "Accept-Encoding: gzip, br",
    "Range: bytes=0-18446744073709551615",
    "If-None-Match: *",
    "Origin: http://elsewhere.example",
    "Origin: null",
    "Authorization: Bearer x",
    "Host: elsewhere.example",
    "Cookie: a=b",
    "Sec-WebSocket-Version: 99",
    "Sec-WebSocket-Key: x",
    "Sec-WebSocket-Protocol: chat",
    "X: \u{1}",
    " folded",
    "no colon",
    ": empty",
];

/// An order: right, out of range, or none at all.
pub(crate) fn order(rng: &mut Rng) -> String {
    let mut text = String::new();
    for piece in choice(rng, ORDERS).split_inclusive('#') {
        match piece.strip_suffix('#') {
            Some(before) => text += &format!("{before}{}", choice(rng, NUMBERS)),
            None => text += piece,
        }
    }
    if rng.random_ratio(1, 10) {
        let mut bytes = text.into_bytes();
        damage(&mut bytes, b"{\"id\":1,\"order\":[[[[[[[[", rng);
        text = String::from_utf8_lossy(&bytes).into_owned();
    }
    text
}

/// The same as a viewer sends it.
pub(crate) fn message(rng: &mut Rng) -> String {
    let order = order(rng);
    match rng.random_range(0..12) {
        0 => order,
        1 => "[".repeat(rng.random_range(0..70_000)),
        2 => format!("{{\"order\":{order},\"id\":{}}}", choice(rng, NUMBERS)),
        _ => format!("{{\"id\":{},\"order\":{order}}}", rng.random_range(0..1000)),
    }
}

/// A frame of a client, masked with zeros.
pub(crate) fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match payload.len() {
        length @ 0..=125 => bytes.push(0x80 | length as u8),
        length @ 126..=0xffff => {
            bytes.push(0x80 | 126);
            bytes.extend((length as u16).to_be_bytes());
        }
        length => {
            bytes.push(0x80 | 127);
            bytes.extend((length as u64).to_be_bytes());
        }
    }
    bytes.extend([0; 4]);
    bytes.extend(payload);
    bytes
}

pub(crate) const TEXT: u8 = 0x81;
pub(crate) const PING: u8 = 0x89;

/// A frame, or some that belong together, of any kind.
pub(crate) fn frames(rng: &mut Rng) -> Vec<u8> {
    let text = message(rng);
    match rng.random_range(0..14) {
        // In pieces, with a ping among them.
        0 | 1 => {
            let text = text.as_bytes();
            let mut bytes = Vec::new();
            let pieces = rng.random_range(1..20);
            for index in 0..pieces {
                let piece = &text[text.len() * index / pieces..text.len() * (index + 1) / pieces];
                let last = if index + 1 == pieces { 0x80 } else { 0 };
                bytes.extend(frame(last | u8::from(index == 0), piece));
                if rng.random_ratio(1, 4) {
                    bytes.extend(frame(PING, b"between"));
                }
            }
            bytes
        }
        // A message of many pieces that does not end.
        2 => [frame(1, b"x"), frame(0, &vec![b' '; rng.random_range(0..9000)]).repeat(8)].concat(),
        3 => frame(0x82, text.as_bytes()),
        4 => frame(PING, &vec![0; rng.random_range(0..130)]).repeat(rng.random_range(1..50)),
        5 => frame(0x8a, b"pong that nobody asked for").repeat(rng.random_range(1..50)),
        6 => frame(0x88, &rng.random::<[u8; 8]>()[..rng.random_range(0..8)]),
        7 => frame(rng.random(), text.as_bytes()),
        // Not masked, or longer than it is.
        8 => [&[TEXT, rng.random_range(0..126)][..], text.as_bytes()].concat(),
        9 => [&[TEXT, 0xff][..], &rng.random::<[u8; 8]>(), &[0; 4], text.as_bytes()].concat(),
        10 => frame(TEXT, &rng.random::<[u8; 32]>()),
        11 => frame(TEXT, &vec![b' '; rng.random_range(60_000..200_000)]),
        _ => frame(TEXT, text.as_bytes()),
    }
}

/// Asks for a WebSocket, in vain now and then.
pub(crate) fn upgrade(host: &str, rng: &mut Rng) -> Vec<u8> {
    let mut text = format!(
        "GET /api/socket HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: skidpad.v1\r\n"
    );
    if rng.random_ratio(1, 20) {
        text += &format!("{}\r\n", choice(rng, HEADERS));
    }
    (text + "\r\n").into_bytes()
}

/// A request with a body or without, of which something may be wrong.
pub(crate) fn request(host: &str, rng: &mut Rng) -> Vec<u8> {
    let mut text = match rng.random_range(0..3) {
        0 => {
            let order = order(rng);
            let length = order.len();
            format!("POST /api/orders HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{order}")
        }
        _ => {
            let method = choice(rng, &["GET", "GET", "GET", "HEAD", "POST", "OPTIONS", "DELETE", "CONNECT", "PRI", "get", ""]);
            let version = choice(rng, &["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9", ""]);
            let mut text = format!("{method} {} {version}\r\nHost: {host}\r\n", choice(rng, PATHS));
            for _ in 0..*choice(rng, &[0, 0, 1, 2, 5, 200]) {
                text += &format!("{}\r\n", choice(rng, HEADERS));
            }
            if rng.random_ratio(1, 20) {
                text += &format!("X: {}\r\n", "x".repeat(rng.random_range(0..100_000)));
            }
            text + "\r\n"
        }
    }
    .into_bytes();
    if rng.random_ratio(1, 10) {
        damage(&mut text, b"GET / HTTP/1.1\r\n\r\nPOST", rng);
    }
    text
}
