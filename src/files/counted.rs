//! Numbers of things in sentences.

/// So many things of this `name`, which takes an s where there are several: `1 ring`, `2 rings`, `no rings`.
pub fn counted(count: usize, name: &str) -> String {
    match count {
        0 => format!("no {name}s"),
        1 => format!("1 {name}"),
        _ => format!("{count} {name}s"),
    }
}

/// So many rows and columns, or the like, of things of this `name`: `1 x 1 pixel`, `4 x 3 pixels`.
pub fn counted_by([a, b]: [usize; 2], name: &str) -> String {
    let plural = if a == 1 && b == 1 { "" } else { "s" };
    format!("{a} x {b} {name}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_singular() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "ring")), ["no rings", "1 ring", "2 rings"]);
        assert_eq!([[1, 1], [1, 4]].map(|size| counted_by(size, "pixel")), ["1 x 1 pixel", "1 x 4 pixels"]);
    }
}
