//! The arguments of all commands that load a world.

use std::path::PathBuf;

use crate::parsers::{Choice, variable};
use crate::setting_hints::{self, Keys};
use crate::world::{LoadOptions, PhysicsRules};
use crate::{Failure, find, offer};

#[derive(Debug, clap::Args)]
#[allow(missing_docs, reason = "clap would take it for help")]
pub struct WorldArgs {
    /// Name of a world, or a world file, or a map for map_server (.yaml)
    ///
    /// A name is looked up in the current directory, in worlds/ and in the installed worlds.
    #[arg(add = offer::worlds())]
    pub world: PathBuf,
    /// Let $(command) in the world file run programs
    #[arg(long)]
    pub allow_commands: bool,
    /// Do not download meshes and textures; use only those in the cache
    #[arg(long)]
    pub offline: bool,
    /// Set a variable of the world; can be repeated
    ///
    /// The value overrides that of <variable> in the world file.
    #[arg(long, value_name = "NAME=VALUE", value_parser = variable, add = offer::settings())]
    pub set: Vec<(String, String)>,
    /// Physics rules, instead of those in the world file
    ///
    /// A world file without <physics> has the rules skidpad.
    #[arg(long, value_name = "RULES", value_parser = Choice::of("rules", PhysicsRules::NAMES))]
    pub physics: Option<PhysicsRules>,
}

impl WorldArgs {
    /// The failure of a load by this command, with hints at what names of `--set` could mean that the world does not have.
    pub fn explain(&self, failure: Failure, command: &str, keys: Keys) -> Failure {
        let Failure::Because(mut errors) = failure else { return failure };
        setting_hints::explain(&mut errors.0, &self.set, command, keys);
        Failure::Because(errors)
    }

    /// The options for loading it.
    pub fn load_options(&self, seed: Option<u64>) -> LoadOptions {
        LoadOptions {
            seed,
            allow_commands: self.allow_commands,
            physics: self.physics,
            offline: self.offline,
            variables: find::with_map(&self.world, self.set.clone()),
            ..LoadOptions::default()
        }
    }
}
