//! The graphics processor: which one, its queue, and the program that walks the trees.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::executor::block_on;
use skidpad_run::guard::lock;
use wgpu::{Backends, DeviceType};

/// Longest wait for a batch: a driver that takes longer hangs.
const MAX_WAIT: Duration = Duration::from_secs(60);

/// Which graphics processors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adapters {
    /// All, those that are programs on this processor too.
    All,
    /// Those that are hardware.
    Hardware,
}

/// Why no graphics processor casts rays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// The machine has none, or no driver for it.
    #[error("this machine has no graphics processor with Vulkan, Metal or Direct3D 12")]
    NoAdapter,
    /// There are programs only that stand in for one.
    #[error("the only graphics processor of this machine is a software renderer, {0}")]
    OnlySoftware(String),
    /// It does not start.
    #[error("{name} cannot be used: {reason}")]
    Refused {
        /// Name of the graphics processor.
        name: String,
        /// Why.
        reason: String,
    },
    /// Triangles do not fit.
    #[error("{needed} bytes of triangles do not fit into its {limit} bytes")]
    TooLarge {
        /// Size of the largest buffer [bytes].
        needed: u64,
        /// Largest buffer of the graphics processor [bytes].
        limit: u64,
    },
    /// It failed at work.
    #[error("the graphics processor failed: {0}")]
    Failed(String),
}

/// A graphics processor, ready for work.
#[derive(Debug)]
pub(super) struct Device {
    pub(super) name: String,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) pipeline: wgpu::ComputePipeline,
    /// The first error that no call has returned.
    error: Arc<Mutex<Option<String>>>,
}

/// Starts the fastest of these graphics processors.
pub(super) fn open(adapters: Adapters) -> Result<Device, GpuError> {
    let adapter = choose(adapters)?;
    let name = adapter.get_info().name;
    let refused = |reason: String| GpuError::Refused { name: name.clone(), reason };
    let limits = adapter.limits();
    let descriptor = wgpu::DeviceDescriptor {
        label: Some("skidpad"),
        required_limits: wgpu::Limits {
            max_buffer_size: limits.max_buffer_size,
            max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
            ..wgpu::Limits::defaults()
        },
        ..wgpu::DeviceDescriptor::default()
    };
    let (device, queue) = block_on(adapter.request_device(&descriptor)).map_err(|error| refused(error.to_string()))?;
    let error = Arc::default();
    let keep = |error: &Arc<Mutex<Option<String>>>| {
        let error = Arc::clone(error);
        move |text: String| {
            lock(&error).get_or_insert(text);
        }
    };
    let (keep_uncaptured, keep_loss) = (keep(&error), keep(&error));
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| keep_uncaptured(error.to_string())));
    device.set_device_lost_callback(move |_, reason| keep_loss(reason));
    let module = device.create_shader_module(wgpu::include_wgsl!("walk.wgsl"));
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("walk"),
        layout: None,
        module: &module,
        entry_point: None,
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let opened = Device { name: name.clone(), device, queue, pipeline, error };
    opened.check().map_err(|error| refused(error.to_string()))?;
    Ok(opened)
}

fn choose(adapters: Adapters) -> Result<wgpu::Adapter, GpuError> {
    let backends = Backends::VULKAN | Backends::METAL | Backends::DX12;
    let instance = wgpu::Instance::new(&wgpu::InstanceDescriptor {
        backends,
        // Without the checks of drivers, which debug builds ask for.
        flags: wgpu::InstanceFlags::empty(),
        ..wgpu::InstanceDescriptor::default()
    });
    let rank = |adapter: &wgpu::Adapter| match adapter.get_info().device_type {
        DeviceType::DiscreteGpu => 0,
        DeviceType::IntegratedGpu => 1,
        DeviceType::VirtualGpu => 2,
        DeviceType::Other => 3,
        DeviceType::Cpu => 4,
    };
    let available = block_on(instance.enumerate_adapters(backends));
    let best = available.into_iter().min_by_key(rank).ok_or(GpuError::NoAdapter)?;
    let info = best.get_info();
    if adapters == Adapters::Hardware && info.device_type == DeviceType::Cpu {
        return Err(GpuError::OnlySoftware(info.name));
    }
    Ok(best)
}

impl Device {
    /// The largest buffer that a program can read [bytes].
    pub(super) fn largest_buffer(&self) -> u64 {
        let limits = self.device.limits();
        limits.max_buffer_size.min(u64::from(limits.max_storage_buffer_binding_size))
    }

    /// Fails if anything went wrong so far.
    pub(super) fn check(&self) -> Result<(), GpuError> {
        let error = lock(&self.error);
        error.clone().map_or(Ok(()), |reason| Err(GpuError::Failed(reason)))
    }

    /// Waits for work that was submitted.
    pub(super) fn wait(&self, submission: wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: Some(MAX_WAIT) };
        self.device.poll(wait).map_err(|error| GpuError::Failed(error.to_string()))?;
        Ok(())
    }

    /// A buffer of this size [bytes], which is at least one entry.
    pub(super) fn buffer(&self, size: u64, usage: wgpu::BufferUsages) -> Result<wgpu::Buffer, GpuError> {
        let limit = self.largest_buffer();
        if size > limit {
            return Err(GpuError::TooLarge { needed: size, limit });
        }
        let descriptor = wgpu::BufferDescriptor { label: None, size: size.max(64), usage, mapped_at_creation: false };
        Ok(self.device.create_buffer(&descriptor))
    }
}
