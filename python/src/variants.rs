//! In what the copies of a world differ: their variables and seeds.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::errors::refused;
use crate::source;

/// Variables, each with one value for all worlds or one for each.
pub(crate) struct Variables(Vec<(String, Vec<String>)>);

impl Variables {
    /// Reads a mapping; a list, a tuple or an array gives each of `count` worlds its own value.
    pub(crate) fn read(set: Option<&Bound<'_, PyDict>>, count: usize) -> PyResult<Variables> {
        let mut all = Vec::new();
        for (name, value) in set.into_iter().flatten() {
            let name = name.str()?.to_string();
            let is_text = value.is_instance_of::<PyString>();
            let values = if !is_text && value.hasattr("__len__")? {
                let values = value.try_iter()?.map(|value| source::variable(&value?)).collect::<PyResult<Vec<_>>>()?;
                if values.len() != count {
                    return Err(refused(format!(
                        "set \"{name}\": found {} values\n  accepted: one, or {count}",
                        values.len()
                    )));
                }
                values
            } else {
                vec![source::variable(&value)?]
            };
            all.push((name, values));
        }
        Ok(Variables(all))
    }

    /// Those of the world with this index among the selected ones.
    pub(crate) fn of(&self, index: usize) -> Vec<(String, String)> {
        self.0.iter().map(|(name, values)| (name.clone(), values[index.min(values.len() - 1)].clone())).collect()
    }
}

/// The seeds of `count` worlds.
pub(crate) fn seeds(argument: Option<&Bound<'_, PyAny>>, count: usize) -> PyResult<Vec<u64>> {
    let from = |first: u64| (0..count as u64).map(|index| first.wrapping_add(index)).collect();
    let Some(argument) = argument else { return Ok(from(0)) };
    if let Ok(first) = argument.extract::<u64>() {
        return Ok(from(first));
    }
    let seeds: Vec<u64> = argument.extract().map_err(|_| {
        refused(format!("seeds: found {argument}\n  accepted: a whole number, or {count} of them, from 0"))
    })?;
    if seeds.len() == count {
        Ok(seeds)
    } else {
        Err(refused(format!("seeds: found {} of them\n  accepted: one, or {count}", seeds.len())))
    }
}
