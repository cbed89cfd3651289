//! What is kept of earlier surroundings changes nothing that rays meet, and spares most of the work.

use std::path::PathBuf;

use proptest::prelude::*;
use skidpad_files::mesh::primitives::Geometry;
use skidpad_math::{Pose3, Vec2};

use super::tests::{at, scene, square, visual};
use super::*;
use crate::raycast::space::{Hit, Looker, Model, PACKET, Ray};
use crate::vehicle::WheelFrame;
use crate::world::frame::VehicleFrame;
use crate::world::terrain::{ElevationInfo, HeightMap, PlaneInfo};
use crate::world::visual::Texture;
use crate::world::{BlockInfo, EntityId, LoadOptions, Recipe, ResetScope, SpawnRequest, SpawnSource};

/// Ground of this many cells a side, and [`scene`] on it.
fn hilly(cells: usize) -> Scene {
    let heights = (0..(cells + 1) * (cells + 1)).map(|i| 0.01 * ((i * 7919) % 31) as f64 - 0.5).collect();
    let side = 40.0 / cells as f64;
    let map = HeightMap::new(Vec2::new(-20.0, -20.0), side, cells + 1, heights).unwrap();
    let plane = PlaneInfo { x: [-30.0, 30.0], y: [-30.0, 30.0], z: -0.4, ..PlaneInfo::default() };
    let ground = ElevationInfo { map: Arc::new(map), ..ElevationInfo::default() };
    Scene { elevations: vec![ground], planes: vec![plane], ..scene() }
}

/// A block of one of a few shapes, on a grid, so that blocks touch and are in each other.
fn block(number: u64, x: f64, y: f64) -> BlockInfo {
    let solid = Geometry::Cylinder { radius: 0.5, length: 1.0, vertex_count: 8 };
    BlockInfo {
        id: EntityId(number),
        outline: square(0.5),
        z: [0.0, 1.0],
        is_static: !number.is_multiple_of(4),
        geometry: number.is_multiple_of(3).then_some(solid),
        world_from_start: at(x, y),
        label: crate::world::label::Label { numbers: [1, number as u16], ..Default::default() },
        ..BlockInfo::default()
    }
}

/// Something that happens to a scene.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// Blocks come side by side, first at this place.
    Come(u64, i8, i8, usize),
    /// The block at this share of the list goes.
    Go(f64),
    /// It stands here now.
    Move(f64, i8, i8),
    /// A car comes, or the first one goes.
    Car(bool),
}

fn event() -> impl Strategy<Value = Event> {
    let place = || -12_i8..12;
    prop_oneof![
        4 => (0_u64..60, place(), place(), prop_oneof![4 => 1_usize..4, 1 => 60_usize..70])
            .prop_map(|(number, x, y, count)| Event::Come(number, x, y, count)),
        3 => (0.0..1.0).prop_map(Event::Go),
        2 => ((0.0..1.0), place(), place()).prop_map(|(share, x, y)| Event::Move(share, x, y)),
        1 => any::<bool>().prop_map(Event::Car),
    ]
}

impl Event {
    fn happen(self, scene: &mut Scene) {
        let count = scene.blocks.len() as f64;
        let index = |share: f64| (share * count) as usize;
        match self {
            Event::Come(number, x, y, count) => {
                let places = (0..count).map(|n| (f64::from(x) + (n % 8) as f64, f64::from(y) + (n / 8) as f64));
                scene.blocks.extend(places.map(|(x, y)| block(number, x, y)));
            }
            Event::Go(share) if !scene.blocks.is_empty() => drop(scene.blocks.remove(index(share))),
            Event::Move(share, x, y) if !scene.blocks.is_empty() => {
                let index = index(share);
                scene.blocks[index].world_from_start = at(f64::from(x), f64::from(y));
            }
            Event::Car(comes) if comes || scene.vehicles.is_empty() => {
                scene.vehicles.push(super::tests::scene().vehicles.remove(0));
            }
            Event::Car(_) => drop(scene.vehicles.remove(0)),
            Event::Go(_) | Event::Move(..) => {}
        }
    }
}

