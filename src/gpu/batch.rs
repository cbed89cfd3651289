//! One batch of rays: up to the graphics processor, through the trees, and back.

use rayon::prelude::*;
use skidpad_math::Vec3;
use skidpad_sim::raycast::space::batch::{BatchRequest, TriangleId};
use skidpad_sim::raycast::space::{Looker, Ray, Space};
use wgpu::BufferUsages;

use super::device::{Device, GpuError};
use super::scene::Scene;

/// Most rays of one call of the program: work that takes longer than seconds is stopped by drivers.
const MAX_RAYS: usize = 1 << 20;
/// Rays that one thread makes at a time.
const CHUNK: usize = 4096;
/// Rays of one work group, as in walk.wgsl.
const GROUP: usize = 64;
/// Words of a ray, and of a triangle that was found, as in walk.wgsl.
const RAY_WORDS: usize = 8;
const HIT_WORDS: usize = 2;

/// Buffers of a batch, which are reused.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    rays: Vec<[f32; RAY_WORDS]>,
    words: Vec<u32>,
    on_device: Option<OnDevice>,
}

/// Buffers of the graphics processor.
#[derive(Debug)]
struct OnDevice {
    parameters: wgpu::Buffer,
    top: wgpu::Buffer,
    instances: wgpu::Buffer,
    rays: wgpu::Buffer,
    /// The triangle that each ray meets, [`HIT_WORDS`] each.
    triangles: wgpu::Buffer,
    /// The same, for this processor to read.
    answer: wgpu::Buffer,
}

impl OnDevice {
    fn new(device: &Device, [top, instances, rays]: [usize; 3]) -> Result<OnDevice, GpuError> {
        let buffer = |words: usize, usage| device.buffer(4 * words as u64, usage);
        let input = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        Ok(OnDevice {
            parameters: buffer(8, BufferUsages::UNIFORM | BufferUsages::COPY_DST)?,
            top: buffer(top, input)?,
            instances: buffer(instances, input)?,
            rays: buffer(RAY_WORDS * rays, input)?,
            triangles: buffer(HIT_WORDS * rays, BufferUsages::STORAGE | BufferUsages::COPY_SRC)?,
            answer: buffer(HIT_WORDS * rays, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?,
        })
    }

    /// Whether there is room for so many words of the upper tree and of instances, and so many rays.
    fn has_room(&self, [top, instances, rays]: [usize; 3]) -> bool {
        let has = |buffer: &wgpu::Buffer, words: usize| buffer.size() >= 4 * words as u64;
        has(&self.top, top) && has(&self.instances, instances) && has(&self.rays, RAY_WORDS * rays)
    }
}

impl Buffers {
    /// Finds what the rays of a request meet in a space whose triangles are in `scene`.
    pub(super) fn find(
        &mut self,
        device: &Device,
        scene: &Scene,
        space: &Space,
        request: &BatchRequest<'_>,
        triangles: &mut Vec<TriangleId>,
    ) -> Result<(), GpuError> {
        triangles.reserve(request.count);
        // Rays are near the first one: counted from there, f32 is as precise as it can be.
        let (mut eye, mut looker) = (Vec3::zeros(), Looker::Camera);
        (request.rays)(0..1, &mut |ray| (eye, looker) = (ray.origin, ray.looker));
        let hidden = request.hidden.map_or(u32::MAX, |vehicle| vehicle as u32 + 1);
        self.words.clear();
        space.append_top_nodes(&mut self.words);
        let top = self.words.len();
        for instance in space.instances() {
            let (rotation, position) = instance.pose();
            let [node, leaf] = scene.begin(instance.model()).unwrap_or_default();
            // Number 0 is nobody's. What the looker does not see is hidden as if it were of the vehicle that it does not see.
            let vehicle = match instance.seen_by().includes(looker) {
                true => instance.vehicle().map_or(0, |vehicle| vehicle as u32 + 1),
                false => hidden,
            };
            for (axis, more) in [(0, node), (1, leaf), (2, vehicle)] {
                self.words.extend(single(rotation.column(axis).into()).map(f32::to_bits));
                self.words.push(more);
            }
            self.words.extend(single(position - eye).map(f32::to_bits));
            self.words.push(0);
        }
        let most = request.count.min(MAX_RAYS);
        let sizes = [top, self.words.len() - top, most];
        let on_device = match self.on_device.take().filter(|buffers| buffers.has_room(sizes)) {
            Some(buffers) => buffers,
            None => OnDevice::new(device, sizes)?,
        };
        let (top, instances) = self.words.split_at(top);
        device.queue.write_buffer(&on_device.top, 0, bytemuck::cast_slice(top));
        device.queue.write_buffer(&on_device.instances, 0, bytemuck::cast_slice(instances));
        let from_top = single(eye - space.origin()).map(f32::to_bits);
        let has_tree = u32::from(!top.is_empty());
        for first in (0..request.count).step_by(MAX_RAYS) {
            let count = MAX_RAYS.min(request.count - first);
            make_rays(request, first, count, eye, &mut self.rays);
            let [x, y, z] = from_top;
            let parameters = [x, y, z, count as u32, hidden, u32::from(request.any), has_tree, 0];
            device.queue.write_buffer(&on_device.parameters, 0, bytemuck::cast_slice(&parameters));
            device.queue.write_buffer(&on_device.rays, 0, bytemuck::cast_slice(&self.rays));
            walk(device, scene, &on_device, count, triangles)?;
        }
        self.on_device = Some(on_device);
        Ok(())
    }
}

fn single(point: Vec3) -> [f32; 3] {
    [point.x as f32, point.y as f32, point.z as f32]
}

/// Writes `count` rays from the index `first` on, relative to `eye`, in parallel.
fn make_rays(request: &BatchRequest<'_>, first: usize, count: usize, eye: Vec3, rays: &mut Vec<[f32; RAY_WORDS]>) {
    rays.resize(count, [0.0; RAY_WORDS]);
    rays.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
        let begin = first + CHUNK * chunk;
        let range = begin..begin + out.len();
        let mut out = out.iter_mut();
        (request.rays)(range, &mut |ray: Ray| {
            if let Some(out) = out.next() {
                let [x, y, z] = single(ray.origin - eye);
                let [dx, dy, dz] = single(ray.direction);
                // Not every graphics processor knows infinity.
                let [near, far] = [ray.near, ray.far].map(|limit| (limit as f32).clamp(f32::MIN, f32::MAX));
                *out = [x, y, z, near, dx, dy, dz, far];
            }
        });
    });
}

