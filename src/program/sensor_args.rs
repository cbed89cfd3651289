//! The argument of all commands whose worlds have sensors: what casts their rays.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::log_warnings;
use crate::parsers::Choice;
use crate::raycast::space::batch::BatchCaster;

/// What casts the rays of lidars in three dimensions and of cameras.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RayProcessor {
    /// This processor.
    Cpu,
    /// A graphics processor, or a program that stands in for one.
    Gpu,
    /// A graphics processor if there is one.
    Auto,
}

impl RayProcessor {
    const NAMES: &[(&str, RayProcessor)] =
        &[("cpu", RayProcessor::Cpu), ("gpu", RayProcessor::Gpu), ("auto", RayProcessor::Auto)];
}

#[derive(Clone, Copy, Debug, clap::Args)]
#[allow(missing_docs, reason = "clap would take it for help")]
pub struct SensorArgs {
    /// Processor that casts the rays of cameras and 3D lidars: cpu, gpu or auto
    ///
    /// auto takes a graphics processor if there is one. gpu and auto need a build with feature gpu.
    #[arg(long, value_name = "HOW", default_value = "cpu", value_parser = Choice::of("processor", RayProcessor::NAMES), hide_possible_values = true)]
    sensors: RayProcessor,
}

impl SensorArgs {
    /// As it is given to another process.
    pub fn argument(self) -> String {
        let name = RayProcessor::NAMES.iter().find(|(_, processor)| *processor == self.sensors);
        format!("--sensors={}", name.map_or("cpu", |(name, _)| name))
    }

    /// The graphics processor that was asked for; without one, a message, and none.
    pub fn batch_caster(self) -> Option<Arc<dyn BatchCaster>> {
        let caster = match self.sensors {
            RayProcessor::Cpu => return None,
            RayProcessor::Gpu => open(false),
            RayProcessor::Auto => open(true),
        };
        caster.unwrap_or_else(|reason| {
            let message = reason.at("the CPU casts the rays of sensors");
            match self.sensors {
                RayProcessor::Gpu => log_warnings([message.at("--sensors gpu")]),
                RayProcessor::Auto | RayProcessor::Cpu => tracing::info!("{}", message.at("--sensors auto")),
            }
            None
        })
    }
}

/// The graphics processor of this machine, of hardware `only_hardware`.
#[cfg(feature = "gpu")]
fn open(only_hardware: bool) -> Result<Option<Arc<dyn BatchCaster>>, Diagnostic> {
    use crate::gpu::{Adapters, GpuCaster};
    let adapters = if only_hardware { Adapters::Hardware } else { Adapters::All };
    let caster = GpuCaster::open(adapters).map_err(|error| Diagnostic::of(error.to_string()))?;
    tracing::info!("{} casts the rays of sensors", caster.name());
    Ok(Some(Arc::new(caster)))
}

/// None: this build knows no graphics processors.
#[cfg(not(feature = "gpu"))]
fn open(_only_hardware: bool) -> Result<Option<Arc<dyn BatchCaster>>, Diagnostic> {
    Err(Diagnostic::of("this skidpad is built without feature gpu").hint("build it with --features gpu"))
}
