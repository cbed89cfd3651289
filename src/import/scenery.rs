//! Models of a world that do not drive: as blocks, planes and walls.

use skidpad_files::mesh::{area, convex_outline};
use skidpad_math::{Pose3, Vec2, Vec3};
use skidpad_xml::Context;

use super::class::MeshVisual;
use super::robot::{Link, Robot};
use super::section::Section;
use super::shape::{Shape, Solid};
use super::{floor, mass};

/// Most walls along the section of one mesh.
const MAX_WALLS: usize = 20_000;
/// Height above its foot at which a mesh is cut [m]: that of low robots. A lower mesh is cut in its middle.
const CUT: f64 = 0.15;
/// What is lower than this is driven over [m].
pub(super) const MIN_HEIGHT: f64 = 0.01;
/// Thickness of walls along sections [m].
pub(super) const WALL: f64 = 0.02;
/// Colour of what has none.
const GREY: [u8; 4] = [0x80, 0x80, 0x80, 0xff];

/// A thing of a world file.
#[derive(Debug)]
pub(super) enum Thing {
    Block(SceneBlock),
    /// Level ground: its pose in the world, its sides [m].
    Plane {
        pose: Pose3,
        size: [f64; 2],
        color: [u8; 4],
    },
    /// A block of a class of the library.
    StandIn {
        name: String,
        class: String,
        /// The file of the class.
        file: String,
        /// Upright.
        pose: Pose3,
        /// Whether it never moves, whatever its class says.
        is_static: bool,
    },
    /// Walls along lines, up to a height [m].
    Walls {
        lines: Vec<[Vec2; 2]>,
        height: f64,
        color: [u8; 4],
    },
}

/// A block.
#[derive(Debug)]
pub(super) struct SceneBlock {
    pub name: String,
    /// On the lower side of the block; upright.
    pub pose: Pose3,
    pub outline: Vec<Vec2>,
    pub height: f64,
    /// [kg]; none: it never moves.
    pub mass: Option<f64>,
    pub color: [u8; 4],
    pub visuals: Vec<MeshVisual>,
    pub is_intangible: bool,
}

/// The things that a model consists of, whose links are at these poses in the world. Each group of links that joints connect is one thing. A
/// static group is one thing for each of its shapes.
pub(super) fn convert(
    context: &Context,
    model: &Robot<'_>,
    world_from_links: &[Pose3],
    world_from_model: &Pose3,
) -> Vec<Thing> {
    let mut things = Vec::new();
    let is_static = |links: &Vec<usize>| links.iter().any(|link| model.links[*link].is_static);
    let (fixed, movable_groups): (Vec<_>, Vec<_>) = model.groups().into_iter().partition(is_static);
    for link in fixed.into_iter().flatten() {
        things.extend(immovable(context, model, &model.links[link], &world_from_links[link]));
    }
    let has_shape = |links: &&Vec<usize>| links.iter().any(|link| !model.links[*link].collisions.is_empty());
    let count = movable_groups.iter().filter(has_shape).count();
    if count == 0 && !movable_groups.is_empty() && things.is_empty() {
        warn_of_nothing(context, model);
    }
    for links in movable_groups.iter().filter(has_shape) {
        let (name, frame) = match links.first() {
            Some(first) if count > 1 => {
                let link = model.links[*first].name.replace("::", "_");
                (format!("{}_{link}", model.name), &world_from_links[*first])
            }
            _ => (model.name.clone(), world_from_model),
        };
        things.extend(movable(context, model, links, name, world_from_links, frame));
    }
    things
}

fn warn_of_nothing(context: &Context, model: &Robot<'_>) {
    context.warn(&model.place, format!("model \"{}\" has no shape to collide with, and is left out", model.name));
}

/// The things that a link consists of that never moves.
fn immovable(context: &Context, model: &Robot<'_>, link: &Link, world_from_link: &Pose3) -> Vec<Thing> {
    let mut things = Vec::new();
    let color = color_of(link);
    let mut visuals = Some(meshes(link, world_from_link));
    let mut has_shape = false;
    for shape in &link.collisions {
        let world_from_shape = *world_from_link * shape.link_from_shape;
        if let Solid::Plane(size) = shape.solid {
            things.push(Thing::Plane { pose: world_from_shape, size, color });
            continue;
        }
        let floor = floor::of_mesh(shape, world_from_link);
        let walls = walls(context, model, shape, world_from_link, floor.as_ref().map(|floor| floor.height));
        if let Some((lines, height)) = walls {
            things.extend(floor.map(|floor| floor.plane(color)));
            things.push(Thing::Walls { lines, height, color });
            continue;
        }
        if let Some(mut block) = block(model, shape, world_from_link) {
            has_shape = true;
            block.color = shape_color(link, shape).unwrap_or(color);
            block.visuals = placed(visuals.take().unwrap_or_default(), &block.pose);
            things.extend(floor::on_block(&block));
            things.push(Thing::Block(block));
        }
    }
    // What is only seen, or is cut into walls.
    if let Some(visuals) = visuals.filter(|visuals| !has_shape && !visuals.is_empty()) {
        let pose = *world_from_link;
        let upright = Pose3 { x: pose.x, y: pose.y, z: pose.z, ..Pose3::default() };
        things.push(Thing::Block(SceneBlock {
            name: model.name.clone(),
            pose: upright,
            outline: vec![Vec2::new(-0.5, -0.5), Vec2::new(0.5, -0.5), Vec2::new(0.5, 0.5), Vec2::new(-0.5, 0.5)],
            height: 1.0,
            mass: None,
            color,
            visuals: placed(visuals, &upright),
            is_intangible: true,
        }));
    }
    things
}

