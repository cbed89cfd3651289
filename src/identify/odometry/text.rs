//! The noise of odometry as tables in Markdown, and as the element of a world file.

use std::fmt::Write;

use skidpad_analysis::rows;
use skidpad_xml::markup::markdown;

use super::{Estimate, OdometryErrors};

/// Way [m] and turn [rad] between two updates of nav2's AMCL (update_min_d and update_min_a, their defaults).
const AMCL_DISTANCE: f64 = 0.25;
const AMCL_TURN: f64 = 0.2;

/// A value with the uncertainty that follows it, with two digits of that.
fn rounded(Estimate { value, half_width }: Estimate) -> String {
    if !half_width.is_finite() {
        return format!("{value:.4}");
    }
    let digits = if half_width > 0.0 { (1.0 - half_width.log10().floor()).clamp(0.0, 6.0) as usize } else { 4 };
    format!("{value:.digits$} ± {half_width:.digits$}")
}

/// A standard deviation with the upper end of its interval; of one that the data do not show only that.
fn bounded(deviation: Estimate) -> String {
    let Estimate { value, half_width } = deviation;
    match (value > 0.0, half_width.is_finite()) {
        (true, true) => format!("{value:.4} (up to {:.4})", value + half_width),
        (false, true) => format!("0 (up to {half_width:.4})"),
        (_, false) => format!("{value:.4}"),
    }
}

impl OdometryErrors {
    /// The element of a vehicle that errs like the fitted recordings.
    pub fn element(&self) -> String {
        let [scale, yaw_scale, curvature] = self.mean.map(|mean| mean.value);
        let [scale_std, yaw_scale_std, curvature_std] = self.spread;
        let [along, across, yaw, turn, ..] = self.walks.map(|walk| walk.value);
        // The errors that are drawn come after those of the multipliers.
        let [scale_std, yaw_scale_std, curvature_std] =
            [scale_std / (1.0 + scale), yaw_scale_std / (1.0 + yaw_scale), curvature_std / (1.0 + scale)];
        format!(
            "<odometry x_multiplier=\"{:.4}\" yaw_multiplier=\"{:.4}\" curvature=\"{curvature:.4}\"><noise scale_std=\"{scale_std:.4}\" yaw_scale_std=\"{yaw_scale_std:.4}\" curvature_std=\"{curvature_std:.4}\" along_walk=\"{along:.4}\" across_walk=\"{across:.4}\" yaw_walk=\"{yaw:.4}\" turn_walk=\"{turn:.4}\"/></odometry>",
            1.0 + scale,
            1.0 + yaw_scale,
        )
    }

    /// α1 to α4 of the model of odometry of "Probabilistic Robotics" (S. Thrun, W. Burgard and D. Fox, ch. 5.4), as
    /// variances per square: of turns by turns [-] and by ways [rad²/m²], of ways by ways [-] and by turns [m²/rad²], for
    /// updates after the way and the turn after which it does by default.
    pub(crate) fn alphas(&self) -> [f64; 4] {
        let [scale, yaw_scale, curvature] = self.spread;
        let [along, _, yaw, turn, ..] = self.walks.map(|walk| walk.value);
        [
            turn * turn / AMCL_TURN + yaw_scale * yaw_scale,
            yaw * yaw / AMCL_DISTANCE + curvature * curvature,
            along * along / AMCL_DISTANCE + scale * scale,
            0.0,
        ]
    }

    /// The ratios of UMBmark for the mean robot: of the diameters, right over left, and of the true separation of the
    /// wheels over that of the class.
    pub fn umbmark(&self) -> [f64; 2] {
        let [scale, yaw_scale, curvature] = self.mean.map(|mean| mean.value);
        let half = 0.5 * curvature * self.separation;
        [(1.0 - half) / (1.0 + half), (1.0 + yaw_scale) / (1.0 + scale)]
    }
}

