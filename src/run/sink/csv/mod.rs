//! CSV logs: for every vehicle a file with its pose and velocity and one for each wheel, with a row per step.
//!
//! ```text
//! <prefix>session_001/<vehicle>_pose.csv
//! <prefix>session_001/<vehicle>_wheel_1.csv      wheels in the order of the scene, from 1
//! ```
//!
//! A vehicle that is added later gets its own files in the same session; those of a removed one are closed.
//!
//! Every session takes the next free number, so that nothing is overwritten. Columns are MVSim's, in SI units and radians, with as many
//! digits as reading back the same number requires. A separate thread writes the files (see `writer`); rows become visible in them within
//! about half a second.

pub mod columns;
mod session;
mod writer;

use std::path::Path;
use std::sync::Arc;

use skidpad_files::file_error::FileError;
use skidpad_sim::world::{Frame, Scene, Wanted};

use super::{Interrupts, LogRequest, Sink, SinkError};
use columns::POSE;
use session::{Session, VehicleFiles};
use writer::{Message, RowWriter};

/// Writes the CSV logs of all vehicles.
///
/// [`LogRequest`]s start and stop the rows of all vehicles, empty the files or continue in a new session.
pub struct CsvSink {
    directory: Option<String>,
    /// One entry per vehicle.
    files: Vec<VehicleFiles>,
    /// The last [`LogRequest::Record`].
    requested: Option<bool>,
    /// Whether a vehicle is or was recorded.
    has_recorded: bool,
    batch: Vec<f64>,
    writer: Option<RowWriter>,
    interrupts: Interrupts,
}

impl CsvSink {
    /// Values sent to the writer at a time.
    const BATCH: usize = 4096;

    /// Records every vehicle from the start, into `directory`, which is created if it is missing. Fails if it cannot be.
    pub fn in_directory(directory: &Path) -> Result<CsvSink, SinkError> {
        std::fs::create_dir_all(directory).map_err(|error| FileError::create(directory, error))?;
        Ok(CsvSink { directory: Some(format!("{}/", directory.display())), ..CsvSink::on_request() })
    }

    /// Records the vehicles with `<auto_start_recording>` in their world file, the others on request; to their `<log_path>`.
    pub fn on_request() -> CsvSink {
        CsvSink {
            directory: None,
            files: Vec::new(),
            requested: None,
            has_recorded: false,
            batch: Vec::new(),
            writer: None,
            interrupts: Interrupts::default(),
        }
    }

    /// Lets a user give up a disk that does not come to an end. Without this, the sink waits forever.
    pub fn with_interrupts(self, interrupts: Interrupts) -> CsvSink {
        CsvSink { interrupts, ..self }
    }

    /// Sets the location of the files of each new vehicle, and whether it is recorded.
    fn add_vehicles(&mut self, scene: &Scene) {
        let stems = session::stems(scene.vehicles.iter().map(|vehicle| vehicle.name.as_str()));
        let before = std::mem::take(&mut self.files);
        for (vehicle, stem) in scene.vehicles.iter().zip(stems) {
            let known = before.iter().find(|files| files.id == vehicle.id).cloned();
            self.files.push(known.unwrap_or_else(|| VehicleFiles {
                id: vehicle.id,
                prefix: self.directory.as_ref().unwrap_or(&vehicle.log_path).clone(),
                stem,
                wheels: vehicle.wheels.len(),
                is_recorded: self.requested.unwrap_or(self.directory.is_some() || vehicle.auto_start_recording),
            }));
        }
        self.has_recorded |= self.files.iter().any(|files| files.is_recorded);
    }

    fn writer(&mut self) -> Result<&mut RowWriter, SinkError> {
        self.writer.as_mut().ok_or_else(|| SinkError::new("csv", "not started"))
    }

    fn send_batch(&mut self) -> Result<(), SinkError> {
        if self.batch.is_empty() {
            return self.writer()?.check();
        }
        let empty = self.writer()?.batch();
        let batch = std::mem::replace(&mut self.batch, empty);
        self.writer()?.send(Message::Rows(batch))
    }
}

impl Sink for CsvSink {
    fn name(&self) -> &str {
        "the CSV log"
    }

    fn start(&mut self, scene: &Arc<Scene>) -> Result<(), SinkError> {
        self.add_vehicles(scene);
        // Created here, so that an unwritable directory is reported before the first step.
        let session = match self.files.iter().any(|files| files.is_recorded) {
            true => Some(Session::create(&self.files)?),
            false => None,
        };
        self.writer = Some(RowWriter::spawn(self.files.clone(), session, self.interrupts.clone())?);
        Ok(())
    }

    fn scene_changed(&mut self, scene: &Arc<Scene>) -> Result<(), SinkError> {
        self.send_batch()?;
        self.add_vehicles(scene);
        let message = Message::Vehicles(self.files.clone());
        self.writer()?.send(message)
    }

    fn wants(&mut self, _scene: &Arc<Scene>, _wanted: &mut Wanted) {}

    fn sees_frames(&self) -> bool {
        self.has_recorded
    }

    fn frame(&mut self, scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        // Divided rather than multiplied: 0.015, not 0.015000000000000001.
        let time = frame.time.0 as f64 / 1e9;
        for ((vehicle, info), files) in frame.vehicles.iter().zip(&scene.vehicles).zip(&self.files) {
            if files.is_recorded {
                columns::append_row(&mut self.batch, POSE, time, vehicle, info);
                for (wheel, info) in vehicle.wheels.iter().zip(&info.wheels) {
                    columns::append_wheel_row(&mut self.batch, time, wheel, vehicle, info);
                }
            }
        }
        if self.batch.len() >= Self::BATCH { self.send_batch() } else { self.writer()?.check() }
    }

    fn idle(&mut self, _scene: &Arc<Scene>, _frame: &Frame) -> Result<(), SinkError> {
        self.send_batch()
    }

    fn log(&mut self, request: LogRequest) -> Result<(), SinkError> {
        self.send_batch()?;
        let message = match request {
            LogRequest::Record(on) => {
                self.files.iter_mut().for_each(|files| files.is_recorded = on);
                self.requested = Some(on);
                self.has_recorded |= on;
                Message::Vehicles(self.files.clone())
            }
            LogRequest::Clear => Message::Clear,
            LogRequest::NewSession => Message::NewSession,
        };
        self.writer()?.send(message)
    }

    fn finish(&mut self) -> Result<(), SinkError> {
        if self.writer.is_none() {
            return Ok(());
        }
        let sent = self.send_batch();
        let finished = self.writer()?.finish();
        sent.and(finished)
    }
}

#[cfg(test)]
mod tests;
