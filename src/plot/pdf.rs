//! A figure as a page of PDF, with real text: it can be searched, copied and scaled, and the font is in the file, as journals want it.
//!
//! The page is as large as the figure. Its content is written in the units of the drawing, which count downwards; one matrix at its beginning
//! turns them into those of PDF. The file is the same byte for byte on every machine.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::io::Write as _;

use ab_glyph::{Font, FontRef};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind, FontTransform,
};

use super::pixels::{corner, letters};

/// A quarter of a circle as a cubic curve: how far its handles are from its ends, in radii.
const HANDLE: f64 = 0.552_284_75;

/// The page that is being drawn.
pub(super) struct Pdf<'a> {
    size: (u32, u32),
    font: FontRef<'static>,
    content: &'a mut String,
    /// The letters in use, by the numbers of their glyphs.
    used: &'a mut BTreeMap<u16, char>,
}

impl<'a> Pdf<'a> {
    /// Draws a page of this size, in units of the drawing, into `content`.
    pub(super) fn new(
        size: (u32, u32),
        font: FontRef<'static>,
        content: &'a mut String,
        used: &'a mut BTreeMap<u16, char>,
    ) -> Pdf<'a> {
        Pdf { size, font, content, used }
    }

    fn color(&mut self, BackendColor { rgb: (r, g, b), .. }: BackendColor, operator: &str) {
        let part = |value: u8| (f64::from(value) / 255.0 * 1000.0).round() / 1000.0;
        let _ = writeln!(self.content, "{} {} {} {operator}", part(r), part(g), part(b));
    }

    fn stroke<S: BackendStyle>(&mut self, style: &S) {
        self.color(style.color(), "RG");
        let _ = writeln!(self.content, "{} w", style.stroke_width());
    }

    /// Sets what a shape is painted with, inside or along its outline.
    fn paint<S: BackendStyle>(&mut self, style: &S, fill: bool) {
        if fill { self.color(style.color(), "rg") } else { self.stroke(style) }
    }

    fn polyline(&mut self, points: impl IntoIterator<Item = BackendCoord>) {
        for (index, (x, y)) in points.into_iter().enumerate() {
            let _ = write!(self.content, "{x} {y} {} ", if index == 0 { "m" } else { "l" });
        }
    }
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
        self.color(color, "rg");
        let _ = writeln!(self.content, "{x} {y} 1 1 re f");
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
            self.paint(style, fill);
            let (width, height) = (right - left, bottom - top);
            let _ = writeln!(self.content, "{left} {top} {width} {height} re {}", if fill { "f" } else { "S" });
        }
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        if style.color().alpha > 0.0 {
            self.stroke(style);
            self.polyline(path);
            self.content.push_str("S\n");
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
        self.paint(style, fill);
        let (x, y, r) = (f64::from(x), f64::from(y), f64::from(radius));
        let h = HANDLE * r;
        let _ = write!(self.content, "{} {y} m ", x + r);
        for ([ax, ay], [bx, by], [cx, cy]) in [
            ([r, h], [h, r], [0.0, r]),
            ([-h, r], [-r, h], [-r, 0.0]),
            ([-r, -h], [-h, -r], [0.0, -r]),
            ([h, -r], [r, -h], [r, 0.0]),
        ] {
            let points = [x + ax, y + ay, x + bx, y + by, x + cx, y + cy].map(|number| format!("{number:.2}"));
            let _ = write!(self.content, "{} c ", points.join(" "));
        }
        self.content.push_str(if fill { "f\n" } else { "s\n" });
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        if style.color().alpha > 0.0 {
            self.color(style.color(), "rg");
            self.polyline(corners);
            self.content.push_str("f\n");
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
        let units = f64::from(self.font.units_per_em().unwrap_or(1000.0));
        let em = size * units / f64::from(self.font.height_unscaled());
        let base = (0.5 * size) as i32;
        let (x, y) = style.transform().transform(left, base + top);
        let (x, y) = (pos.0 + x, pos.1 + y);
        // Along the text and upwards, in the units of the drawing, which count downwards.
        let [along, up] = match style.transform() {
            FontTransform::None => [[em, 0.0], [0.0, -em]],
            FontTransform::Rotate90 => [[0.0, em], [em, 0.0]],
            FontTransform::Rotate180 => [[-em, 0.0], [0.0, em]],
            FontTransform::Rotate270 => [[0.0, -em], [-em, 0.0]],
        };
        self.color(style.color(), "rg");
        let matrix = [along[0], along[1], up[0], up[1]].map(|number| format!("{number:.3}")).join(" ");
        let _ = write!(self.content, "BT /F 1 Tf {matrix} {x} {y} Tm [");
        let font = self.font.clone();
        let mut expected = 0.0;
        for (letter, at) in letters(&font, text, size) {
            let glyph = font.glyph_id(letter);
            self.used.insert(glyph.0, letter);
            // Thousandths of the font's size, to the left: what kerning moves.
            let moved = (expected - f64::from(at)) / em * 1000.0;
            if moved.abs() >= 0.5 {
                let _ = write!(self.content, "{moved:.0}");
            }
            let _ = write!(self.content, "<{:04X}>", glyph.0);
            expected = f64::from(at) + f64::from(font.h_advance_unscaled(glyph)) / units * em;
        }
        self.content.push_str("] TJ ET\n");
        Ok(())
    }
}