fn frame(scene: &Scene) -> Frame {
    let vehicle = |index: usize| VehicleFrame {
        world_from_body: at(-8.0 + 3.0 * index as f64, 1.0),
        wheels: vec![WheelFrame::default()],
        ..VehicleFrame::default()
    };
    Frame {
        vehicles: (0..scene.vehicles.len()).map(vehicle).collect(),
        blocks: scene.blocks.iter().map(|block| block.world_from_start).collect(),
        planes: scene.planes.iter().map(|plane| plane.world_from_start).collect(),
        ..Frame::default()
    }
}

/// Rays from all around to places on the grid, where edges of blocks meet.
fn rays() -> Vec<Ray> {
    let start = |n: u32| {
        let angle = f64::from(n) * 2.399;
        Vec3::new(25.0 * libm::cos(angle), 25.0 * libm::sin(angle), 0.3 + f64::from(n % 5))
    };
    let goal = |n: u32| Vec3::new(f64::from(n % 23) - 11.5, f64::from(n % 19) - 9.5, 0.25 * f64::from(n % 4));
    let ray = |n: u32| Ray {
        origin: start(n),
        direction: (goal(n) - start(n)).normalize(),
        near: 0.0,
        far: 100.0,
        hidden: None,
        looker: if n.is_multiple_of(2) { Looker::Lidar } else { Looker::Camera },
    };
    (0..512).map(ray).collect()
}

