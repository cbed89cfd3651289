//! The name that was probably meant by one that is not known.

/// The name among `names` that was probably meant by `written`: the closest one, if close enough. Another number is not a
/// typing error: `r7` was not meant to be `r1`. Nor is another letter in a word of three: `foo` was not meant to be `for`.
pub fn nearest<'a, S: AsRef<str>>(written: &str, names: &'a [S]) -> Option<&'a str> {
    let small = written.to_lowercase();
    let (distance, name) = names
        .iter()
        .filter(|name| {
            !differ_in_number(written, name.as_ref()) && !is_other_word(&small, &name.as_ref().to_lowercase())
        })
        .map(|name| (strsim::osa_distance(&small, &name.as_ref().to_lowercase()), name.as_ref()))
        .min_by_key(|(distance, _)| *distance)?;
    let limit = (written.chars().count() / 4).max(1);
    (distance <= limit && distance < name.chars().count()).then_some(name)
}

/// The hint at the name among `names` that was probably meant by `written`, see [`nearest`].
pub fn did_you_mean<S: AsRef<str>>(written: &str, names: &[S]) -> Option<String> {
    nearest(written, names).map(|meant| format!("did you mean \"{meant}\"?"))
}

/// Whether two names have the same stem, each with another number at its end.
fn differ_in_number(a: &str, b: &str) -> bool {
    let stem = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (of_a, of_b) = (stem(a), stem(b));
    a != b && of_a < a.len() && of_b < b.len() && a[..of_a] == b[..of_b]
}

/// Whether two names are so short that another letter in the same place makes another word.
fn is_other_word(a: &str, b: &str) -> bool {
    let letters = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    let (of_a, of_b) = (letters(a), letters(b));
    of_a.len() <= 3 && of_a.len() == of_b.len() && of_a != of_b
}
