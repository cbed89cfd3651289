//! Tables as Parquet files (<https://parquet.apache.org/docs/file-format>), which pandas, Polars, DuckDB and MATLAB read with the type of each column.
//!
//! Whole numbers keep their size and sign, times are time stamps in nanoseconds since the epoch of the recording's clock, without a time
//! zone, and durations are whole numbers of nanoseconds. Cells of lists that are shorter in a message are null. Rows are
//! kept until they take [`GROUP`], and then written as a row group, so that memory does not grow with the recording.

use std::fs::File;
use std::io;
use std::sync::Arc;

use ::parquet::basic::{Compression, LogicalType, Repetition, TimeUnit, Type as Physical, ZstdLevel};
use ::parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, FloatType, Int32Type, Int64Type};
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use ::parquet::schema::types::Type;

use super::definition::Kind;
use super::shape::Cell;

/// Size of the values of a row group in memory, about [bytes].
const GROUP: usize = 4 << 20;

/// A file that is being written.
pub(super) struct ParquetFile {
    writer: SerializedFileWriter<File>,
    columns: Vec<Column>,
    /// Size of the values that are not yet written [bytes].
    size: usize,
}

/// The values of a column that are not yet written, and for each row whether it has one.
struct Column {
    values: Values,
    is_there: Vec<i16>,
}

/// By their physical type.
enum Values {
    Bools(Vec<bool>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
    Texts(Vec<ByteArray>),
}

/// The column of a kind of field: its values, and its logical type.
fn column(kind: Kind) -> (Values, Option<LogicalType>) {
    let bits = |bytes: usize| 8 * bytes as i8;
    match kind {
        Kind::Bool => (Values::Bools(Vec::new()), None),
        Kind::Signed(bytes @ ..=4) => (Values::Ints(Vec::new()), Some(LogicalType::integer(bits(bytes), true))),
        Kind::Unsigned(bytes @ ..=4) => (Values::Ints(Vec::new()), Some(LogicalType::integer(bits(bytes), false))),
        Kind::Signed(bytes) => (Values::Longs(Vec::new()), Some(LogicalType::integer(bits(bytes), true))),
        Kind::Unsigned(bytes) => (Values::Longs(Vec::new()), Some(LogicalType::integer(bits(bytes), false))),
        Kind::Float(4) => (Values::Floats(Vec::new()), None),
        Kind::Float(_) => (Values::Doubles(Vec::new()), None),
        Kind::Time => (Values::Longs(Vec::new()), Some(LogicalType::timestamp(false, TimeUnit::NANOS))),
        Kind::Duration => (Values::Longs(Vec::new()), Some(LogicalType::integer(64, true))),
        Kind::Text | Kind::WideText | Kind::Part(_) => (Values::Texts(Vec::new()), Some(LogicalType::String)),
    }
}

impl Values {
    fn physical(&self) -> Physical {
        match self {
            Values::Bools(_) => Physical::BOOLEAN,
            Values::Ints(_) => Physical::INT32,
            Values::Longs(_) => Physical::INT64,
            Values::Floats(_) => Physical::FLOAT,
            Values::Doubles(_) => Physical::DOUBLE,
            Values::Texts(_) => Physical::BYTE_ARRAY,
        }
    }