/// Everything about what rays meet, one by one and in packets.
fn sight(all: &Surroundings, rays: &[Ray]) -> Vec<Option<(Hit, Surface)>> {
    let space = &all.space;
    let known = |hit: Hit| (hit, space.surface(&hit).clone());
    let alone = rays.iter().map(|ray| space.cast(ray));
    let [lidars, cameras] = [Looker::Lidar, Looker::Camera]
        .map(|looker| rays.iter().filter(|ray| ray.looker == looker).copied().collect::<Vec<Ray>>());
    let packets = lidars.chunks(PACKET).chain(cameras.chunks(PACKET));
    alone.chain(packets.flat_map(|packet| space.cast_packet(packet))).map(|hit| hit.map(known)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn whatever_has_come_and_gone_rays_meet_what_they_meet_in_a_scene_built_anew(
        events in prop::collection::vec(event(), 1..12),
    ) {
        let (mut scene, rays, origin) = (hilly(8), rays(), Vec3::new(3.0, -2.0, 0.0));
        let mut kept = Surroundings::new(&scene, origin, None);
        for event in events {
            event.happen(&mut scene);
            kept = Surroundings::new(&scene, origin, Some(kept));
            let mut anew = Surroundings::new(&scene, origin, None);
            let frame = frame(&scene);
            kept.place(&frame);
            anew.place(&frame);
            prop_assert!(sight(&kept, &rays) == sight(&anew, &rays), "{event:?}");
        }
    }
}

fn models(all: &Surroundings) -> Vec<Arc<Model>> {
    all.space.instances().iter().map(|instance| Arc::clone(instance.model())).collect()
}

/// All models that a tree was built for.
fn built(all: &Surroundings) -> Vec<Arc<Model>> {
    let alone = all.parts.iter().map(|part| Arc::clone(all.space.instances()[part.instance].model()));
    all.still.built().into_iter().chain(alone).collect()
}

/// Those models that are not among these.
fn new_of(now: &[Arc<Model>], before: &[Arc<Model>]) -> usize {
    now.iter().filter(|model| !before.iter().any(|known| Arc::ptr_eq(model, known))).count()
}

#[test]
fn what_comes_goes_or_moves_is_all_that_is_built() {
    let mut scene = hilly(8);
    // In four quarters of the ground.
    scene.blocks.extend((0..400).map(|n| block(4 * n + 1, 5.0 * (n % 20) as f64 - 47.5, 5.0 * (n / 20) as f64 - 47.5)));
    let mut all = Surroundings::new(&scene, Vec3::zeros(), None);
    let mut known = built(&all);
    let mut newly_built = |scene: &Scene| {
        all = Surroundings::new(scene, Vec3::zeros(), Some(std::mem::take(&mut all)));
        let now = built(&all);
        let count = new_of(&now, &known);
        known = now;
        count
    };
    assert_eq!(newly_built(&scene), 0, "nothing has changed");
    scene.blocks.push(block(1, 3.0, 3.0));
    assert_eq!(newly_built(&scene), 1, "a block that never moves: its square");
    scene.blocks.push(block(12, 3.0, 3.0));
    assert_eq!(newly_built(&scene), 1, "a block that can move: its own");
    scene.blocks.push(block(12, -3.0, 3.0));
    assert_eq!(newly_built(&scene), 0, "another of the same shape");
    scene.vehicles.push(scene.vehicles[0].clone());
    assert_eq!(newly_built(&scene), 0, "another car");
    scene.vehicles.clear();
    assert_eq!(newly_built(&scene), 0, "no car");
    scene.blocks[5].world_from_start.y += 1.0;
    assert_eq!(newly_built(&scene), 1, "a block that was moved: its square");
    scene.blocks.remove(5);
    assert_eq!(newly_built(&scene), 1, "a block that went: its square");
    scene.elevations[0].label.numbers[1] += 1;
    assert_eq!(newly_built(&scene), 1, "the ground");
}

/// However often a file is shown, and in whatever colours, its triangles are there once.
#[test]
fn all_that_show_a_file_share_its_triangles() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.obj");
    std::fs::write(&file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let mut scene = scene();
    let [own, painted] = [None, Some([1, 2, 3, 255])].map(|color| visual(&file, color));
    scene.vehicles[0].visuals = vec![own.clone(), painted.clone()];
    scene.blocks =
        (0..100).map(|n| BlockInfo { visuals: vec![own.clone(), painted.clone()], ..block(n, 0.0, 0.0) }).collect();
    let all = Surroundings::new(&scene, Vec3::zeros(), None);
    let with_file: Vec<_> = models(&all).into_iter().filter(|model| model.triangles() == 1).collect();
    assert_eq!(with_file.len(), 202);
    assert!(with_file.iter().all(|model| model.address() == with_file[0].address()));
    assert!(all.problems.is_empty(), "{:?}", all.problems);
}

#[test]
fn the_origin_stays_where_it_is_until_it_is_far_from_the_first_vehicle() {
    let mut scene = scene();
    let mut origin_with = |x: f64, before| {
        scene.vehicles[0].world_from_start = at(x, 0.4);
        origin(&scene, before)
    };
    let first = origin_with(10.2, None);
    assert_eq!(first, Vec3::new(10.0, 0.0, 0.0));
    assert_eq!(origin_with(500.0, Some(first)), first);
    assert_eq!(origin_with(5e6, Some(first)), Vec3::new(5e6, 0.0, 0.0));
    assert_eq!(origin(&Scene::default(), Some(first)), first);
    assert_eq!(origin(&Scene::default(), None), Vec3::zeros());
}

/// A robot whose lidar looks at a post that never moves, 5 m in front of it.
const WITH_POST: &str = "<mvsim_world><block name=\"post\"><static>true</static><init_pose>5 0 0</init_pose></block>
    <vehicle name=\"r1\"><init_pose>0.25 0 0</init_pose><dynamics class=\"differential\"/><sensor class=\"laser\" name=\"scan\">
    <raytrace_3d>true</raytrace_3d><ignore_parent_body>true</ignore_parent_body><nrays>3</nrays><fov_degrees>10</fov_degrees><sensor_period>0.005</sensor_period></sensor></vehicle></mvsim_world>";

/// The ranges of the last vehicle [m] after a step.
fn ranges(world: &mut World) -> Vec<f32> {
    let frame = world.step().unwrap();
    frame.readings.last().and_then(|reading| reading.data.scan()).unwrap().ranges.clone()
}

fn recipe(world: &World, text: &str, pose: Pose3) -> Recipe {
    let source = SpawnSource::Xml { text: text.to_owned(), directory: ".".into(), label: "late".into() };
    world.catalogue().recipe(&SpawnRequest { name: world.free_name("late"), source, pose: Some(pose.into()) }).unwrap()
}

fn spawn(world: &mut World, text: &str, pose: Pose3) -> EntityId {
    let recipe = recipe(world, text, pose);
    world.spawn(recipe).unwrap()
}

/// A block that never moves and shows this file in this size.
fn with_mesh(file: &Path, scale: f64) -> String {
    let visual =
        format!("<visual><model_uri>{}</model_uri><model_scale>{scale}</model_scale></visual>", file.display());
    format!("<block><static>true</static>{visual}</block>")
}

/// Writes a triangle across the x axis, after these lines.
fn write_triangle(file: &Path, lines: &str) {
    std::fs::write(file, format!("{lines}v 0 -1 -1\nv 0 1 -1\nv 0 0 3\nf 1 2 3\n")).unwrap();
}

#[test]
fn what_comes_goes_and_is_moved_is_seen_at_the_next_look_and_a_reset_gives_the_bits_of_a_load() {
    let robot = WITH_POST.split_once("</block>").unwrap().1.replace("</mvsim_world>", "");
    let mut world = World::load_text("w", ".".as_ref(), WITH_POST, &LoadOptions::default()).unwrap().0;
    let load = ranges(&mut world);
    let nearer_by = |world: &mut World| f64::from(load[1] - ranges(world)[1]);
    let close = |actual: f64, wanted: f64| assert!((actual - wanted).abs() < 0.1, "{actual} for {wanted}");
    let post = world.scene().blocks[0].id;
    world.set_state(post, Some(at(3.0, 0.0)), None).unwrap();
    close(nearer_by(&mut world), 2.0);
    spawn(&mut world, "<block><static>true</static></block>", at(2.0, 0.0));
    close(nearer_by(&mut world), 3.0);
    world.reset_with(ResetScope::ALL);
    assert_eq!(ranges(&mut world), load);
    // None looks for a while; another one comes from far away, about which the surroundings then are.
    world.remove(world.scene().vehicles[0].id).unwrap();
    world.remove(world.scene().blocks[0].id).unwrap();
    world.step().unwrap();
    spawn(&mut world, "<block><static>true</static></block>", at(40_005.3, 0.0));
    spawn(&mut world, &robot, at(40_000.3, 0.0));
    close(nearer_by(&mut world), -0.25);
    world.reset_with(ResetScope::ALL);
    assert_eq!(ranges(&mut world), load);
}

/// Whoever builds a body reads its mesh, and not the step that first sees it.
#[test]
fn the_mesh_of_a_body_that_is_spawned_is_not_read_in_a_step() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.obj");
    write_triangle(&file, "");
    let mut world = World::load_text("w", ".".as_ref(), WITH_POST, &LoadOptions::default()).unwrap().0;
    let load = ranges(&mut world);
    let recipe = recipe(&world, &with_mesh(&file, 1.0), at(3.0, 0.0));
    std::fs::remove_file(&file).unwrap();
    world.spawn(recipe).unwrap();
    let nearer = load[1] - ranges(&mut world)[1];
    assert!((nearer - 1.5).abs() < 0.1, "{nearer}");
}