/// The file of a page: its content, its size in units of the drawing, and how many of these make a point.
pub(super) fn file(
    content: &str,
    (width, height): (u32, u32),
    per_point: f64,
    (font, bytes): (&FontRef<'static>, &[u8]),
    used: &BTreeMap<u16, char>,
) -> Vec<u8> {
    let [page_width, page_height] = [width, height].map(|size| format!("{:.3}", f64::from(size) / per_point));
    let scale = 1.0 / per_point;
    let content = format!("{scale:.6} 0 0 -{scale:.6} 0 {page_height} cm 1 J 1 j\n{content}");
    let units = f64::from(font.units_per_em().unwrap_or(1000.0));
    let thousandths = |value: f32| (f64::from(value) / units * 1000.0).round();
    let widths: Vec<String> = used
        .keys()
        .map(|glyph| format!("{glyph} [{}]", thousandths(font.h_advance_unscaled(ab_glyph::GlyphId(*glyph)))))
        .collect();
    let (ascent, descent) = (thousandths(font.ascent_unscaled()), thousandths(font.descent_unscaled()));
    let letters: Vec<String> = used
        .iter()
        .map(|(glyph, letter)| {
            let units: String = letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("{unit:04X}")).collect();
            format!("<{glyph:04X}> <{units}>")
        })
        .collect();
    let mut to_unicode = String::from(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Letters def /CMapType 2 def\n\
         1 begincodespacerange <0000> <FFFF> endcodespacerange\n",
    );
    // A section has at most 100 entries.
    for part in letters.chunks(100) {
        let _ = writeln!(to_unicode, "{} beginbfchar\n{}\nendbfchar", part.len(), part.join("\n"));
    }
    to_unicode.push_str("endcmap CMapName currentdict /CMap defineresource pop end end\n");
    let name = "SkidpadFigure";
    let objects: Vec<Vec<u8>> = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {page_width} {page_height}] /Contents 4 0 R \
             /Resources << /Font << /F 5 0 R >> >> >>"
        )
        .into_bytes(),
        stream("", content.as_bytes()),
        format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /{name} /Encoding /Identity-H /DescendantFonts [6 0 R] /ToUnicode 9 0 R >>"
        )
        .into_bytes(),
        format!(
            "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) \
             /Supplement 0 >> /FontDescriptor 7 0 R /CIDToGIDMap /Identity /W [{}] >>",
            widths.join(" ")
        )
        .into_bytes(),
        format!(
            "<< /Type /FontDescriptor /FontName /{name} /Flags 32 /FontBBox [-500 {descent} 2000 {ascent}] /ItalicAngle 0 \
             /Ascent {ascent} /Descent {descent} /CapHeight {ascent} /StemV 60 /FontFile2 8 0 R >>"
        )
        .into_bytes(),
        stream(&format!("/Length1 {} ", bytes.len()), bytes),
        stream("", to_unicode.as_bytes()),
    ];
    let mut file = b"%PDF-1.5\n%\xE2\xE3\xCF\xD3\n".to_vec();
    let mut places = Vec::new();
    for (index, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend_from_slice(format!("{} 0 obj\n", index + 1).as_bytes());
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let table = file.len();
    let mut end = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for place in places {
        let _ = writeln!(end, "{place:010} 00000 n ");
    }
    let _ = write!(end, "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1);
    file.extend_from_slice(end.as_bytes());
    file
}

/// A compressed stream with further entries of its dictionary.
fn stream(entries: &str, content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let packed = encoder.write_all(content).and_then(|()| encoder.finish()).unwrap_or_default();
    let head = format!("<< {entries}/Filter /FlateDecode /Length {} >>\nstream\n", packed.len());
    [head.as_bytes(), &packed, b"\nendstream"].concat()
}
