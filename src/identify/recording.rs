//! Recordings of a car: quantities over time, in SI and radians.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skidpad_analysis::recording::{self, ReadOptions};
use skidpad_analysis::{CommandSample, PoseSample};
use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::wrap_angle;

use super::IdentifyError;
use super::columns::{Columns, Role};
use super::config::Topics;
use super::messages;
use super::text_table::{TextTable, is_text_table};

/// Longest gap between two readings across which they are interpolated to the times of the poses [s].
const MAX_GAP: f64 = 0.2;
/// Longest recording [s].
const MAX_RECORDING: f64 = 1e6;
/// If the first time other than 0 is later than this [s], rows with the time 0 are from before the clock was set.
const LATER: f64 = 86_400.0;

/// A recording of a car.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recording {
    /// Path of the file or folder.
    pub path: PathBuf,
    /// Time of each row [s], strictly increasing from 0.
    pub time: Vec<f64>,
    /// Value of each quantity in each row, in SI or radians; NaN if missing. Headings are unwrapped.
    pub columns: BTreeMap<Role, Vec<f64>>,
    /// Times at which the marker jumps [s]: no window contains one.
    pub jumps: Vec<f64>,
    /// Notes on what was left out while reading.
    pub notes: Vec<Diagnostic>,
    /// Quantities of the config whose column a text table lacks, each with the message that says so.
    pub missing: BTreeMap<Role, Diagnostic>,
    /// Time of the first row in the file [s].
    pub first_time: f64,
    /// Whether another recording has a file of the same name, so that its folder belongs to its name.
    pub shares_name: bool,
}

impl Recording {
    /// Reads a text table with these columns, or an MCAP file or rosbag2 folder with these topics.
    ///
    /// # Errors
    /// See `Recording::read_csv` and `Recording::read_messages`.
    pub fn read(path: &Path, columns: &Columns, topics: &Topics) -> Result<Recording, IdentifyError> {
        let is_text = is_text_table(path);
        let recording =
            if is_text { Recording::read_csv(path, columns) } else { Recording::read_messages(path, topics) }?;
        recording.check_duration(is_text)?;
        Ok(recording)
    }

    /// Refuses recordings that seem too long because times have another unit or the first ones are wrong: windows would
    /// be looked for in all that time.
    pub(super) fn check_duration(&self, is_csv: bool) -> Result<(), IdentifyError> {
        let duration = self.duration();
        if duration <= MAX_RECORDING {
            return Ok(());
        }
        let unit = if is_csv { "are these nanoseconds? columns: {time: {column: NAME, unit: ns}}; or " } else { "" };
        let gap = self.time.windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
        let found = format!("its times span {duration:.1e} s, with a gap of {gap:.1e} s");
        let message = Diagnostic::new(self.path.display(), found)
            .accepted(format!("up to {MAX_RECORDING:.0e} s, eleven days"))
            .hint(format!("{unit}cut the recording at its gaps"));
        Err(message.into())
    }

