//! Patterns from CSV files.
//!
//! ```text
//! time_s,azimuth_deg,elevation_deg         azimuth counter-clockwise from ahead, elevation up from the horizon
//! time_s,azimuth_deg,elevation_deg,ring
//! Time/s,Azimuth/deg,Zenith/deg            as Livox publishes them for simulators: the zenith is the angle from straight up
//! ```
//! The times are seconds that do not decrease, or with `<ray_rate>` do not count: rays follow each other at that rate.

use csv::{ReaderBuilder, StringRecord, Trim};
use skidpad_files::counted::counted;
use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::file_error::FileError;
use skidpad_files::input_file::{self, csv_error, csv_line};
use skidpad_math::time::SimTime;
use skidpad_xml::{Accept, Reader};

use super::{CycleRay, Kind, MAX_RAYS, direction};

/// Longest file accepted [bytes].
const MAX_BYTES: u64 = 256 << 20;
/// Headers, and whether the third column is the angle from straight up.
const HEADERS: [(&str, bool); 3] = [
    ("time_s,azimuth_deg,elevation_deg", false),
    ("time_s,azimuth_deg,elevation_deg,ring", false),
    ("Time/s,Azimuth/deg,Zenith/deg", true),
];

/// Reads the file and its tags.
pub(super) fn read(reader: &Reader<'_>, _period: SimTime) -> Option<(Kind, [usize; 2])> {
    let rate = reader.optional_f64("ray_rate", Accept::range(1.0, 1e7));
    let Some(path) = reader.path("ray_file") else {
        if !reader.has("ray_file") {
            reader.missing("ray_file").hint("it names a CSV file of directions and times");
        }
        return None;
    };
    let name = path.display().to_string();
    let text = input_file::read(&path, MAX_BYTES).map_err(|error| FileError::read(&path, error).into());
    let pattern = text.and_then(|text| parse(&name, &text, rate));
    match pattern {
        Ok(pattern) => Some(pattern),
        Err(problem) => {
            reader.error_at("ray_file", problem.first_line()).parts_of(problem);
            None
        }
    }
}

/// Reads rays from `text`; `name` stands for the file in messages.
fn parse(name: &str, text: &[u8], rate: Option<f64>) -> Result<(Kind, [usize; 2]), Diagnostic> {
    let mut reader =
        ReaderBuilder::new().trim(Trim::All).flexible(true).comment(Some(b'#')).has_headers(false).from_reader(text);
    let mut records = reader.records();
    let header = match records.next() {
        Some(record) => record.map_err(|error| csv_error(name, &error))?.iter().collect::<Vec<_>>().join(","),
        None => String::new(),
    };
    let Some(&(header, from_zenith)) = HEADERS.iter().find(|(known, _)| known.eq_ignore_ascii_case(&header)) else {
        let known = HEADERS.map(|(known, _)| known).join(" or ");
        let message = Diagnostic::new(format!("{name}:1"), format!("unknown header \"{header}\""));
        return Err(message.accepted(known));
    };
    if from_zenith && rate.is_none() {
        let message = Diagnostic::new(format!("{name}:1"), "the times of this file are line numbers");
        return Err(message.accepted("with a ray_rate [1/s]"));
    }
    let mut rays: Vec<CycleRay> = Vec::new();
    for record in records {
        let record = record.map_err(|error| csv_error(name, &error))?;
        let at = |fault: Diagnostic| fault.at(format!("{name}:{}", csv_line(&record)));
        if rays.len() == MAX_RAYS {
            return Err(at(Diagnostic::of(format!("more than {MAX_RAYS} rays"))));
        }
        let (time, mut ray) = ray(&record, header, from_zenith).map_err(at)?;
        ray.time = SimTime::from_secs(rate.map_or(time, |rate| rays.len() as f64 / rate));
        if rays.last().is_some_and(|before| before.time > ray.time) {
            return Err(at(Diagnostic::of(format!("the time {time} s is before that of the line above"))));
        }
        rays.push(ray);
    }
    let length = match (rays.as_slice(), rate) {
        ([], _) => return Err(Diagnostic::new(name, "no rays")),
        (_, Some(rate)) => SimTime::from_secs(rays.len() as f64 / rate),
        // As long after the last ray as rays are apart on average.
        ([first, .., last], None) => last.time + SimTime((last.time - first.time).0 / (rays.len() as i64 - 1)),
        ([_], None) => SimTime(0),
    };
    if length.0 <= rays.last().map_or(0, |ray| ray.time.0) {
        return Err(Diagnostic::new(name, "all rays have the same time").accepted("several times, or a ray_rate"));
    }
    let rings = rays.iter().map(|ray| usize::from(ray.ring) + 1).max().unwrap_or(1);
    Ok((Kind::Cycle { rays, length }, [rings, 1]))
}

/// The time [s] and the ray of a line.
fn ray(record: &StringRecord, header: &str, from_zenith: bool) -> Result<(f64, CycleRay), Diagnostic> {
    let columns = header.split(',').count();
    if record.len() != columns {
        return Err(Diagnostic::of(counted(record.len(), "column")).accepted(columns.to_string()));
    }
    let number = |index: usize| {
        let written = &record[index];
        let number = written.parse().ok().filter(|number: &f64| number.is_finite());
        number.ok_or_else(|| Diagnostic::of(format!("\"{written}\" is not a number")))
    };
    let (time, azimuth, third) = (number(0)?, number(1)?, number(2)?);
    let elevation = if from_zenith { 90.0 - third } else { third };
    if !(0.0..=1e6).contains(&time) {
        return Err(Diagnostic::of(format!("the time {time} s")).accepted("0 to 1e6"));
    }
    if !(-90.0..=90.0).contains(&elevation) {
        return Err(Diagnostic::of(format!("an elevation of {elevation} degrees")).accepted("−90 to 90"));
    }
    let ring = match record.get(3) {
        Some(written) => {
            written.parse().map_err(|_| Diagnostic::of(format!("the ring \"{written}\"")).accepted("0 to 65535"))?
        }
        None => 0,
    };
    let direction = direction(azimuth.to_radians(), elevation.to_radians());
    Ok((time, CycleRay { direction, time: SimTime(0), ring }))
}
