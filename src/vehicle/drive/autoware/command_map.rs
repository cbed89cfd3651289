//! What a command does at each state of a vehicle, as a table: one row for each command, one column for each state, as the CSV files of Autoware's
//! `simple_planning_simulator` have it (accelerations [m/s²] by command and speed [m/s]).
//!
//! Between rows and columns it is linear in both, and beyond them constant.

/// A table of values by command and state.
#[derive(Clone, Debug, PartialEq)]
pub struct CommandMap {
    /// Rising; at least two.
    commands: Vec<f64>,
    /// Likewise.
    states: Vec<f64>,
    /// One row for each command.
    rows: Vec<Vec<f64>>,
}

/// Why numbers are not a [`CommandMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapFault {
    /// Fewer than two rows or columns.
    TooSmall,
    /// A row that is not as long as there are states.
    Uneven {
        /// Its index.
        row: usize,
    },
    /// The command of this row is not above that of the row before.
    CommandsNotRising {
        /// Its index.
        row: usize,
    },
    /// The state of this column is not above that of the column before.
    StatesNotRising {
        /// Its index.
        column: usize,
    },
}

impl CommandMap {
    /// The table with these finite numbers; `rows[i][j]` belongs to `commands[i]` and `states[j]`.
    ///
    /// # Errors
    /// Numbers that are no table, the first such place.
    pub fn new(commands: Vec<f64>, states: Vec<f64>, rows: Vec<Vec<f64>>) -> Result<CommandMap, MapFault> {
        if commands.len() < 2 || states.len() < 2 || rows.len() != commands.len() {
            return Err(MapFault::TooSmall);
        }
        if let Some(row) = rows.iter().position(|row| row.len() != states.len()) {
            return Err(MapFault::Uneven { row });
        }
        let not_rising = |keys: &[f64]| keys.windows(2).position(|pair| pair[1] <= pair[0]).map(|before| before + 1);
        if let Some(column) = not_rising(&states) {
            return Err(MapFault::StatesNotRising { column });
        }
        if let Some(row) = not_rising(&commands) {
            return Err(MapFault::CommandsNotRising { row });
        }
        Ok(CommandMap { commands, states, rows })
    }

    /// The value at a command and a state.
    pub fn value(&self, command: f64, state: f64) -> f64 {
        let (row, share) = place(&self.commands, command);
        let (column, along) = place(&self.states, state);
        let at = |row: usize| mix(self.rows[row][column], self.rows[row][column + 1], along);
        mix(at(row), at(row + 1), share)
    }
}

/// The index of the interval of `keys` that `value` is in, and where there it is, from 0 to 1.
fn place(keys: &[f64], value: f64) -> (usize, f64) {
    let interval = keys.partition_point(|key| *key <= value).clamp(1, keys.len() - 1) - 1;
    let (low, high) = (keys[interval], keys[interval + 1]);
    (interval, ((value - low) / (high - low)).clamp(0.0, 1.0))
}

fn mix(low: f64, high: f64, share: f64) -> f64 {
    low + share * (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> CommandMap {
        let rows = vec![vec![-4.0, -2.0, -1.0], vec![0.0, 0.0, 0.0], vec![3.0, 2.0, 0.5]];
        CommandMap::new(vec![-4.0, 0.0, 2.0], vec![0.0, 10.0, 20.0], rows).unwrap()
    }

    #[test]
    fn it_is_linear_between_its_numbers_and_constant_beyond() {
        for (command, state, expected) in [
            (-4.0, 0.0, -4.0),
            (2.0, 20.0, 0.5),
            (0.0, 7.0, 0.0),
            (1.0, 5.0, 1.25),
            (-2.0, 15.0, -0.75),
            (9.0, -3.0, 3.0),
            (-9.0, 99.0, -1.0),
        ] {
            assert!((map().value(command, state) - expected).abs() < 1e-12, "{command} {state}");
        }
    }

    #[test]
    fn numbers_that_are_no_table_are_refused() {
        let row = vec![1.0, 2.0];
        let of = |commands: &[f64], states: &[f64], rows: Vec<Vec<f64>>| {
            CommandMap::new(commands.into(), states.into(), rows).unwrap_err()
        };
        assert_eq!(of(&[0.0], &[0.0, 1.0], vec![row.clone()]), MapFault::TooSmall);
        let two = vec![row.clone(), row.clone()];
        assert_eq!(of(&[1.0, 1.0], &[0.0, 1.0], two.clone()), MapFault::CommandsNotRising { row: 1 });
        assert_eq!(of(&[0.0, 1.0], &[1.0, 0.0], two), MapFault::StatesNotRising { column: 1 });
        assert_eq!(of(&[0.0, 1.0], &[0.0, 1.0], vec![row, vec![1.0]]), MapFault::Uneven { row: 1 });
    }
}
