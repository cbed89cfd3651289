//! gzip of what the server sends, for those who take it.

use std::io::Write;

use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, HeaderMap};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Whether whoever sends these headers takes gzip: they name it, or else any coding, with a weight above 0 (RFC 9110, section 12.5.3).
pub(super) fn takes_gzip(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let (mut named, mut any) = (None, None);
    for entry in lists.flat_map(|list| list.split(',')) {
        let (coding, parameter) = entry.split_once(';').unwrap_or((entry, "q=1"));
        let (name, weight) = parameter.split_once('=').unwrap_or_default();
        let is_weight = name.trim().eq_ignore_ascii_case("q");
        let is_taken = is_weight && weight.trim().parse::<f32>().is_ok_and(|weight| weight > 0.0);
        match coding.trim() {
            "*" => any = Some(is_taken),
            coding if ["gzip", "x-gzip"].iter().any(|gzip| coding.eq_ignore_ascii_case(gzip)) => named = Some(is_taken),
            _ => {}
        }
    }
    named.or(any).unwrap_or(false)
}

/// These bytes in gzip.
pub(super) fn gzip(content: &[u8], level: Compression) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), level);
    // Writing to a buffer in memory cannot fail.
    let _ = encoder.write_all(content);
    encoder.finish().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn gzip_is_for_those_who_name_it_with_a_weight() {
        let taken = ["gzip", "deflate, GZIP", "br;q=1.0, gzip; q=0.5", "x-gzip", "*", "*;q=0, gzip;Q=0.001"];
        let refused = ["", "br", "gzip;q=0", "gzip; q=0.000, br", "*;q=0", "gzip;q=0, *", "gzipped", "gzip;q=much"];
        for (texts, expected) in [(&taken[..], true), (&refused[..], false)] {
            for text in texts {
                let headers = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(text))]);
                assert_eq!(takes_gzip(&headers), expected, "{text}");
            }
        }
        assert!(!takes_gzip(&HeaderMap::new()));
        let mut several = HeaderMap::new();
        several.append(ACCEPT_ENCODING, HeaderValue::from_static("br"));
        several.append(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        assert!(takes_gzip(&several));
    }
}
