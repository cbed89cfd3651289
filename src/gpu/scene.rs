//! The triangles of a space on the graphics processor.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use skidpad_sim::raycast::space::batch::{LEAF_WORDS, NODE_WORDS};
use skidpad_sim::raycast::space::{Keeper, Model, Space};
use wgpu::BufferUsages;

use super::device::{Device, GpuError};

/// The trees of all models of a space.
#[derive(Debug)]
pub(super) struct Scene {
    /// Each model by its address.
    models: BTreeMap<usize, Uploaded>,
    pub(super) nodes: wgpu::Buffer,
    pub(super) leaves: wgpu::Buffer,
}

/// A model that has been uploaded.
#[derive(Debug)]
struct Uploaded {
    /// No other model takes its address.
    _keeper: Keeper,
    /// Its first node and its first leaf.
    begin: [u32; 2],
    /// How often its triangles had moved.
    revision: AtomicU64,
}

impl Scene {
    /// That of an empty space.
    pub(super) fn empty(device: &Device) -> Result<Scene, GpuError> {
        Scene::of(device, &Space::default())
    }

    /// Uploads the trees of the models of a space.
    pub(super) fn of(device: &Device, space: &Space) -> Result<Scene, GpuError> {
        let mut models = BTreeMap::new();
        let [mut nodes, mut leaves] = [0_usize; 2];
        for model in space.instances().iter().map(|instance| instance.model()) {
            models.entry(model.address()).or_insert_with(|| {
                // They fit into a buffer, so their numbers fit into 32 bits.
                let begin = [nodes, leaves].map(|index| index as u32);
                let [more_nodes, more_leaves] = model.tree_size();
                (nodes, leaves) = (nodes + more_nodes, leaves + more_leaves);
                // Nothing has been uploaded yet.
                Uploaded { _keeper: model.keeper(), begin, revision: AtomicU64::new(u64::MAX) }
            });
        }
        let buffer = |words: usize| device.buffer(4 * words as u64, BufferUsages::STORAGE | BufferUsages::COPY_DST);
        let scene = Scene { nodes: buffer(NODE_WORDS * nodes)?, leaves: buffer(LEAF_WORDS * leaves)?, models };
        scene.refresh(device, space);
        Ok(scene)
    }

    /// Uploads the models of a space, all of which it has, whose triangles have moved since they were uploaded.
    pub(super) fn refresh(&self, device: &Device, space: &Space) {
        let mut words = Vec::new();
        for model in space.instances().iter().map(|instance| instance.model()) {
            let Some(Uploaded { begin: [node, leaf], revision, .. }) = self.models.get(&model.address()) else {
                continue;
            };
            if revision.swap(model.revision(), Ordering::Relaxed) == model.revision() {
                continue;
            }
            words.clear();
            model.append_nodes(&mut words);
            let at = 4 * NODE_WORDS as u64 * u64::from(*node);
            device.queue.write_buffer(&self.nodes, at, bytemuck::cast_slice(&words));
            words.clear();
            model.append_leaves(&mut words);
            let at = 4 * LEAF_WORDS as u64 * u64::from(*leaf);
            device.queue.write_buffer(&self.leaves, at, bytemuck::cast_slice(&words));
        }
    }

    /// Whether it has all models of a space.
    pub(super) fn has_all_of(&self, space: &Space) -> bool {
        space.instances().iter().all(|instance| self.begin(instance.model()).is_some())
    }

    /// Indices of the first node and the first leaf of a model.
    pub(super) fn begin(&self, model: &Arc<Model>) -> Option<[u32; 2]> {
        self.models.get(&model.address()).map(|uploaded| uploaded.begin)
    }
}