#[test]
fn whoever_spawns_a_body_is_told_what_sensors_do_not_see_of_its_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.obj");
    write_triangle(&file, "mtllib gone.mtl\n");
    let world = World::load_text("w", ".".as_ref(), WITH_POST, &LoadOptions::default()).unwrap().0;
    let warnings = recipe(&world, &with_mesh(&file, 1.0), at(3.0, 0.0)).warnings;
    let reported: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert!(
        matches!(&reported[..], [one] if one.contains("late: sensors do not see all of a mesh: ") && one.contains("gone.mtl")),
        "{reported:?}"
    );
}

/// A step does not try again to read a file; a spawn does, and all that show it are then seen.
#[test]
fn a_file_that_could_not_be_read_is_read_for_a_body_that_comes_later() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.obj");
    let mut scene = scene();
    scene.blocks.iter_mut().for_each(|block| block.visuals = vec![visual(&file, None)]);
    let seen = |all: &Surroundings| models(all).iter().filter(|model| model.triangles() == 1).count();
    let all = Surroundings::new(&scene, Vec3::zeros(), None);
    assert_eq!((seen(&all), all.problems.len()), (0, 1));
    write_triangle(&file, "");
    let mut all = Surroundings::new(&scene, Vec3::zeros(), Some(all));
    assert_eq!((seen(&all), all.problems.len()), (0, 0));
    let known = all.models.of_files();
    let body = Surroundings::of_body(&scene, known.clone(), false);
    all.arrived.push((EntityId(9), body.into_models().without_files_of(&known)));
    std::fs::remove_file(&file).unwrap();
    let all = Surroundings::new(&scene, Vec3::zeros(), Some(all));
    assert_eq!((seen(&all), all.problems.len()), (2, 0));
}