/// Links that can be pushed together, as one block of this name around all of their shapes, whose frame is level with this one.
fn movable(
    context: &Context,
    model: &Robot<'_>,
    links: &[usize],
    name: String,
    world_from_links: &[Pose3],
    frame: &Pose3,
) -> Option<Thing> {
    let level = Pose3 { x: frame.x, y: frame.y, yaw: frame.yaw, ..Pose3::default() };
    let level_from_world = level.inverse();
    let shapes = links.iter().flat_map(|link| {
        let frame = level_from_world * world_from_links[*link];
        model.links[*link].collisions.iter().map(move |shape| (shape, frame))
    });
    let points: Vec<Vec3> = shapes.flat_map(|(shape, frame)| shape.points(&frame)).collect();
    let Some((outline, [low, high])) = prism(&points) else {
        warn_of_nothing(context, model);
        return None;
    };
    let mass = mass::combined(model, links, &Pose3::default()).mass;
    let pose = Pose3 { z: low, ..level };
    let visuals: Vec<MeshVisual> =
        links.iter().flat_map(|link| meshes(&model.links[*link], &world_from_links[*link])).collect();
    Some(Thing::Block(SceneBlock {
        name,
        pose,
        outline,
        height: high - low,
        // SDF's own default.
        mass: Some(if mass > 0.0 { mass } else { 1.0 }),
        color: links.iter().map(|link| color_of(&model.links[*link])).next().unwrap_or(GREY),
        visuals: placed(visuals, &pose),
        is_intangible: false,
    }))
}

/// Outline and heights of the convex prism around points; none if it is flat.
fn prism(points: &[Vec3]) -> Option<(Vec<Vec2>, [f64; 2])> {
    let flat: Vec<Vec2> = points.iter().map(|point| Vec2::new(point.x, point.y)).collect();
    let outline = convex_outline(&flat);
    let low = points.iter().map(|point| point.z).reduce(f64::min)?;
    let high = points.iter().map(|point| point.z).reduce(f64::max)?;
    (outline.len() >= 3 && area(&outline) > 1e-6 && high - low > MIN_HEIGHT).then_some((outline, [low, high]))
}

/// A block around a shape, its frame in the middle of the shape and turned like it about the vertical.
fn block(model: &Robot<'_>, shape: &Shape, world_from_link: &Pose3) -> Option<SceneBlock> {
    let middle = *world_from_link * shape.link_from_shape;
    let level = Pose3 { x: middle.x, y: middle.y, yaw: middle.yaw, ..Pose3::default() };
    let (outline, [low, high]) = prism(&shape.points(&(level.inverse() * *world_from_link)))?;
    Some(SceneBlock {
        name: model.name.clone(),
        pose: Pose3 { z: low, ..level },
        outline,
        height: high - low,
        mass: None,
        color: GREY,
        visuals: Vec::new(),
        is_intangible: false,
    })
}

/// The walls of a mesh that is not convex: along its section above its foot or its `floor` [m], up to its top [m].
fn walls(
    context: &Context,
    model: &Robot<'_>,
    shape: &Shape,
    world_from_link: &Pose3,
    floor: Option<f64>,
) -> Option<(Vec<[Vec2; 2]>, f64)> {
    let Solid::Mesh { file, .. } = &shape.solid else { return None };
    let points = shape.points(world_from_link);
    let low = floor.unwrap_or(points.iter().map(|point| point.z).reduce(f64::min)?.max(0.0));
    let high = points.iter().map(|point| point.z).reduce(f64::max)?;
    let cut = low + CUT.min(0.5 * (high - low));
    let triangles = file.mesh.triangles.iter().map(|corners| corners.map(|corner| points[corner as usize]));
    let section = Section::of(triangles, cut);
    if section.lines().is_empty() || section.fills_its_hull() {
        return None;
    }
    if section.lines().len() > MAX_WALLS {
        context
            .warn(
                &model.place,
                format!(
                    "the mesh {} of model \"{}\" becomes one block around the whole mesh",
                    file.address, model.name
                ),
            )
            .accepted([format!("meshes with a section of at most {MAX_WALLS} lines, which become walls")]);
        return None;
    }
    Some((section.lines().to_vec(), high))
}

fn color_of(link: &Link) -> [u8; 4] {
    link.visuals.iter().find_map(|visual| visual.color).unwrap_or(GREY)
}

/// The colour of the visual that is at the place of a collision shape.
fn shape_color(link: &Link, shape: &Shape) -> Option<[u8; 4]> {
    let at = |other: &Shape| (other.link_from_shape.position() - shape.link_from_shape.position()).norm() < 1e-6;
    link.visuals.iter().filter(|visual| at(visual)).find_map(|visual| visual.color)
}

/// Meshes that are seen of a link, in the world.
fn meshes(link: &Link, world_from_link: &Pose3) -> Vec<MeshVisual> {
    let of = |shape: &Shape| {
        let (file, pose, scale) = shape.mesh_pose(world_from_link)?;
        Some(MeshVisual { address: file.address.clone(), pose, scale, color: shape.color })
    };
    link.visuals.iter().filter_map(of).collect()
}

/// Meshes in the world, in the frame of a body there.
fn placed(visuals: Vec<MeshVisual>, world_from_body: &Pose3) -> Vec<MeshVisual> {
    let body_from_world = world_from_body.inverse();
    visuals.into_iter().map(|visual| MeshVisual { pose: body_from_world * visual.pose, ..visual }).collect()
}
