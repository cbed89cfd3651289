//! How graphs are written: their size on paper, and what they show as numbers.

use crate::analysis::PictureOptions;
use crate::diagnostic::Diagnostic;
use crate::plot::PageSize;

/// Options of the graphs of a folder.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(in crate::cli) struct PictureArgs {
    /// Size of each graph on paper, such as 88mm or 88x60mm
    ///
    /// 88mm is the width of a journal's column. PNG files of such graphs have 300 pixels per inch.
    #[arg(long, value_name = "SIZE", requires = "out")]
    figure_size: Option<PageSize>,
    /// Font size in graphs with --figure-size [pt]
    #[arg(long, value_name = "PT", requires = "figure_size", default_value = "8", value_parser = font_size)]
    font_size: f64,
    /// Write the data of each graph as CSV beside it
    #[arg(long, requires = "out")]
    data: bool,
}

impl PictureArgs {
    /// What they ask for.
    pub(in crate::cli) fn options(&self) -> PictureOptions {
        let page_size = self.figure_size.map(|page| PageSize { font: self.font_size, ..page });
        PictureOptions { page_size, data: self.data }
    }
}

fn font_size(text: &str) -> Result<f64, Diagnostic> {
    crate::cli::parsers::number(text, |size| (4.0..=40.0).contains(&size), "not a size", "a number from 4 to 40 [pt]")
}
