//! A cloud of points as PLY (G. Turk 1994, binary little-endian 1.0) or PCD (Point Cloud Library, version 0.7, binary),
//! with all its fields.

use skidpad_ros_data::message::{PointCloud2, PointField};

/// Length [bytes], name in PLY, and letter in PCD of a field's type.
fn kind(field: &PointField) -> (usize, &'static str, char) {
    match field.datatype {
        1 => (1, "char", 'I'),
        2 => (1, "uchar", 'U'),
        3 => (2, "short", 'I'),
        4 => (2, "ushort", 'U'),
        5 => (4, "int", 'I'),
        6 => (4, "uint", 'U'),
        8 => (8, "double", 'F'),
        _ => (4, "float", 'F'),
    }
}

/// The fields of the points that `takes`, one after the other without gaps.
fn packed(cloud: &PointCloud2, takes: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(cloud.data.len());
    for point in cloud.data.chunks_exact((cloud.point_step as usize).max(1)).filter(|point| takes(point)) {
        for field in &cloud.fields {
            let start = field.offset as usize;
            bytes.extend_from_slice(point.get(start..start + kind(field).0).unwrap_or_default());
        }
    }
    bytes
}

/// The bytes of a PLY file. A field `rgb` becomes `blue`, `green`, `red` and an unused byte, in which its four bytes
/// are. The format has no rows, so what did not return is left out.
pub(super) fn ply(cloud: &PointCloud2) -> Vec<u8> {
    let x = cloud.fields.iter().find(|field| field.name == "x").map_or(0, |field| field.offset as usize);
    let is_return = |point: &[u8]| {
        let bytes = point.get(x..).and_then(|coordinates| coordinates.first_chunk());
        bytes.is_some_and(|bytes| !f32::from_le_bytes(*bytes).is_nan())
    };
    let points = packed(cloud, is_return);
    let length: usize = cloud.fields.iter().map(|field| kind(field).0).sum();
    let property = |field: &PointField| match field.name.as_str() {
        "rgb" => ["blue", "green", "red", "unused"].map(|name| format!("property uchar {name}\n")).concat(),
        name => format!("property {} {name}\n", kind(field).1),
    };
    let header = format!(
        "ply\nformat binary_little_endian 1.0\nelement vertex {}\n{}end_header\n",
        points.len() / length.max(1),
        cloud.fields.iter().map(property).collect::<String>(),
    );
    [header.into_bytes(), points].concat()
}

/// The bytes of a PCD file.
pub(super) fn pcd(cloud: &PointCloud2) -> Vec<u8> {
    let list = |of: &dyn Fn(&PointField) -> String| cloud.fields.iter().map(of).collect::<Vec<_>>().join(" ");
    let header = format!(
        "# .PCD v0.7\nVERSION 0.7\nFIELDS {}\nSIZE {}\nTYPE {}\nCOUNT {}\nWIDTH {}\nHEIGHT {}\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS {}\nDATA binary\n",
        list(&|field| field.name.clone()),
        list(&|field| kind(field).0.to_string()),
        list(&|field| kind(field).2.to_string()),
        list(&|_| "1".to_owned()),
        cloud.width,
        cloud.height,
        cloud.width * cloud.height,
    );
    [header.into_bytes(), packed(cloud, |_| true)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two points of x and ring, with a gap between them.
    fn cloud() -> PointCloud2 {
        let field = |name: &str, offset, datatype| PointField { name: name.into(), offset, datatype, count: 1 };
        let point = |x: f32, ring: u8| [&x.to_le_bytes()[..], &[9, 9, ring, 0]].concat();
        PointCloud2 {
            height: 1,
            width: 2,
            fields: vec![field("x", 0, 7), field("ring", 6, 4)],
            point_step: 8,
            row_step: 16,
            data: [point(1.0, 5), point(2.0, 6)].concat(),
            ..PointCloud2::default()
        }
    }

    #[test]
    fn files_have_all_fields_without_gaps() {
        let points = [&1.0_f32.to_le_bytes()[..], &[5, 0], &2.0_f32.to_le_bytes(), &[6, 0]].concat();
        let header = "ply\nformat binary_little_endian 1.0\nelement vertex 2\nproperty float x\nproperty ushort ring\nend_header\n";
        assert_eq!(ply(&cloud()), [header.as_bytes(), &points].concat());
        let file = pcd(&cloud());
        assert!(file.ends_with(&points));
        let text = String::from_utf8_lossy(&file[..file.len() - points.len()]).into_owned();
        assert!(text.contains("FIELDS x ring\nSIZE 4 2\nTYPE F U\nCOUNT 1 1\nWIDTH 2\nHEIGHT 1\n"), "{text}");
        // What did not return has a place in the rows of a PCD file, and none in a PLY file.
        let mut cloud = cloud();
        cloud.data[..4].copy_from_slice(&f32::NAN.to_le_bytes());
        let file = ply(&cloud);
        assert!(String::from_utf8_lossy(&file).contains("element vertex 1\n") && file.ends_with(&points[6..]));
        assert_eq!(pcd(&cloud).len(), pcd(&self::cloud()).len());
    }
}