/// Runs the program on the first `count` rays, and appends what they meet to `triangles`.
fn walk(
    device: &Device,
    scene: &Scene,
    buffers: &OnDevice,
    count: usize,
    triangles: &mut Vec<TriangleId>,
) -> Result<(), GpuError> {
    let bound = [
        &buffers.parameters,
        &scene.nodes,
        &scene.leaves,
        &buffers.top,
        &buffers.instances,
        &buffers.rays,
        &buffers.triangles,
    ];
    let entries: Vec<_> = (0..)
        .zip(bound)
        .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
        .collect();
    let group = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &device.pipeline.get_bind_group_layout(0),
        entries: &entries,
    });
    let mut encoder = device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&device.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(count.div_ceil(GROUP) as u32, 1, 1);
    }
    let size = 4 * (HIT_WORDS * count) as u64;
    encoder.copy_buffer_to_buffer(&buffers.triangles, 0, &buffers.answer, 0, size);
    let submission = device.queue.submit([encoder.finish()]);
    let (reported, outcome) = std::sync::mpsc::sync_channel(1);
    buffers.answer.map_async(wgpu::MapMode::Read, ..size, move |outcome| {
        // Nobody waits for the outcome any more after a failure.
        let _ = reported.send(outcome);
    });
    device.wait(submission)?;
    match outcome.try_recv() {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(GpuError::Failed(error.to_string())),
        Err(_) => return Err(GpuError::Failed("it does not answer".into())),
    }
    {
        let bytes = buffers.answer.get_mapped_range(..size);
        let words: &[[u32; HIT_WORDS]] = bytemuck::cast_slice(&bytes);
        triangles.extend(words.iter().map(|&[instance, slot]| TriangleId { instance, slot }));
    }
    buffers.answer.unmap();
    Ok(())
}