    /// Reads the poses and commands of an MCAP file or a rosbag2 folder, and the sensors that `topics` names. Times are
    /// those of the headers; readings of sensors are interpolated to the times of the poses.
    ///
    /// # Errors
    /// The recording cannot be read, or lacks a topic.
    pub(crate) fn read_messages(path: &Path, topics: &Topics) -> Result<Recording, IdentifyError> {
        let wrong = |found: String| Diagnostic::new(path.display(), found);
        let mut messages = messages::read(path, topics)?;
        let mut pedals = messages.pedals.remove(&messages::absolute_name(&topics.command));
        let named = |name: &String| (!name.is_empty()).then(|| name.clone());
        let command = named(&topics.command).filter(|_| pedals.is_none());
        let options = ReadOptions { odometry: named(&topics.pose), command, ..ReadOptions::default() };
        let run = recording::read(path, &options)?;
        let Some(first) = run.poses.first() else { return Err(wrong("no pose".into()).into()) };
        if run.commands.is_empty() && pedals.is_none() {
            if messages.pedals.len() > 1 {
                let names: Vec<String> = messages.pedals.into_keys().collect();
                let accepted = format!("topics: {{command: NAME}}, of {}", names.join(", "));
                return Err(wrong("several topics of pedals".into()).accepted(accepted).into());
            }
            pedals = messages.pedals.into_values().next();
        }
        if run.commands.is_empty() && pedals.is_none() {
            return Err(wrong("no commands".into())
                .accepted("Ackermann and velocity commands, and pedals")
                .hint("topics: {command: NAME} names their topic")
                .into());
        }
        let of = |get: fn(&PoseSample) -> f64| run.poses.iter().map(get).collect::<Vec<f64>>();
        let columns = [
            (Role::X, of(|sample| sample.pose.x)),
            (Role::Y, of(|sample| sample.pose.y)),
            (Role::Yaw, unwrapped(of(|sample| sample.pose.yaw))),
            (Role::Vx, of(|sample| sample.velocity_in_body.vx)),
            (Role::Vy, of(|sample| sample.velocity_in_body.vy)),
            (Role::YawRate, of(|sample| sample.velocity_in_body.wz)),
        ];
        let mut columns: BTreeMap<Role, Vec<f64>> = columns.into();
        match pedals {
            Some(pedals) => {
                columns.insert(Role::CommandTime, pedals.time.iter().map(|time| time - first.time).collect());
                columns.extend(pedals.columns);
            }
            None => columns.extend(commands(&run.commands, first.time)),
        }
        for series in [messages.imu, messages.wheels].into_iter().flatten() {
            for &role in series.columns.keys() {
                let at = |sample: &PoseSample| series.at(role, sample.time, MAX_GAP).unwrap_or(f64::NAN);
                columns.insert(role, run.poses.iter().map(at).collect());
            }
        }
        let time = run.poses.iter().map(|sample| sample.time - first.time).collect();
        let notes = run.notes.into_iter().filter(|note| !note.found.starts_with("no reference"));
        let notes = notes.chain(messages.notes).collect();
        Ok(Recording { path: path.to_path_buf(), time, columns, notes, first_time: first.time, ..Recording::default() })
    }

    /// Reads a text table with these columns. Quantities whose columns it lacks are left out, and
    /// kept in [`missing`](Recording::missing): a sensor may be missing in some recordings of a car.
    ///
    /// # Errors
    /// The file cannot be read, lacks the column of the time or of a gate, or has no row with a time.
    pub(crate) fn read_csv(path: &Path, columns: &Columns) -> Result<Recording, IdentifyError> {
        let wrong = |found: String| Diagnostic::new(path.display(), found);
        let TextTable { names, rows, cut } = TextTable::read(path)?;
        let place = |name: &String| names.iter().position(|column| column == name);
        let no_column = |name: &String| wrong(format!("no column \"{name}\"")).one_of(name, &names);
        let mut series = BTreeMap::new();
        let mut missing = BTreeMap::new();
        for (&role, column) in columns {
            let factor = column.factor(role).map_err(|problem| problem.at("columns"))?;
            let gate = match &column.gate {
                gate if gate.is_empty() => None,
                gate => Some(place(gate).ok_or_else(|| no_column(gate))?),
            };
            if let Some(lost) = column.column.iter().find(|name| place(name).is_none()) {
                if role == Role::Time {
                    return Err(no_column(lost).into());
                }
                missing.insert(role, no_column(lost));
                continue;
            }
            let places: Vec<usize> = column.column.iter().filter_map(place).collect();
            let value = |row: &Vec<f64>| {
                let number = |place: &usize| row.get(*place).copied().unwrap_or(f64::NAN);
                let sum: f64 = places.iter().map(number).sum();
                factor * gate.as_ref().map_or(1.0, number) * sum / places.len() as f64
            };
            series.insert(role, rows.iter().map(value).collect());
        }
        let mut notes = Vec::new();
        if cut > 0 {
            notes.push(Diagnostic::of(format!("{cut} rows are not CSV")));
        }
        let path = path.to_path_buf();
        let mut recording = Recording { path, columns: series, notes, missing, ..Recording::default() };
        recording.tidy().map_err(wrong)?;
        Ok(recording)
    }

