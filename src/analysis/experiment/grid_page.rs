//! The files of a matrix of the user's own: page, tables and curves.

use std::fs;
use std::path::{Path, PathBuf};

use maud::html;
use skidpad_files::file_error::FileError;
use skidpad_plot::{self as plot, PlotError};

use super::GridReport;
use crate::page::how_made;
use crate::{FIELDS, Field, shown};
use crate::{PictureOptions, ReportError, html, write};

impl GridReport<'_> {
    /// Writes `report.html`, `runs.csv`, `runs.json`, `table.md`, of several seeds `summary.csv`, and the curves into the folder `out`, which is created if missing; returns the
    /// files.
    ///
    /// # Errors
    /// The folder cannot be created or a file cannot be written.
    pub fn write(
        &self,
        title: &str,
        field: &Field,
        pictures: &PictureOptions,
        out: &Path,
    ) -> Result<Vec<PathBuf>, ReportError> {
        fs::create_dir_all(out).map_err(|error| FileError::write(out, error))?;
        let table = self.csv_file().map_err(|error| FileError::write(out.join("runs.csv"), error))?;
        let summary = self.summary_csv().map_err(|error| FileError::write(out.join("summary.csv"), error))?;
        // Serializing plain values cannot fail.
        let json = serde_json::to_string_pretty(&self.as_json()).unwrap_or_default() + "\n";
        let texts = [
            ("report.html", self.html(title, field)?),
            ("runs.csv", table),
            ("runs.json", json),
            ("table.md", self.markdown(field)),
        ];
        let mut files = Vec::new();
        for (name, text) in texts.into_iter().chain(summary.map(|text| ("summary.csv", text))) {
            let path = out.join(name);
            write(&path, &text)?;
            files.push(path);
        }
        if let Some((figure, size)) = self.curves(field) {
            for ending in ["svg", "pdf", "png"].into_iter().chain(pictures.data.then_some("csv")) {
                let path = out.join(format!("curves.{ending}"));
                plot::write_on(&figure, &path, size, pictures.page_size.as_ref())?;
                files.push(path);
            }
        }
        Ok(files)
    }

    /// The page: one metric as a table and as curves, then all runs with all their numbers.
    fn html(&self, title: &str, field: &Field) -> Result<String, ReportError> {
        let curves = self.curves(field).map(|(figure, size)| {
            let failed = |reason| PlotError::Drawing { path: "report.html".into(), reason };
            plot::svg(&figure, size).map_err(|error| failed(error.found))
        });
        let curves = curves.transpose()?;
        let keys = self.axes.iter().flat_map(|axis| &axis.keys);
        let known: Vec<&Field> = FIELDS
            .iter()
            .filter(|field| self.cells.iter().any(|cell| cell.metrics().and_then(field.get).is_some()))
            .collect();
        let mut all = vec![keys.cloned().chain(known.iter().map(|field| field.title())).collect()];
        all.extend(self.cells.iter().map(|cell| {
            let values = self.axes.iter().zip(&cell.indices).flat_map(|(axis, &index)| axis.values[index].clone());
            values.chain(known.iter().map(|field| shown(cell.metrics().and_then(field.get)))).collect()
        }));
        let body = html! {
            (self.html_table(field))
            @if let Some(svg) = curves { (html::figure(&svg)) }
            (html::folded("All runs", html::table(&all)))
            @if let Some(made) = &self.provenance { (how_made("How this was made", made)) }
        };
        Ok(html::page(title, "", &body))
    }
}
