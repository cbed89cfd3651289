//! A figure as a page of PDF, with real text: it can be searched, copied and scaled, and the font is in the file, as journals want it.
//!
//! The page is as large as the figure. Its content is written in the units of the drawing, which count downwards; one matrix at its beginning
//! turns them into those of PDF. The file is the same byte for byte on every machine.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write as _;

use ab_glyph::{Font, FontRef, GlyphId};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, LineCapStyle, LineJoinStyle, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Rect, Ref, Str};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontTransform,
};

use super::pixels::{corner, letters};

/// A quarter of a circle as a cubic curve: how far its handles are from its ends, in radii.
const HANDLE: f32 = 0.552_284_8;
/// What the page calls its font.
const FONT: Name<'static> = Name(b"F");

/// What has been drawn on a page so far.
pub(super) struct Page {
    content: Content,
    /// The letters in use, by the numbers of their glyphs.
    used: BTreeMap<u16, char>,
    /// [points]
    size: (f32, f32),
}

impl Page {
    /// An empty page of this size, in units of the drawing, of which `per_point` make a point.
    pub(super) fn new((width, height): (u32, u32), per_point: f64) -> Page {
        let points = |units: u32| (f64::from(units) / per_point) as f32;
        let size = (points(width), points(height));
        let scale = (1.0 / per_point) as f32;
        let mut content = Content::new();
        content.transform([scale, 0.0, 0.0, -scale, 0.0, size.1]);
        content.set_line_cap(LineCapStyle::RoundCap).set_line_join(LineJoinStyle::RoundJoin);
        Page { content, used: BTreeMap::new(), size }
    }
}

/// The page that is being drawn.
pub(super) struct Pdf<'a> {
    /// In units of the drawing.
    size: (u32, u32),
    font: FontRef<'static>,
    page: &'a mut Page,
}

impl<'a> Pdf<'a> {
    /// Draws on `page`, whose size is `size` in units of the drawing.
    pub(super) fn new(size: (u32, u32), font: FontRef<'static>, page: &'a mut Page) -> Pdf<'a> {
        Pdf { size, font, page }
    }

    fn fill_with(&mut self, color: BackendColor) {
        let [r, g, b] = parts(color);
        self.page.content.set_fill_rgb(r, g, b);
    }

    fn stroke_with<S: BackendStyle>(&mut self, style: &S) {
        let [r, g, b] = parts(style.color());
        self.page.content.set_stroke_rgb(r, g, b).set_line_width(style.stroke_width() as f32);
    }

    /// Sets what a shape is painted with, inside or along its outline.
    fn paint_with<S: BackendStyle>(&mut self, style: &S, fill: bool) {
        if fill { self.fill_with(style.color()) } else { self.stroke_with(style) }
    }

    fn polyline(&mut self, points: impl IntoIterator<Item = BackendCoord>) {
        for (index, (x, y)) in points.into_iter().enumerate() {
            let (x, y) = (x as f32, y as f32);
            let content = &mut self.page.content;
            if index == 0 {
                content.move_to(x, y)
            } else {
                content.line_to(x, y)
            };
        }
    }
}

/// Red, green and blue, 0 to 1.
fn parts(BackendColor { rgb: (r, g, b), .. }: BackendColor) -> [f32; 3] {
    [r, g, b].map(|value| (f32::from(value) / 255.0 * 1000.0).round() / 1000.0)
}