    /// Reads measurements from one text table and commands from another, each with its own clock.
    ///
    /// # Errors
    /// See [`Recording::read_csv`].
    pub(crate) fn read_both(
        measurements: &Path,
        commands: &Path,
        columns: &Columns,
    ) -> Result<Recording, IdentifyError> {
        let (mut ordered, mut measured) = (columns.clone(), columns.clone());
        measured.retain(|role, _| !role.is_command());
        ordered.retain(|role, _| role.is_command());
        if let Some(time) = ordered.remove(&Role::CommandTime).or_else(|| columns.get(&Role::Time).cloned()) {
            ordered.insert(Role::Time, time);
        }
        let mut recording = Recording::read_csv(measurements, &measured)?;
        let commands = Recording::read_csv(commands, &ordered)?;
        let times = commands.time.iter().map(|time| time + commands.first_time - recording.first_time).collect();
        recording.columns.insert(Role::CommandTime, times);
        recording.columns.extend(commands.columns);
        recording.missing.extend(commands.missing);
        let name = commands.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        recording.notes.extend(commands.notes.into_iter().map(|note| note.at(&name)));
        Ok(recording)
    }

    /// Drops rows without a time or whose time does not increase, shifts the times to start at 0, and unwraps headings.
    fn tidy(&mut self) -> Result<(), String> {
        let time = self.columns.remove(&Role::Time).unwrap_or_default();
        // Until the clock is set its column is 0, far from its later times.
        let first = time.iter().copied().find(|t| *t != 0.0 && t.is_finite()).unwrap_or(0.0);
        let is_silent = |t: f64| t == 0.0 && first > LATER;
        let mut last = f64::NEG_INFINITY;
        let keep: Vec<bool> = time
            .iter()
            .map(|&t| {
                let rises = t.is_finite() && t > last && !is_silent(t);
                last = if rises { t } else { last };
                rises
            })
            .collect();
        let dropped = keep.iter().filter(|kept| !**kept).count();
        if dropped > 0 {
            let found = format!("{dropped} of {} rows have no time, or a time that does not increase", time.len());
            self.notes.push(Diagnostic::of(found));
        }
        let kept = |values: &[f64]| -> Vec<f64> {
            values.iter().zip(&keep).filter_map(|(value, kept)| kept.then_some(*value)).collect()
        };
        let time = kept(&time);
        let Some(&first) = time.first() else { return Err("no row has a time".into()) };
        self.time = time.iter().map(|t| t - first).collect();
        self.first_time = first;
        for values in self.columns.values_mut() {
            *values = kept(values);
        }
        if let Some(times) = self.columns.get_mut(&Role::CommandTime) {
            times.iter_mut().for_each(|t| *t -= first);
        }
        if let Some(yaw) = self.columns.get_mut(&Role::Yaw) {
            *yaw = unwrapped(std::mem::take(yaw));
        }
        Ok(())
    }

    /// The name of the file or folder, after that of the folder around it where that distinguishes it from others.
    pub fn name(&self) -> String {
        let name = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let folder = self.path.parent().filter(|_| self.shares_name).and_then(name);
        let file = name(&self.path).unwrap_or_default();
        folder.map_or(file.clone(), |folder| format!("{folder}/{file}"))
    }

    /// Times of the commands [s], with the same zero as `time`.
    pub(crate) fn command_times(&self) -> &[f64] {
        self.columns.get(&Role::CommandTime).unwrap_or(&self.time)
    }

    /// Whether the recording has this quantity.
    pub fn has(&self, role: Role) -> bool {
        self.columns.contains_key(&role)
    }

    /// Time of the last row [s].
    pub fn duration(&self) -> f64 {
        self.time.last().copied().unwrap_or(0.0)
    }

