//! The size of a picture.

use std::str::FromStr;

use skidpad_files::diagnostic::Diagnostic;

/// Width and height of a picture [px].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// [px].
    pub width: u32,
    /// [px].
    pub height: u32,
}

impl FromStr for Size {
    type Err = Diagnostic;

    /// Reads `WIDTHxHEIGHT`.
    fn from_str(text: &str) -> Result<Size, Diagnostic> {
        let number = |text: &str| text.parse::<u32>().ok().filter(|n| (200..=8000).contains(n));
        text.split_once('x')
            .and_then(|(width, height)| Some(Size { width: number(width)?, height: number(height)? }))
            .ok_or_else(|| {
                let accepted = "WIDTHxHEIGHT in pixels, each 200 to 8000, such as 1200x700";
                Diagnostic::of("not a size").accepted(accepted)
            })
    }
}
