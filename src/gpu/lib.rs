//! Rays of sensors on a graphics processor, through wgpu: Vulkan, Metal or Direct3D 12.
//!
//! [`GpuCaster`] answers one question, for many rays at once: which triangle does each meet first? It walks the trees
//! of the core, which are uploaded once for each scene, and again where triangles have moved; where instances stand is uploaded with each batch. Ranges,
//! noise and messages come from the core, as for rays that the processor casts, so that sensors differ only where a ray
//! passes an edge within the rounding of f32.
//!
//! Batches of fewer than [`MIN_RAYS`] are left to the processor, as is everything after a failure, with one warning.

mod batch;
mod device;
mod scene;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use skidpad_run::guard::lock;
use skidpad_sim::raycast::space::Space;
use skidpad_sim::raycast::space::batch::{BatchCaster, BatchRequest, TriangleId};

use self::batch::Buffers;
pub use self::device::{Adapters, GpuError};
use self::device::{Device, open};
use self::scene::Scene;

/// Fewest rays that are worth the way to a graphics processor and back.
pub const MIN_RAYS: usize = 2048;

/// A graphics processor that casts rays.
#[derive(Debug)]
pub struct GpuCaster {
    device: Device,
    /// The triangles that were uploaded last.
    scene: Mutex<Arc<Scene>>,
    /// Buffers of batches that are not in use: one set for each that was in work at the same time.
    idle: Mutex<Vec<Buffers>>,
    has_failed: AtomicBool,
    rays: AtomicU64,
}

impl GpuCaster {
    /// The fastest of these graphics processors of the machine.
    ///
    /// # Errors
    /// There is none, or none that can do it.
    pub fn open(adapters: Adapters) -> Result<GpuCaster, GpuError> {
        let device = open(adapters)?;
        Ok(GpuCaster {
            scene: Mutex::new(Arc::new(Scene::empty(&device)?)),
            device,
            idle: Mutex::default(),
            has_failed: AtomicBool::new(false),
            rays: AtomicU64::new(0),
        })
    }

    /// Its name, as its driver gives it.
    pub fn name(&self) -> &str {
        &self.device.name
    }

    /// Rays cast so far.
    pub fn rays(&self) -> u64 {
        self.rays.load(Ordering::Relaxed)
    }

    /// The triangles of a space on the graphics processor: those that are there, or uploaded now.
    fn scene_of(&self, space: &Space) -> Result<Arc<Scene>, GpuError> {
        let mut scene = lock(&self.scene);
        if !scene.has_all_of(space) {
            *scene = Arc::new(Scene::of(&self.device, space)?);
        } else {
            // Under the lock: whoever comes next finds all of it in the queue.
            scene.refresh(&self.device, space);
        }
        Ok(Arc::clone(&scene))
    }

    fn try_find(
        &self,
        space: &Space,
        request: &BatchRequest<'_>,
        triangles: &mut Vec<TriangleId>,
    ) -> Result<(), GpuError> {
        let scene = self.scene_of(space)?;
        let idle = || lock(&self.idle);
        let buffers = idle().pop();
        // Neither lock is held while rays are made: the thread may take up another sensor meanwhile, which comes here too.
        let mut buffers = buffers.unwrap_or_default();
        buffers.find(&self.device, &scene, space, request, triangles)?;
        self.device.check()?;
        idle().push(buffers);
        self.rays.fetch_add(request.count as u64, Ordering::Relaxed);
        Ok(())
    }
}

impl BatchCaster for GpuCaster {
    fn find(&self, space: &Space, request: &BatchRequest<'_>, triangles: &mut Vec<TriangleId>) {
        triangles.clear();
        if request.count < MIN_RAYS || self.has_failed.load(Ordering::Relaxed) {
            return;
        }
        if let Err(error) = self.try_find(space, request, triangles) {
            triangles.clear();
            if !self.has_failed.swap(true, Ordering::Relaxed) {
                tracing::warn!("{}: {error}; the CPU casts the rays of sensors from now on", self.device.name);
            }
        }
    }
}