    /// Interpolates a quantity linearly at any time [s]; none outside the recording, beside a missing value, or within
    /// a gap longer than `longest_gap` [s].
    pub fn at(&self, role: Role, time: f64, longest_gap: f64) -> Option<f64> {
        let values = self.columns.get(&role)?;
        let above = self.time.partition_point(|t| *t < time);
        let (&t1, &v1) = (self.time.get(above)?, values.get(above)?);
        if t1 == time {
            return v1.is_finite().then_some(v1);
        }
        let below = above.checked_sub(1)?;
        let (t0, v0) = (self.time[below], values[below]);
        let value = v0 + (v1 - v0) * (time - t0) / (t1 - t0);
        (value.is_finite() && t1 - t0 <= longest_gap).then_some(value)
    }

    /// Splits the recording into the rows before `time` [s] and those from it on, whose times start at 0 again.
    pub fn split_at(self, time: f64) -> [Recording; 2] {
        let row = self.time.partition_point(|t| *t < time);
        let first = self.time.get(row).copied().unwrap_or_default();
        let mut after = Recording { path: self.path.clone(), shares_name: self.shares_name, ..Recording::default() };
        let mut before = self;
        after.time = before.time.split_off(row).into_iter().map(|t| t - first).collect();
        let commands = before.columns.get(&Role::CommandTime);
        let command_row = commands.map_or(row, |times| times.partition_point(|t| *t < first));
        for (&role, values) in &mut before.columns {
            let mut values_after = values.split_off(if role.is_command() { command_row } else { row });
            if role == Role::CommandTime {
                values_after.iter_mut().for_each(|t| *t -= first);
            }
            after.columns.insert(role, values_after);
        }
        [before, after]
    }

    /// Drops the measurements within `reach` [s] of each row whose speed is above `fastest` [m/s], where the marker
    /// jumped.
    pub(crate) fn drop_jumps(&mut self, fastest: f64, reach: f64) {
        let (Some(vx), Some(vy)) = (self.columns.get(&Role::Vx), self.columns.get(&Role::Vy)) else { return };
        let jumps: Vec<f64> = (self.time.iter().zip(vx.iter().zip(vy)))
            .filter(|(_, (vx, vy))| f64::hypot(**vx, **vy) > fastest)
            .map(|(time, _)| *time)
            .collect();
        if jumps.is_empty() {
            return;
        }
        let is_near = |time: f64| {
            let next = jumps.partition_point(|jump| *jump < time - reach - 1e-9);
            jumps.get(next).is_some_and(|jump| *jump <= time + reach + 1e-9)
        };
        let rows: Vec<usize> = (0..self.time.len()).filter(|&row| is_near(self.time[row])).collect();
        self.notes.push(Diagnostic::of(format!(
            "{} rows beside jumps faster than {fastest} m/s are left out, with the windows across them",
            rows.len()
        )));
        for (_, values) in self.columns.iter_mut().filter(|(role, _)| !role.is_command()) {
            rows.iter().for_each(|&row| values[row] = f64::NAN);
        }
        self.jumps = jumps;
    }

    /// Rate of change of a quantity at a row [unit/s], from the quadratic fitted to its values within `reach` [s]; NaN
    /// with fewer than three.
    pub fn slope(&self, role: Role, row: usize, reach: f64) -> f64 {
        self.columns.get(&role).map_or(f64::NAN, |values| slope(&self.time, values, row, reach))
    }

    /// Adds those of `vx`, `vy` and `yaw_rate` of the marker that are not measured, from quadratics fitted to the poses
    /// within `span`/2 [s] of each row (A. Savitzky and M. Golay, Analytical Chemistry 36, 1964). Each velocity depends
    /// on poses up to `span`/2 in the future.
    pub fn derive_velocities(&mut self, span: f64) {
        let (Some(x), Some(y), Some(yaw)) =
            (self.columns.get(&Role::X), self.columns.get(&Role::Y), self.columns.get(&Role::Yaw))
        else {
            return;
        };
        let rates: Vec<[f64; 3]> = (0..self.time.len())
            .map(|row| [x, y, yaw].map(|values| slope(&self.time, values, row, 0.5 * span)))
            .collect();
        let mut velocity = [Vec::new(), Vec::new(), Vec::new()];
        for (row, [vx, vy, wz]) in rates.into_iter().enumerate() {
            let (sin, cos) = libm::sincos(yaw[row]);
            velocity[0].push(cos * vx + sin * vy);
            velocity[1].push(cos * vy - sin * vx);
            velocity[2].push(wz);
        }
        for (role, values) in [Role::Vx, Role::Vy, Role::YawRate].into_iter().zip(velocity) {
            self.columns.entry(role).or_insert(values);
        }
    }
}

