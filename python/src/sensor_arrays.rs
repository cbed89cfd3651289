//! The samples of a sensor as arrays, one row for each world.

use numpy::Element;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use skidpad::sensor::{MocapStamp, ReadingData, SensorInfo, SensorKind};
use skidpad::world::Frame;

use crate::buffer::{Buffer, shape};

/// An array of a sensor, by the type of its numbers.
enum Column {
    Bytes(Buffer<u8>),
    Labels(Buffer<u16>),
    Counts(Buffer<i64>),
    Singles(Buffer<f32>),
    Doubles(Buffer<f64>),
}

/// The types, before there is an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Bytes,
    Labels,
    Counts,
    Singles,
    Doubles,
}

/// The arrays of a sensor.
pub(crate) struct SensorArrays {
    columns: Vec<(&'static str, Column)>,
    /// What the stamps of a marker body say.
    stamp: MocapStamp,
    /// Time of the sample [s], and whether it is new: for several worlds.
    times: Option<(Buffer<f64>, Buffer<bool>)>,
}

/// Name, shape and type of each array of a sensor.
pub(crate) type Layout = Vec<(&'static str, Vec<usize>, Type)>;

/// The arrays of a sensor; none where samples differ in size.
pub(crate) fn layout(info: &SensorInfo) -> Option<Layout> {
    Some(match &info.kind {
        SensorKind::Lidar2d(scan) => {
            let labels = scan.has_labels.then(|| ("labels", vec![scan.count, 2], Type::Labels));
            std::iter::once(("ranges", vec![scan.count], Type::Singles)).chain(labels).collect()
        }
        SensorKind::Camera(model) => {
            let (rows, columns) = (model.lens.rows, model.lens.columns);
            let pixels = ("pixels", vec![rows, columns, 3], Type::Bytes);
            let labels = model.has_labels.then(|| ("labels", vec![rows, columns, 2], Type::Labels));
            std::iter::once(pixels).chain(labels).collect()
        }
        SensorKind::Rgbd(model) => {
            let size = |lens: &skidpad::sensor::camera::Lens| [lens.rows, lens.columns];
            let pixels = model.rgb.as_ref().map(|rgb| size(&rgb.lens));
            let depths = model.depth.as_ref().map(|depth| size(&depth.lens));
            let labels = |[rows, columns]: [usize; 2]| vec![rows, columns, 2];
            let of_pixels = pixels.filter(|_| model.rgb.is_some_and(|rgb| rgb.has_labels));
            let of_depths = depths.filter(|_| model.depth.is_some_and(|depth| depth.has_labels));
            let pixels = pixels.map(|[rows, columns]| ("pixels", vec![rows, columns, 3], Type::Bytes));
            let depths = depths.map(|size| ("depths", size.to_vec(), Type::Singles));
            let of_pixels = of_pixels.map(|size| ("labels", labels(size), Type::Labels));
            let of_depths = of_depths.map(|size| ("depth_labels", labels(size), Type::Labels));
            [pixels, depths, of_pixels, of_depths].into_iter().flatten().collect()
        }
        SensorKind::Imu(_) => vec![
            ("angular_velocity", vec![3], Type::Doubles),
            ("linear_acceleration", vec![3], Type::Doubles),
            ("orientation", vec![4], Type::Doubles),
        ],
        SensorKind::Gnss(_) => {
            vec![("position", vec![3], Type::Doubles), ("velocity_in_enu", vec![3], Type::Doubles)]
        }
        SensorKind::Encoder(encoder) => {
            let wheels = vec![encoder.wheels.len()];
            vec![("counts", wheels.clone(), Type::Counts), ("rates", wheels, Type::Doubles)]
        }
        SensorKind::Magnetometer { .. } => vec![("field", vec![3], Type::Doubles)],
        SensorKind::Range(_) => vec![("range", vec![], Type::Doubles)],
        SensorKind::Mocap(_) => vec![
            ("position", vec![3], Type::Doubles),
            ("orientation", vec![4], Type::Doubles),
            ("stamp", vec![], Type::Doubles),
        ],
        SensorKind::Lidar3d(_) | SensorKind::Contact(_) => return None,
    })
}

impl SensorArrays {
    /// Arrays of a sensor in `count` worlds, or in one alone; none where samples differ in size.
    pub(crate) fn new(python: Python<'_>, info: &SensorInfo, count: Option<usize>) -> PyResult<Option<SensorArrays>> {
        let Some(layout) = layout(info) else { return Ok(None) };
        let column = |(name, axes, kind): (&'static str, Vec<usize>, Type)| {
            let shape = shape(count, &axes);
            let column = match kind {
                Type::Bytes => Column::Bytes(Buffer::zeros(python, &shape)?),
                Type::Labels => Column::Labels(Buffer::zeros(python, &shape)?),
                Type::Counts => Column::Counts(Buffer::zeros(python, &shape)?),
                Type::Singles => Column::Singles(Buffer::zeros(python, &shape)?),
                Type::Doubles => Column::Doubles(Buffer::zeros(python, &shape)?),
            };
            Ok((name, column))
        };
        let columns = layout.into_iter().map(column).collect::<PyResult<Vec<_>>>()?;
        let times =
            count.map(|count| PyResult::Ok((Buffer::zeros(python, &[count])?, Buffer::zeros(python, &[count])?)));
        let stamp = if let SensorKind::Mocap(stamp) = info.kind { stamp } else { MocapStamp::default() };
        Ok(Some(SensorArrays { columns, stamp, times: times.transpose()? }))
    }

    /// Writes the sample of the world with this index; `is_fresh`: it arrived in the last call.
    ///
    /// # Safety
    /// No other thread writes this row.
    #[expect(unsafe_code, reason = "rows of different worlds are written by different threads")]
    pub(crate) unsafe fn write(&self, index: usize, frame: &Frame, slot: usize, is_fresh: bool) {
        let reading = &frame.readings[slot];
        // SAFETY: by the caller, this row is written by this thread alone.
        unsafe {
            if let Some((times, fresh)) = &self.times {
                times.row(index, 1)[0] = if reading.time.0 < 0 { f64::NAN } else { reading.time.secs() };
                fresh.row(index, 1)[0] = is_fresh;
            }
            for (name, column) in &self.columns {
                match (column, &reading.data) {
                    (Column::Singles(array), ReadingData::Scan(scan)) => array.set(index, &scan.ranges),
                    (Column::Labels(array), ReadingData::Scan(scan)) => array.set(index, scan.labels.as_flattened()),
                    (Column::Bytes(array), ReadingData::Photograph(photograph)) => array.set(index, &photograph.pixels),
                    (Column::Labels(array), ReadingData::Photograph(photograph)) => {
                        array.set(index, photograph.labels.as_flattened());
                    }
                    (Column::Bytes(array), ReadingData::Rgbd(both)) => array.set(index, &both.pixels),
                    (Column::Singles(array), ReadingData::Rgbd(both)) => array.set(index, &both.depths),
                    (Column::Labels(array), ReadingData::Rgbd(both)) => {
                        let labels = if *name == "labels" { &both.labels } else { &both.depth_labels };
                        array.set(index, labels.as_flattened());
                    }
                    (Column::Doubles(array), ReadingData::Imu(sample)) => match *name {
                        "angular_velocity" => array.set(index, sample.angular_velocity.as_slice()),
                        "linear_acceleration" => array.set(index, sample.linear_acceleration.as_slice()),
                        _ => array.set(index, &sample.orientation),
                    },
                    (Column::Doubles(array), ReadingData::Gnss(fix)) => {
                        let numbers = fix.map(|fix| match *name {
                            "position" => [fix.place.latitude, fix.place.longitude, fix.place.height],
                            _ => fix.velocity_in_enu.into(),
                        });
                        array.set(index, &numbers.unwrap_or([f64::NAN; 3]));
                    }
                    (Column::Counts(array), ReadingData::Ticks(ticks)) => array.set(index, &ticks.counts),
                    (Column::Doubles(array), ReadingData::Ticks(ticks)) => array.set(index, &ticks.rates),
                    (Column::Doubles(array), ReadingData::MagneticField(field)) => array.set(index, field.as_slice()),
                    (Column::Doubles(array), ReadingData::Range(sample)) => array.set(index, &[sample.range]),
                    (Column::Doubles(array), ReadingData::MarkerPose(sample)) => match *name {
                        "position" => array.set(index, sample.world_from_marker.position().as_slice()),
                        "orientation" => array.set(index, &sample.world_from_marker.quaternion()),
                        _ => array.set(index, &[sample.stamp(self.stamp, reading.time, reading.arrived).secs()]),
                    },
                    _ => {}
                }
            }
        }
    }

    /// The views by name.
    pub(crate) fn views<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let views = PyDict::new(python);
        for (name, column) in &self.columns {
            let view = match column {
                Column::Bytes(array) => array.view(python),
                Column::Labels(array) => array.view(python),
                Column::Counts(array) => array.view(python),
                Column::Singles(array) => array.view(python),
                Column::Doubles(array) => array.view(python),
            };
            views.set_item(name, view)?;
        }
        Ok(views)
    }

    /// The views of times and of what is new.
    pub(crate) fn times(&self, python: Python<'_>) -> Option<(Py<PyAny>, Py<PyAny>)> {
        self.times.as_ref().map(|(times, fresh)| (times.view(python), fresh.view(python)))
    }
}

impl<T: Element + Copy + Send> Buffer<T> {
    /// Writes a row of an array whose rows are as long as `numbers`; a sample that has not been taken is shorter and leaves it as it is.
    ///
    /// # Safety
    /// As [`Buffer::row`].
    #[expect(unsafe_code, reason = "see Buffer::row")]
    unsafe fn set(&self, index: usize, numbers: &[T]) {
        if !numbers.is_empty() {
            // SAFETY: by the caller.
            unsafe { self.row(index, numbers.len()) }.copy_from_slice(numbers);
        }
    }
}