/// Bodies of ever new sizes that come and go leave nothing, whether they are seen, gone before anything looks, or never looked at.
#[test]
fn memory_does_not_grow_with_the_bodies_that_have_come_and_gone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.obj");
    write_triangle(&file, "");
    let mut world = World::load_text("w", ".".as_ref(), WITH_POST, &LoadOptions::default()).unwrap().0;
    world.step().unwrap();
    let kept = |world: &World| {
        let all = world.surroundings.as_ref().unwrap();
        all.models.count() + all.arrived.iter().map(|(_, models)| models.count()).sum::<usize>()
    };
    let start = kept(&world);
    let come_and_go = |world: &mut World, n: u32, looks: bool| {
        let id = spawn(world, &with_mesh(&file, 1.0 + 0.01 * f64::from(n)), at(3.0, 0.0));
        if looks {
            world.step().unwrap();
        }
        world.remove(id).unwrap();
    };
    (0..50).for_each(|n| come_and_go(&mut world, n, true));
    assert!(kept(&world) <= start + 1, "{} after {start}", kept(&world));
    (50..100).for_each(|n| come_and_go(&mut world, n, false));
    assert!(kept(&world) <= start + 4, "{} after {start}", kept(&world));
    world.step().unwrap();
    assert_eq!(kept(&world), start);
    world.remove(world.scene().vehicles[0].id).unwrap();
    (0..50).for_each(|n| come_and_go(&mut world, n, true));
    assert_eq!(kept(&world), start);
}

/// Each picture goes with what it is on; the places of those that went are taken by those that come.
#[test]
fn pictures_that_are_on_nothing_are_forgotten() {
    let picture = |n: usize| PathBuf::from(format!("gone/{n}.png"));
    let texture = |n: usize| Texture { file: Some(picture(n)), uri: String::new(), size: [1.0; 2], turn: 0.0 };
    let with_picture = |n: usize| PlaneInfo { texture: Some(texture(n)), ..hilly(2).planes.remove(0) };
    let ground = ElevationInfo { texture: Some(texture(99)), ..hilly(2).elevations.remove(0) };
    let mut all = Surroundings::default();
    for n in 0..20 {
        // From here on there is ground, of which everything is kept.
        let elevations: Vec<ElevationInfo> = (n >= 5).then(|| ground.clone()).into_iter().collect();
        let mut expected: BTreeSet<PathBuf> = [picture(n), picture(n + 1)].into();
        expected.extend(elevations.iter().map(|_| picture(99)));
        let scene = Scene { planes: vec![with_picture(n), with_picture(n + 1)], elevations, ..Scene::default() };
        all = Surroundings::in_color(&scene, Some(all));
        let shown = all
            .space
            .pictures_shown()
            .into_iter()
            .map(|index| all.images[index as usize].as_ref().unwrap().0.0.clone());
        assert_eq!(shown.collect::<BTreeSet<PathBuf>>(), expected);
        assert!(all.images.len() <= 4 && all.colors.len() == expected.len(), "{:?} {:?}", all.images, all.colors);
    }
    let all = Surroundings::in_color(&Scene::default(), Some(all));
    assert!(all.images.is_empty() && all.pictures.is_empty() && all.colors.is_empty());
}