impl DrawingBackend for Pdf<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Result<(), DrawingErrorKind<Infallible>> {
        self.fill_with(color);
        self.page.content.rect(x as f32, y as f32, 1.0, 1.0).fill_nonzero();
        Ok(())
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        if style.color().alpha > 0.0 {
            self.paint_with(style, fill);
            let content = &mut self.page.content;
            content.rect(left as f32, top as f32, (right - left) as f32, (bottom - top) as f32);
            if fill {
                content.fill_nonzero()
            } else {
                content.stroke()
            };
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        if style.color().alpha > 0.0 {
            self.stroke_with(style);
            self.polyline(path);
            self.page.content.stroke();
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        if style.color().alpha == 0.0 {
            return Ok(());
        }
        self.paint_with(style, fill);
        let (x, y, r) = (x as f32, y as f32, radius as f32);
        let h = HANDLE * r;
        let content = &mut self.page.content;
        content.move_to(x + r, y);
        for ([ax, ay], [bx, by], [cx, cy]) in [
            ([r, h], [h, r], [0.0, r]),
            ([-h, r], [-r, h], [-r, 0.0]),
            ([-r, -h], [-h, -r], [0.0, -r]),
            ([h, -r], [r, -h], [r, 0.0]),
        ] {
            let [ax, ay, bx, by, cx, cy] =
                [x + ax, y + ay, x + bx, y + by, x + cx, y + cy].map(|number| (number * 100.0).round() / 100.0);
            content.cubic_to(ax, ay, bx, by, cx, cy);
        }
        if fill {
            content.fill_nonzero()
        } else {
            content.close_and_stroke()
        };
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        if style.color().alpha > 0.0 {
            self.fill_with(style.color());
            self.polyline(corners);
            self.page.content.fill_nonzero();
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        pos: BackendCoord,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        if style.color().alpha == 0.0 || text.is_empty() {
            return Ok(());
        }
        let (left, top) = corner(text, style).map_err(DrawingErrorKind::FontError)?;
        let size = style.size();
        // The library counts the height of a line, PDF the square of the font.
        let units = units_per_em(&self.font);
        let em = size * units / f64::from(self.font.height_unscaled());
        let base = (0.5 * size) as i32;
        let (x, y) = style.transform().transform(left, base + top);
        let (x, y) = ((pos.0 + x) as f32, (pos.1 + y) as f32);
        // Along the text and upwards, in the units of the drawing, which count downwards.
        let scale = ((em * 1000.0).round() / 1000.0) as f32;
        let [along, up] = match style.transform() {
            FontTransform::None => [[scale, 0.0], [0.0, -scale]],
            FontTransform::Rotate90 => [[0.0, scale], [scale, 0.0]],
            FontTransform::Rotate180 => [[-scale, 0.0], [0.0, scale]],
            FontTransform::Rotate270 => [[0.0, -scale], [-scale, 0.0]],
        };
        self.fill_with(style.color());
        let Page { content, used, .. } = &mut *self.page;
        content.begin_text().set_font(FONT, 1.0).set_text_matrix([along[0], along[1], up[0], up[1], x, y]);
        {
            let mut shown = content.show_positioned();
            let mut items = shown.items();
            let mut expected = 0.0;
            for (letter, at) in letters(&self.font, text, size) {
                let glyph = self.font.glyph_id(letter);
                used.insert(glyph.0, letter);
                // Thousandths of the font's size, to the left: what kerning moves.
                let kerning = ((expected - f64::from(at)) / em * 1000.0).round();
                if kerning != 0.0 {
                    items.adjust(kerning as f32);
                }
                items.show(Str(&glyph.0.to_be_bytes()));
                expected = f64::from(at) + f64::from(self.font.h_advance_unscaled(glyph)) / units * em;
            }
        }
        content.end_text();
        Ok(())
    }
}

fn units_per_em(font: &FontRef<'static>) -> f64 {
    f64::from(font.units_per_em().unwrap_or(1000.0))
}

/// The file of a page, with the font in it: the font, and the bytes that it was read from.
pub(super) fn file(page: Page, font: &FontRef<'static>, bytes: &[u8]) -> Vec<u8> {
    let [catalog, pages, sheet, drawing, composite, glyphs, descriptor, outlines, to_unicode] =
        std::array::from_fn(|index| Ref::new(index as i32 + 1));
    let Page { content, used, size: (width, height) } = page;
    let name = Name(b"SkidpadFigure");
    let system_info = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
    let thousandths = |value: f32| (f64::from(value) / units_per_em(font) * 1000.0).round() as f32;
    let (ascent, descent) = (thousandths(font.ascent_unscaled()), thousandths(font.descent_unscaled()));

    let mut pdf = pdf_writer::Pdf::new();
    // LaTeX warns of later ones.
    pdf.set_version(1, 5);
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([sheet]).count(1);
    let mut written = pdf.page(sheet);
    written.parent(pages).media_box(Rect::new(0.0, 0.0, width, height)).contents(drawing);
    written.resources().fonts().pair(FONT, composite);
    written.finish();
    let content = packed(&content.finish());
    pdf.stream(drawing, &content).filter(Filter::FlateDecode);
    pdf.type0_font(composite)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(glyphs)
        .to_unicode(to_unicode);
    let mut cid = pdf.cid_font(glyphs);
    cid.subtype(CidFontType::Type2).base_font(name).system_info(system_info).font_descriptor(descriptor);
    cid.cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = cid.widths();
    for glyph in used.keys() {
        widths.consecutive(*glyph, [thousandths(font.h_advance_unscaled(GlyphId(*glyph)))]);
    }
    widths.finish();
    cid.finish();
    pdf.font_descriptor(descriptor)
        .name(name)
        .flags(FontFlags::NON_SYMBOLIC)
        .bbox(Rect::new(-500.0, descent, 2000.0, ascent))
        .italic_angle(0.0)
        .ascent(ascent)
        .descent(descent)
        .cap_height(ascent)
        .stem_v(60.0)
        .font_file2(outlines);
    let outline_bytes = packed(bytes);
    let mut embedded = pdf.stream(outlines, &outline_bytes);
    embedded.filter(Filter::FlateDecode).pair(Name(b"Length1"), i32::try_from(bytes.len()).unwrap_or(i32::MAX));
    embedded.finish();
    let mut map = UnicodeCmap::new(Name(b"Letters"), system_info);
    for (glyph, letter) in &used {
        map.pair(*glyph, *letter);
    }
    let map = packed(&map.finish());
    pdf.stream(to_unicode, &map).filter(Filter::FlateDecode);
    pdf.finish()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}
