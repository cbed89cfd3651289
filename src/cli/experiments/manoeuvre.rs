//! `skidpad plot manoeuvre`: drives a standard manoeuvre, writes its figure and prints its numbers.

use std::io::Write;

use serde_json::{Value, json};

use crate::cli::Failure;
use crate::cli::answer::Answer;
use crate::cli::args::ManoeuvreArgs;
use crate::cli::plot::{self, Subject};
use crate::cli::progress::Work;
use crate::diagnostic::Diagnostic;
use crate::plot::Figure;
use crate::plot::manoeuvre::{Manoeuvre, Measured};

/// A vehicle and what it measured.
type Row = (String, Vec<Measured>);

/// Drives the manoeuvre with each vehicle.
pub(in crate::cli) fn plot(args: &ManoeuvreArgs, answer: &mut Answer) -> Result<(), Failure> {
    let unknown = || Failure::because(Diagnostic::new(&args.manoeuvre, "no manoeuvre has this name"));
    let manoeuvre = Manoeuvre::named(&args.manoeuvre).ok_or_else(unknown)?;
    let elements = |wheelbase: f64| manoeuvre.elements(wheelbase);
    let brings_ground = !manoeuvre.elements(1.0).is_empty();
    let elements: Option<plot::Elements<'_>> = if brings_ground { Some(&elements) } else { None };
    let mut subjects = plot::subjects_on(&args.figure, "parameter set or world", &[], elements)?;
    let (figure, rows) = Work::of("driving", || drive(manoeuvre, &mut subjects))?;
    plot::save(&args.figure.output, &figure)?;
    answer.give(|| as_json(manoeuvre, &rows), |out| print(&rows, out))
}

/// Figure and numbers of all vehicles.
fn drive(manoeuvre: &Manoeuvre, subjects: &mut [Subject]) -> Result<(Figure, Vec<Row>), Failure> {
    let (mut figure, mut rows) = (manoeuvre.figure(), Vec::new());
    plot::drive_each(subjects, |driven| {
        rows.push((driven.name.to_string(), manoeuvre.add(&mut figure, driven)?));
        Ok(())
    })?;
    Ok((figure, rows))
}

fn as_json(manoeuvre: &Manoeuvre, rows: &[Row]) -> Value {
    let number = |number: &Measured| {
        let Measured { key, quantity, unit, value } = number;
        json!({ "key": key, "quantity": quantity, "unit": unit, "value": value })
    };
    let vehicle = |(name, numbers): &Row| {
        let numbers: Vec<Value> = numbers.iter().map(number).collect();
        json!({ "name": name, "numbers": numbers })
    };
    json!({ "manoeuvre": manoeuvre.name, "vehicles": rows.iter().map(vehicle).collect::<Vec<_>>() })
}

/// A line for each quantity, a column for each vehicle.
fn print(rows: &[Row], out: &mut impl Write) -> Result<(), Failure> {
    let Some((_, first)) = rows.first() else { return Ok(()) };
    let label = |number: &Measured| format!("{} [{}]", number.quantity, number.shown().0);
    let width = first.iter().map(|number| label(number).chars().count()).max().unwrap_or(0);
    write!(out, "{:width$}", "")?;
    for (name, _) in rows {
        write!(out, "  {name:>9}")?;
    }
    writeln!(out)?;
    for (index, number) in first.iter().enumerate() {
        write!(out, "{:width$}", label(number))?;
        for (name, numbers) in rows {
            let column = name.chars().count().max(9);
            let text = numbers[index].shown().1.map_or_else(|| "-".to_string(), |value| format!("{value:.3}"));
            write!(out, "  {text:>column$}")?;
        }
        writeln!(out)?;
    }
    Ok(out.flush()?)
}
