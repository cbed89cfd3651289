//! `<shape_from_visual/>` of blocks and chassis: outline and heights of a body from its meshes.

use skidpad_files::mesh::Outline;
use skidpad_files::mesh::primitives::rectangle;
use skidpad_math::Vec2;
use skidpad_xml::Reader;

use super::Builder;
use crate::vehicle::drive::DriveParts;
use crate::world::visual::Visual;

impl Builder<'_> {
    /// The outline around all visuals of a body, and around `more`. With `z_range` [m] only the parts between these heights count.
    /// None if no mesh could be read; other problems are recorded at the `<shape_from_visual>` of `reader`, with the name of the
    /// body, `owner`.
    pub(super) fn outline_of_visuals(
        &self,
        reader: &Reader<'_>,
        owner: &str,
        visuals: &[Visual],
        more: Option<Outline>,
        z_range: Option<[f64; 2]>,
    ) -> Option<Outline> {
        let mut outlines: Vec<Outline> = more.into_iter().collect();
        let mut problem = None;
        for visual in visuals {
            let Some(file) = &visual.file else { continue };
            match self.meshes.outline(file, &visual.body_from_mesh, visual.scale, z_range) {
                Some(Ok(outline)) => outlines.push(outline),
                Some(Err(error)) => problem = problem.or(Some(error)),
                None => {}
            }
        }
        // A visual may contribute nothing as long as another one does.
        match Outline::merged(&outlines) {
            Some(Ok(outline)) => return Some(outline),
            Some(Err(error)) => problem = Some(error),
            None => {}
        }
        if let Some(problem) = problem {
            let place = reader.place_of("shape_from_visual");
            self.context
                .error(place, format!("no shape from the visuals of {owner}: {problem}"))
                .hint("check model_scale and zmin, zmax, or give a <shape>");
        }
        None
    }

    /// Sets the shape of a chassis with `<shape_from_visual/>` to that of the vehicle's `visuals`; if none can be read, to its
    /// `<shape>` or to a box around the wheels, with a warning.
    pub(super) fn shape_chassis(
        &self,
        reader: &Reader<'_>,
        tag: &Reader<'_>,
        visuals: &[Visual],
        parts: &mut DriveParts,
    ) {
        let (place, owner) = (tag.place_of("shape_from_visual"), reader.describe());
        if visuals.is_empty() {
            self.context
                .error(place, format!("<shape_from_visual> without a <visual> in {owner}"))
                .hint("give it a <visual> with a <model_uri>, or the chassis a <shape>");
            return;
        }
        if let Some(outline) = self.outline_of_visuals(tag, &owner, visuals, None, None) {
            parts.chassis.reshape(outline.points, outline.z);
            return;
        }
        if visuals.iter().any(|visual| visual.file.is_some()) {
            return;
        }
        let instead = if tag.has("shape") {
            "its <shape>"
        } else {
            let z = parts.chassis.z;
            parts.chassis.reshape(box_around_wheels(parts), z);
            "a box around its wheels"
        };
        self.context.warn(place, format!("the meshes of {owner} cannot be read: it uses {instead}"));
    }
}

/// The rectangle [m] around all wheels, as they stand without steering.
fn box_around_wheels(parts: &DriveParts) -> Vec<Vec2> {
    let (mut low, mut high) =
        (Vec2::new(f64::INFINITY, f64::INFINITY), Vec2::new(f64::NEG_INFINITY, f64::NEG_INFINITY));
    for wheel in &parts.wheels {
        let (p, x, y) = (wheel.position, wheel.radius, 0.5 * wheel.width);
        low = Vec2::new(low.x.min(p.x - x), low.y.min(p.y - y));
        high = Vec2::new(high.x.max(p.x + x), high.y.max(p.y + y));
    }
    rectangle([low.x, high.x], [low.y, high.y])
}