/// Ackermann and velocity commands by quantity, with times relative to `first` [s].
fn commands(commands: &[CommandSample], first: f64) -> BTreeMap<Role, Vec<f64>> {
    let mut columns = BTreeMap::from([
        (Role::CommandTime, commands.iter().map(|command| command.time - first).collect()),
        (Role::CommandSpeed, commands.iter().map(|command| command.speed).collect()),
    ]);
    let turns = |get: fn(&CommandSample) -> Option<f64>| {
        commands.iter().map(|command| get(command).unwrap_or(f64::NAN)).collect::<Vec<f64>>()
    };
    let [steering, yaw_rate]: [fn(&CommandSample) -> Option<f64>; 2] = [|c| c.steering_angle, |c| c.yaw_rate];
    for (role, values) in [(Role::CommandSteering, turns(steering)), (Role::CommandYawRate, turns(yaw_rate))] {
        if values.iter().any(|value| value.is_finite()) {
            columns.insert(role, values);
        }
    }
    columns
}

/// Unwraps headings [rad], so that they do not jump at ±π.
fn unwrapped(mut yaw: Vec<f64>) -> Vec<f64> {
    let mut before = f64::NAN;
    for value in yaw.iter_mut().filter(|value| value.is_finite()) {
        if before.is_finite() {
            *value = before + wrap_angle(*value - before);
        }
        before = *value;
    }
    yaw
}

