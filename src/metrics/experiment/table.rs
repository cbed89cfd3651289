//! The table of a matrix: as text, and as Markdown.

use super::{Matrix, TYRES};
use crate::rows;

impl Matrix {
    /// The table in columns, with its units.
    pub fn text(&self) -> String {
        let row =
            |first: String, cells: Vec<String>| cells.iter().fold(first, |row, cell| row + &format!("{cell:>18}"));
        let head = row(format!("{:<28}", "RMSE [cm] / ISE [m²·s]"), TYRES.map(String::from).to_vec());
        self.rows().into_iter().fold(head, |text, (trajectory, plant, cells)| {
            text + "\n" + &row(format!("{trajectory:<14}{plant:<14}"), cells)
        }) + "\n"
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let head = ["RMSE [cm] / ISE [m²·s]", "plant"].iter().chain(&TYRES).map(|head| (*head).to_owned());
        let row = |(trajectory, plant, cells): (&str, &str, Vec<String>)| {
            [trajectory.to_owned(), plant.to_owned()].into_iter().chain(cells).collect()
        };
        rows::markdown(&std::iter::once(head.collect()).chain(self.rows().into_iter().map(row)).collect::<Vec<_>>())
    }

    /// For each trajectory and plant, the numbers on each tyre.
    fn rows(&self) -> Vec<(&'static str, &'static str, Vec<String>)> {
        let mut rows: Vec<(&str, &str, Vec<String>)> = Vec::new();
        for cell in &self.cells {
            let numbers = match cell.outcome.analyzed.metrics.tracking {
                Some(tracking) => format!("{:.2} / {:.4}", 100.0 * tracking.rmse, tracking.ise),
                None => "–".into(),
            };
            match rows.last_mut().filter(|row| (row.0, row.1) == (cell.trajectory, cell.plant)) {
                Some(row) => row.2.push(numbers),
                None => rows.push((cell.trajectory, cell.plant, vec![numbers])),
            }
        }
        rows
    }
}
