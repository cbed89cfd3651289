//! How laps are timed.

use crate::analysis::laps::{LapParameters, Sectors};
use crate::diagnostic::Diagnostic;

/// Options of laps, for `experiment` and `analyze`.
#[derive(Clone, Debug, clap::Args)]
pub(in crate::cli) struct LapArgs {
    /// Number of sectors of a lap, or distances where sectors end [m] [default: 3]
    ///
    /// A number makes sectors of the same length. Distances are along the line, with commas between them, such as 12.5,30. A single distance has
    /// a comma after it.
    #[arg(long, value_name = "N|M,M,…", value_parser = sectors)]
    pub(in crate::cli) sectors: Option<Sectors>,
    /// Width of the vehicle, to find when it leaves the track [m]
    ///
    /// The vehicle is off the track when half of this width beside its reference point reaches over a border. Without the option, it is off when
    /// its reference point is.
    #[arg(long, value_name = "M", value_parser = crate::cli::parsers::length)]
    pub(in crate::cli) vehicle_width: Option<f64>,
    /// Width of the track around a line without widths [m]
    ///
    /// Half of the width is on each side of the line.
    #[arg(long, value_name = "M", value_parser = crate::cli::parsers::length)]
    pub(in crate::cli) track_width: Option<f64>,
}

impl LapArgs {
    /// Sets what is given.
    pub(in crate::cli) fn apply(&self, laps: &mut LapParameters) {
        if let Some(sectors) = &self.sectors {
            laps.sectors = sectors.clone();
        }
        laps.vehicle_width = self.vehicle_width.unwrap_or(laps.vehicle_width);
        laps.track_width = self.track_width.unwrap_or(laps.track_width);
    }

    /// The first option that is given.
    pub(in crate::cli) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--sectors", self.sectors.is_some()),
            ("--vehicle-width", self.vehicle_width.is_some()),
            ("--track-width", self.track_width.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
    }
}

/// A number of sectors, or where they end.
fn sectors(text: &str) -> Result<Sectors, Diagnostic> {
    let wrong = |accepted: &str| Diagnostic::of("not sectors").accepted(accepted);
    if !text.contains(',') {
        return text
            .parse()
            .map(Sectors::Equal)
            .map_err(|_| wrong("a number of sectors, or distances along the line [m] with commas, such as 12.5,30"));
    }
    // A comma at the end separates nothing: `12.5,` is one way.
    let parts = text.strip_suffix(',').unwrap_or(text).split(',');
    let ends: Result<Vec<f64>, _> = parts.map(|part| part.trim().parse::<f64>()).collect();
    let ends = ends.map_err(|_| wrong("distances along the line [m] with commas, such as 12.5,30"))?;
    Ok(Sectors::Ends(ends))
}
