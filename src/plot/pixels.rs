//! A picture of pixels, with letters at their places: the library puts each at its left edge, whatever room it wants there, so that `j` and
//! `p` come too near or too far.

use std::error::Error;

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};
use plotters::prelude::BitMapBackend;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, text_anchor,
};

/// The backend of the library, but for its letters.
pub(super) struct Pixels<'a> {
    inner: BitMapBackend<'a>,
    font: FontRef<'static>,
}

impl<'a> Pixels<'a> {
    /// Draws on `pixels`, three bytes each, of a picture of this width and height.
    pub(super) fn new(pixels: &'a mut [u8], size: (u32, u32), font: FontRef<'static>) -> Pixels<'a> {
        Pixels { inner: BitMapBackend::with_buffer(pixels, size), font }
    }
}

/// Each letter of a text with the distance of its origin from the start of the text, for letters of this size as the library counts it.
pub(super) fn letters(font: &FontRef<'static>, text: &str, size: f64) -> Vec<(char, f32)> {
    let scaled = font.as_scaled(PxScale::from(size as f32));
    let (mut at, mut before) = (0.0, None);
    let mut letters = Vec::new();
    for letter in text.chars() {
        let glyph = scaled.glyph_id(letter);
        if let Some(before) = before.replace(glyph) {
            at += scaled.kern(before, glyph);
        }
        letters.push((letter, at));
        at += scaled.h_advance(glyph);
    }
    letters
}

/// Where a text begins on the page relative to its anchor: left edge and upper edge, before it is turned.
pub(super) fn corner<S: BackendTextStyle>(text: &str, style: &S) -> Result<(i32, i32), Box<dyn Error + Send + Sync>> {
    use text_anchor::{HPos, VPos};
    let ((left, top), (right, bottom)) = style.layout_box(text).map_err(Box::new)?;
    let (width, height) = (right - left, bottom - top);
    let dx = match style.anchor().h_pos {
        HPos::Left => 0,
        HPos::Right => -width,
        HPos::Center => -width / 2,
    };
    let dy = match style.anchor().v_pos {
        VPos::Top => 0,
        VPos::Center => -height / 2,
        VPos::Bottom => -height,
    };
    Ok((dx - left, dy - top))
}

impl<'a> DrawingBackend for Pixels<'a> {
    type ErrorType = <BitMapBackend<'a> as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.inner.get_size()
    }

    fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.inner.ensure_prepared()
    }

    fn present(&mut self) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.inner.present()
    }

    fn draw_pixel(
        &mut self,
        point: BackendCoord,
        color: BackendColor,
    ) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.inner.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.inner.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        self.inner.draw_rect(upper_left, bottom_right, style, fill)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        pos: BackendCoord,
    ) -> Result<(), DrawingErrorKind<Self::ErrorType>> {
        let color = style.color();
        if color.alpha == 0.0 {
            return Ok(());
        }
        let (left, top) = corner(text, style).map_err(DrawingErrorKind::FontError)?;
        let (turn, size) = (style.transform(), style.size());
        let (width, height) = self.get_size();
        let font = self.font.clone();
        for (letter, at) in letters(&font, text, size) {
            let mut glyph = font.as_scaled(PxScale::from(size as f32)).scaled_glyph(letter);
            // The library's lines have their base at half of the size.
            glyph.position = ab_glyph::point(at, 0.5 * size as f32);
            let Some(outline) = font.outline_glyph(glyph) else { continue };
            let bounds = outline.px_bounds();
            let mut covered: Vec<(i32, i32, f32)> = Vec::new();
            outline.draw(|x, y, share| covered.push((x as i32, y as i32, share)));
            for (x, y, share) in covered {
                let (x, y) = (x + bounds.min.x as i32 + left, y + bounds.min.y as i32 + top);
                let (x, y) = turn.transform(x, y);
                let (x, y) = (pos.0 + x, pos.1 + y);
                if (0..width as i32).contains(&x) && (0..height as i32).contains(&y) {
                    let alpha = color.alpha * f64::from(share.clamp(0.0, 1.0));
                    self.inner.draw_pixel((x, y), BackendColor { alpha, ..color })?;
                }
            }
        }
        Ok(())
    }
}