    /// Keeps a value of this type; false if it is of another one.
    fn push(&mut self, cell: Cell) -> bool {
        match (self, cell) {
            (Values::Bools(values), Cell::Bool(value)) => values.push(value),
            // An unsigned number has the bits of the signed one.
            (Values::Ints(values), Cell::Signed(value)) => values.push(value as i32),
            (Values::Ints(values), Cell::Unsigned(value)) => values.push(value as i32),
            (Values::Longs(values), Cell::Signed(value) | Cell::Nanoseconds(value)) => values.push(value),
            (Values::Longs(values), Cell::Unsigned(value)) => values.push(value as i64),
            (Values::Floats(values), Cell::Single(value)) => values.push(value),
            (Values::Doubles(values), Cell::Double(value)) => values.push(value),
            (Values::Texts(values), Cell::Text(value)) => values.push(ByteArray::from(value.into_bytes())),
            _ => return false,
        }
        true
    }
}

impl Column {
    /// Writes the values and forgets them.
    fn write(&mut self, to: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = Some(self.is_there.as_slice());
        match &mut self.values {
            Values::Bools(values) => to.typed::<BoolType>().write_batch(values, levels, None).map(|_| values.clear()),
            Values::Ints(values) => to.typed::<Int32Type>().write_batch(values, levels, None).map(|_| values.clear()),
            Values::Longs(values) => to.typed::<Int64Type>().write_batch(values, levels, None).map(|_| values.clear()),
            Values::Floats(values) => to.typed::<FloatType>().write_batch(values, levels, None).map(|_| values.clear()),
            Values::Doubles(values) => {
                to.typed::<DoubleType>().write_batch(values, levels, None).map(|_| values.clear())
            }
            Values::Texts(values) => {
                to.typed::<ByteArrayType>().write_batch(values, levels, None).map(|_| values.clear())
            }
        }?;
        self.is_there.clear();
        Ok(())
    }
}

impl ParquetFile {
    /// Begins a file with these columns.
    pub(super) fn new(file: File, columns: &[(String, Kind)]) -> io::Result<ParquetFile> {
        let (mut fields, mut all) = (Vec::new(), Vec::new());
        for (name, kind) in columns {
            let (values, logical) = column(*kind);
            let field = Type::primitive_type_builder(name, values.physical())
                .with_repetition(Repetition::OPTIONAL)
                .with_logical_type(logical);
            fields.push(Arc::new(field.build().map_err(io::Error::other)?));
            all.push(Column { values, is_there: Vec::new() });
        }
        let schema = Type::group_type_builder("message").with_fields(fields).build().map_err(io::Error::other)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("skidpad {}", env!("CARGO_PKG_VERSION")))
            .build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties));
        Ok(ParquetFile { writer: writer.map_err(io::Error::other)?, columns: all, size: 0 })
    }

    /// Adds a row, with a cell for each column.
    pub(super) fn write(&mut self, row: impl Iterator<Item = Cell>) -> io::Result<()> {
        for (column, cell) in self.columns.iter_mut().zip(row) {
            self.size += 8 + if let Cell::Text(text) = &cell { size_of::<ByteArray>() + text.len() } else { 0 };
            column.is_there.push(column.values.push(cell).into());
        }
        if self.size < GROUP { Ok(()) } else { self.write_group().map_err(io::Error::other) }
    }

    /// Writes the rows so far as a row group.
    fn write_group(&mut self) -> Result<(), ParquetError> {
        self.size = 0;
        let mut group = self.writer.next_row_group()?;
        for column in &mut self.columns {
            if let Some(mut writer) = group.next_column()? {
                column.write(&mut writer)?;
                writer.close()?;
            }
        }
        group.close().map(drop)
    }

    /// Writes what is left, and the end of the file.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.size > 0 {
            self.write_group().map_err(io::Error::other)?;
        }
        self.writer.close().map(drop).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::Field;

    use super::*;

    #[test]
    fn columns_have_their_types_and_rows_their_values() {
        let columns = [
            ("log_time", Kind::Time),
            ("lasts", Kind::Duration),
            ("pose.x", Kind::Float(8)),
            ("range", Kind::Float(4)),
            ("yes", Kind::Bool),
            ("small", Kind::Signed(1)),
            ("byte", Kind::Unsigned(1)),
            ("word", Kind::Unsigned(4)),
            ("large", Kind::Unsigned(8)),
            ("name", Kind::Text),
        ];
        let columns = columns.map(|(name, kind)| (name.to_owned(), kind));
        let path = tempfile::NamedTempFile::new().unwrap();
        let mut file = ParquetFile::new(path.reopen().unwrap(), &columns).unwrap();
        let row = |number: u64| {
            vec![
                Cell::Nanoseconds(1_700_000_010_340_000_001 + number as i64),
                Cell::Nanoseconds(-5),
                Cell::Double(0.1),
                Cell::Single(2.5),
                Cell::Bool(true),
                Cell::Signed(-3),
                Cell::Unsigned(200),
                Cell::Unsigned(u32::MAX.into()),
                Cell::Unsigned(u64::MAX),
                Cell::Text("odom".into()),
            ]
        };
        // More than a row group holds, and a row whose list was shorter.
        let count = 60_000;
        (0..count).for_each(|number| file.write(row(number).into_iter()).unwrap());
        let missing: Vec<Cell> =
            row(count).into_iter().enumerate().map(|(i, cell)| if i == 2 { Cell::Missing } else { cell }).collect();
        file.write(missing.into_iter()).unwrap();
        file.finish().unwrap();
        let read = SerializedFileReader::new(path.reopen().unwrap()).unwrap();
        assert!(read.metadata().num_row_groups() > 1);
        let rows: Vec<_> = read.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len() as u64, count + 1);
        let fields: Vec<(String, Field)> = rows[7].clone().into_columns();
        assert_eq!(fields[0].0, "log_time");
        let values: Vec<Field> = fields.into_iter().map(|(_, field)| field).collect();
        let expected = [
            Field::Double(0.1),
            Field::Float(2.5),
            Field::Bool(true),
            Field::Byte(-3),
            Field::UByte(200),
            Field::UInt(u32::MAX),
            Field::ULong(u64::MAX),
            Field::Str("odom".into()),
        ];
        assert_eq!(values[2..], expected);
        assert_eq!(values[1], Field::Long(-5));
        assert!(format!("{:?}", values[0]).contains("1700000010340000008"), "{:?}", values[0]);
        assert_eq!(rows[count as usize].clone().into_columns()[2].1, Field::Null);
    }
}
