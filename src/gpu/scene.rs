//! The triangles of a space on the graphics processor.

use std::collections::BTreeMap;
use std::sync::Arc;

use skidpad_sim::raycast::space::batch::{LEAF_WORDS, NODE_WORDS};
use skidpad_sim::raycast::space::{Model, Space};
use wgpu::BufferUsages;

use super::device::{Device, GpuError};

/// The trees of all models of a space.
#[derive(Debug)]
pub(super) struct Scene {
    /// A model of each tree with its first node and its first leaf, by its address. It is kept, so that no other tree takes its place.
    models: BTreeMap<usize, (Arc<Model>, [u32; 2])>,
    pub(super) nodes: wgpu::Buffer,
    pub(super) leaves: wgpu::Buffer,
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
                let begin = [nodes, leaves];
                let [more_nodes, more_leaves] = model.tree_size();
                (nodes, leaves) = (nodes + more_nodes, leaves + more_leaves);
                (Arc::clone(model), begin)
            });
        }
        let buffer = |words: usize| device.buffer(4 * words as u64, BufferUsages::STORAGE | BufferUsages::COPY_DST);
        let scene = Scene {
            nodes: buffer(NODE_WORDS * nodes)?,
            leaves: buffer(LEAF_WORDS * leaves)?,
            models: models
                .into_iter()
                // They fit into a buffer, so their numbers fit into 32 bits.
                .map(|(address, (model, begin))| (address, (model, begin.map(|index| index as u32))))
                .collect(),
        };
        let mut words = Vec::new();
        for (model, [node, leaf]) in scene.models.values() {
            words.clear();
            model.append_nodes(&mut words);
            let at = 4 * NODE_WORDS as u64 * u64::from(*node);
            device.queue.write_buffer(&scene.nodes, at, bytemuck::cast_slice(&words));
            words.clear();
            model.append_leaves(&mut words);
            let at = 4 * LEAF_WORDS as u64 * u64::from(*leaf);
            device.queue.write_buffer(&scene.leaves, at, bytemuck::cast_slice(&words));
        }
        Ok(scene)
    }

    /// Whether it has all models of a space.
    pub(super) fn has_all_of(&self, space: &Space) -> bool {
        space.instances().iter().all(|instance| self.begin(instance.model()).is_some())
    }

    /// Indices of the first node and the first leaf of a model.
    pub(super) fn begin(&self, model: &Arc<Model>) -> Option<[u32; 2]> {
        self.models.get(&model.address()).map(|(_, begin)| *begin)
    }
}