/// What was found of odometry: tables and paragraphs in Markdown, separated by empty lines.
pub fn odometry_tables(odometry: &OdometryErrors) -> String {
    let OdometryErrors { length, mean_window: [path_length, turn], recordings, fitted, .. } = odometry;
    let mut text = format!(
        "Errors of odometry, from dead reckoning over windows of {length} s. A window has {path_length:.2} m of path and {:.0}° of turns on average:\n\n",
        turn.to_degrees()
    );
    let head = [
        "Recording",
        "Windows",
        "Reported / true distance",
        "Reported / true rotation",
        "Reported rotation per distance [rad/m]",
    ];
    let mut table = vec![head.map(str::to_owned).to_vec()];
    for (index, of) in recordings.iter().enumerate() {
        let [scale, yaw_scale, curvature] = of.half_widths;
        let estimate = |value: f64, half_width: f64| rounded(Estimate { value, half_width });
        let fitted = if index < *fitted { "" } else { ", not fitted" };
        table.push(vec![
            format!("{}{fitted}", markdown(&of.name)),
            of.windows.to_string(),
            estimate(1.0 + of.systematic.scale, scale),
            estimate(1.0 + of.systematic.yaw_scale, yaw_scale),
            estimate(of.systematic.curvature, curvature),
        ]);
    }
    let [scale, yaw_scale, curvature] = odometry.mean;
    let ratio = |estimate: Estimate| rounded(Estimate { value: 1.0 + estimate.value, ..estimate });
    let spread = if *fitted > 1 { "spread between recordings" } else { "uncertainty of the recording" };
    let mean = [ratio(scale), ratio(yaw_scale), rounded(curvature)];
    let spreads = odometry.spread.map(|deviation| format!("{deviation:.4}"));
    for (title, cells) in [("mean of the fitted recordings", mean), (spread, spreads)] {
        table.push([title.to_owned(), String::new()].into_iter().chain(cells).collect());
    }
    text += &rows::markdown(&table);
    let names = [
        "along the path [m/√m]",
        "across the path [m/√m]",
        "yaw per distance [rad/√m]",
        "yaw per rotation [rad/√rad]",
        "constant, positions at the ends [m]",
        "constant, headings at the ends [rad]",
    ];
    let mut walks = vec![["Random walk", "Standard deviation"].map(str::to_owned).to_vec()];
    walks.extend(names.iter().zip(&odometry.walks).map(|(name, walk)| vec![(*name).to_owned(), bounded(*walk)]));
    let mut errors = vec![["RMS error of dead reckoning", "fitted", "not fitted"].map(str::to_owned).to_vec()];
    let mut row = |name: &str, cell: &dyn Fn(&super::Reckoned) -> String| {
        let cells = odometry.reckoned.iter().map(|of| if of.windows > 0 { cell(of) } else { "–".to_owned() });
        errors.push(std::iter::once(name.to_owned()).chain(cells).collect());
    };
    row("position as reported [m]", &|of| format!("{:.4}", of.reported[0]));
    row("position, mean errors removed [m]", &|of| format!("{:.4}", of.corrected[0]));
    row("yaw as reported [deg]", &|of| format!("{:.4}", of.reported[1].to_degrees()));
    row("yaw, mean errors removed [deg]", &|of| format!("{:.4}", of.corrected[1].to_degrees()));
    row("squared error over the variance of the noise (ideal: 1)", &|of| format!("{:.2}", of.ratio));
    text += &format!("\n{}\n{}", rows::markdown(&walks), rows::markdown(&errors));
    let [diameters, separation] = odometry.umbmark();
    let [a1, a2, a3, a4] = odometry.alphas();
    let _ = write!(
        text,
        "\nAn odometry element with these errors: {}\n\nUMBmark's ratios of the mean robot: E_d {diameters:.4} (wheel diameters, right / left), E_b {separation:.4} (wheel separation, true / class). For AMCL with updates after {AMCL_DISTANCE} m or {AMCL_TURN} rad: alpha1 {a1:.4}, alpha2 {a2:.4}, alpha3 {a3:.4}, alpha4 {a4:.4}.\n",
        format_args!("`{}`", odometry.element()),
    );
    text
}