/// Slope [unit/s] at `row` of the quadratic fitted to the values within `reach` [s]; NaN with fewer than three.
fn slope(time: &[f64], values: &[f64], row: usize, reach: f64) -> f64 {
    let now = time[row];
    let from = time.partition_point(|t| *t < now - reach - 1e-9);
    let to = time.partition_point(|t| *t <= now + reach + 1e-9);
    // Sums of powers of t, and of these times the value.
    let (mut s, mut b, mut count) = ([0.0; 5], [0.0; 3], 0);
    for (t, value) in time[from..to].iter().zip(&values[from..to]).filter(|(_, value)| value.is_finite()) {
        let t = (t - now) / reach;
        let mut power = 1.0;
        for k in 0..5 {
            s[k] += power;
            if k < 3 {
                b[k] += power * (value - values[row]);
            }
            power *= t;
        }
        count += 1;
    }
    if count < 3 {
        return f64::NAN;
    }
    let normal = nalgebra::Matrix3::new(s[0], s[1], s[2], s[1], s[2], s[3], s[2], s[3], s[4]);
    let solved = normal.lu().solve(&nalgebra::Vector3::from(b));
    solved.map_or(f64::NAN, |quadratic| quadratic[1] / reach)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Column;

    fn columns(names: &[(Role, &str, &str)]) -> Columns {
        let column = |name: &str, unit: &str| Column {
            column: vec![name.into()],
            unit: unit.into(),
            scale: 1.0,
            gate: String::new(),
        };
        names.iter().map(|(role, name, unit)| (*role, column(name, unit))).collect()
    }

    fn read(text: &str, columns: &Columns) -> Result<Recording, IdentifyError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.csv");
        std::fs::write(&path, text).unwrap();
        Recording::read_csv(&path, columns)
    }

    #[test]
    fn units_are_converted_headings_unwrapped_and_bad_rows_left_out() {
        let text = "# t,yaw,v,extra\n100,179,36,a\n100.1,-179,nan,b\n100.1,0,0,c\nnan,0,0,d\n100.2,-178,,e\n";
        let recording =
            read(text, &columns(&[(Role::Time, "t", ""), (Role::Yaw, "yaw", "deg"), (Role::Vx, "v", "km/h")])).unwrap();
        assert!(recording.time.iter().zip([0.0, 0.1, 0.2]).all(|(t, expected)| (t - expected).abs() < 1e-9));
        let yaw = recording.columns[&Role::Yaw].iter().map(|yaw| yaw.to_degrees().round()).collect::<Vec<_>>();
        assert_eq!(yaw, [179.0, 181.0, 182.0]);
        assert_eq!(recording.columns[&Role::Vx][0], 10.0);
        assert!(recording.columns[&Role::Vx][1].is_nan() && recording.columns[&Role::Vx][2].is_nan());
        assert_eq!(recording.notes, [Diagnostic::of("2 of 5 rows have no time, or a time that does not increase")]);
        assert_eq!(recording.at(Role::Vx, 0.05, 1.0), None);
        assert!((recording.at(Role::Yaw, 0.15, 1.0).unwrap().to_degrees() - 181.5).abs() < 1e-6);
        assert_eq!(recording.at(Role::Yaw, 0.15, 0.05), None);
    }

    #[test]
    fn a_missing_time_and_an_unknown_unit_are_explained() {
        let error = read("a,b\n1,2\n", &columns(&[(Role::Time, "t", "")])).unwrap_err().to_string();
        assert!(error.ends_with("run.csv: no column \"t\"\n  accepted: a, b"), "{error}");
        let error = read("t\n1\n", &columns(&[(Role::Time, "t", "h")])).unwrap_err().to_string();
        assert_eq!(error, "columns: time: found unit \"h\"\n  accepted: s, ms, us, ns");
    }

    /// x = t², y = 0, ψ = t: the velocity turns with the body.
    #[test]
    fn velocities_follow_from_poses_exactly_for_quadratics() {
        let text: String = (0..50).map(|k| 0.01 * f64::from(k)).map(|t| format!("{t},{},0,{t}\n", t * t)).collect();
        let roles = [(Role::Time, "t", ""), (Role::X, "x", ""), (Role::Y, "y", ""), (Role::Yaw, "yaw", "")];
        let mut recording = read(&format!("t,x,y,yaw\n{text}"), &columns(&roles)).unwrap();
        recording.derive_velocities(0.1);
        for (row, t) in recording.time.clone().into_iter().enumerate() {
            let of = |role| recording.columns[&role][row];
            assert!((of(Role::YawRate) - 1.0).abs() < 1e-9);
            assert!((of(Role::Vx) - 2.0 * t * t.cos()).abs() < 1e-9 && (of(Role::Vy) + 2.0 * t * t.sin()).abs() < 1e-9);
        }
    }

    #[test]
    fn a_recording_can_be_split_in_time() {
        let text: String = (0..10).map(|k| format!("{},{k}\n", f64::from(k) * 0.5)).collect();
        let recording = read(&format!("t,x\n{text}"), &columns(&[(Role::Time, "t", ""), (Role::X, "x", "")])).unwrap();
        let [before, after] = recording.split_at(1.6);
        assert_eq!((before.time, &before.columns[&Role::X][..]), (vec![0.0, 0.5, 1.0, 1.5], &[0.0, 1.0, 2.0, 3.0][..]));
        assert_eq!((after.time[..2].to_vec(), &after.columns[&Role::X][..2]), (vec![0.0, 0.5], &[4.0, 5.0][..]));
    }

    #[test]
    fn rows_beside_jumps_are_left_out() {
        let text: String =
            (0..10).map(|k| format!("{},{},0\n", f64::from(k) * 0.1, if k == 5 { 90.0 } else { 1.0 })).collect();
        let roles = [(Role::Time, "t", ""), (Role::Vx, "vx", ""), (Role::Vy, "vy", "")];
        let mut recording = read(&format!("t,vx,vy\n{text}"), &columns(&roles)).unwrap();
        recording.drop_jumps(20.0, 0.1);
        let left: Vec<usize> = (0..10).filter(|&row| recording.columns[&Role::Vx][row].is_finite()).collect();
        assert_eq!((left, recording.jumps), (vec![0, 1, 2, 3, 7, 8, 9], vec![0.5]));
        let reported = "3 rows beside jumps faster than 20 m/s are left out, with the windows across them";
        assert_eq!(recording.notes, [Diagnostic::of(reported)]);
    }
}
