//! Sensors whose rays a graphics processor casts, compared with those of the processor. Without a graphics processor, for which a software one such as
//! Mesa's lavapipe will do, the tests are skipped with a message; with CI=true that is an error.

#[allow(dead_code, reason = "the program's tests need the others")]
#[path = "../support/mod.rs"]
mod support;

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use skidpad::gpu::{Adapters, GpuCaster, GpuError, MIN_RAYS};
use skidpad::math::{Pose3, Twist2, Vec3};
use skidpad::raycast::space::batch::Batch;
use skidpad::raycast::space::{Looker, Model, Ray, SeenBy, Space, Surface};
use skidpad::sensor::{Reading, ReadingData};
use skidpad::vehicle::{Action, Command};
use skidpad::world::{LoadOptions, World};
use skidpad_test_support::watched::Watch;
use support::Lab;

/// Share of rays that may pass an edge within the rounding of f32, and so meet something else.
const AT_EDGES: f64 = 2e-4;

fn caster() -> Option<Arc<GpuCaster>> {
    match GpuCaster::open(Adapters::All) {
        Ok(caster) => Some(Arc::new(caster)),
        Err(error @ GpuError::NoAdapter) => {
            assert!(std::env::var("CI").as_deref() != Ok("true"), "{error}");
            // Not by eprintln!, which is shown of tests that fail only.
            let _ = writeln!(std::io::stderr(), "left out: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Corners of a sphere of this radius [m], of 20 · 4^`levels` triangles.
fn sphere(radius: f64, levels: u32) -> Vec<Vec3> {
    let g = 0.5 * (1.0 + 5_f64.sqrt());
    let points: Vec<Vec3> = [-1.0, 1.0]
        .into_iter()
        .flat_map(|a| [-g, g].into_iter().flat_map(move |b| [[0.0, a, b], [a, b, 0.0], [b, 0.0, a]]))
        .map(Vec3::from)
        .collect();
    let mut triangles = Vec::new();
    let is_edge = |i: usize, j: usize| ((points[i] - points[j]).norm() - 2.0).abs() < 1e-9;
    for (i, j, k) in (0..12).flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |k| (i, j, k)))) {
        if is_edge(i, j) && is_edge(j, k) && is_edge(k, i) {
            triangles.push([points[i], points[j], points[k]]);
        }
    }
    for _ in 0..levels {
        let quarter = |[a, b, c]: [Vec3; 3]| {
            // The middle of an edge is the same from both sides.
            let [d, e, f] = [a + b, b + c, c + a].map(|sum| sum.normalize());
            [[a, d, f], [d, b, e], [f, e, c], [d, e, f]]
        };
        triangles = triangles.into_iter().map(|t| t.map(|p| p.normalize())).flat_map(quarter).collect();
    }
    triangles.into_iter().flatten().map(|point| radius * point.normalize()).collect()
}

/// A turned sphere of a thousand triangles at each of these places [m], each a vehicle.
fn spheres(places: &[Vec3]) -> Space {
    let model = Arc::new(Model::new(&sphere(1.0, 3)));
    let mut space = Space::new(Vec3::zeros());
    for (vehicle, place) in places.iter().enumerate() {
        let pose = Pose3 { x: place.x, y: place.y, z: place.z, yaw: 0.3, pitch: 0.2, roll: 0.1 + place.x };
        space.add(model.clone(), [Surface::default()].into(), Some(vehicle), pose);
    }
    space.finish();
    space
}

/// Unit vectors spread over all directions (R. Swinbank and R. J. Purser 2006).
fn directions(count: usize) -> Vec<Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5_f64.sqrt());
    let direction = |i: usize| {
        let (z, angle) = (1.0 - (2 * i + 1) as f64 / count as f64, golden * i as f64);
        let level = (1.0 - z * z).sqrt();
        Vec3::new(level * angle.cos(), level * angle.sin(), z)
    };
    (0..count).map(direction).collect()
}

/// What rays from `origin` in these directions meet on the graphics processor, and on the processor: the range and the instance.
type Met = Option<(f64, u32)>;

fn cast(space: &Space, origin: Vec3, directions: &[Vec3], hidden: Option<usize>) -> Vec<[Met; 2]> {
    let ray = |index: usize| Ray {
        origin,
        direction: directions[index],
        near: 0.01,
        far: 1e3,
        hidden,
        looker: Looker::Lidar,
    };
    let mut batch = Batch::default();
    batch.find(space, directions.len(), hidden, |range, visit| range.for_each(|index| visit(ray(index))));
    let met = |hit: Option<skidpad::raycast::space::Hit>| hit.map(|hit| (hit.range, hit.instance));
    (0..directions.len()).map(|i| [met(batch.cast(space, i, &ray(i))), met(space.cast(&ray(i)))]).collect()
}

/// Share of rays that met something else on the graphics processor; the ranges of the others agree.
fn share_of_differences(met: &[[Met; 2]]) -> f64 {
    let is_other = |[gpu, cpu]: &[Met; 2]| match (gpu, cpu) {
        (Some((gpu, _)), Some((cpu, _))) => (gpu - cpu).abs() > 1e-3 + 1e-5 * cpu,
        (gpu, cpu) => gpu.is_some() != cpu.is_some(),
    };
    met.iter().filter(|met| is_other(met)).count() as f64 / met.len() as f64
}

#[test]
fn rays_meet_the_same_as_on_the_processor_also_far_from_the_origin() {
    let Some(caster) = caster() else { return };
    let mut places: Vec<Vec3> = directions(500).into_iter().map(|d| 15.0 * d).collect();
    for offset in [Vec3::zeros(), Vec3::new(3e3, -2e3, 100.0)] {
        places.iter_mut().for_each(|place| *place += offset);
        let mut space = spheres(&places);
        space.batch_caster = Some(caster.clone());
        let before = caster.rays();
        let met = cast(&space, offset + Vec3::new(0.3, -0.2, 0.1), &directions(20_000), None);
        assert_eq!(caster.rays() - before, 20_000);
        assert!(met.iter().filter(|[gpu, _]| gpu.is_some()).count() > 5_000);
        assert!(share_of_differences(&met) <= AT_EDGES, "{}", share_of_differences(&met));
        let to_one: Vec<Vec3> = vec![(places[7] - offset).normalize(); MIN_RAYS];
        let [gpu, cpu] = cast(&space, offset, &to_one, Some(7))[0];
        assert_eq!(gpu, cpu);
        assert!(gpu.is_none_or(|(range, _)| range > 14.1), "the sphere in front is hidden: {gpu:?}");
        space.show_to(7, SeenBy::Cameras);
        assert_eq!(cast(&space, offset, &to_one, None)[0], [gpu, cpu], "lidars do not see it");
    }
}

/// Spheres of one model swell and shrink, each by itself, as persons walk: the graphics processor sees them as they are.
#[test]
fn triangles_that_move_are_uploaded_again() {
    let Some(caster) = caster() else { return };
    let places: Vec<Vec3> = directions(60).into_iter().map(|d| 15.0 * d).collect();
    let mut space = spheres(&places);
    space.batch_caster = Some(caster);
    let corners = sphere(1.0, 3);
    let triangles: Vec<[u32; 3]> = (0..corners.len() as u32 / 3).map(|t| [0, 1, 2].map(|k| 3 * t + k)).collect();
    for round in 0..3_usize {
        for instance in (0..places.len()).step_by(2) {
            let size = 0.4 + 0.5 * ((instance + round) % 5) as f64;
            let vertices: Vec<[f32; 3]> = corners.iter().map(|&p| (size * p).map(|c| c as f32).into()).collect();
            space.reshape(instance, &vertices, &triangles);
        }
        space.finish();
        let met = cast(&space, Vec3::new(0.3, -0.2, 0.1), &directions(20_000), None);
        assert!(met.iter().filter(|[gpu, _]| gpu.is_some()).count() > 1_000);
        assert!(share_of_differences(&met) <= AT_EDGES, "{round}: {}", share_of_differences(&met));
    }
}

#[test]
fn no_ray_passes_between_two_triangles() {
    let Some(caster) = caster() else { return };
    let mut space = Space::new(Vec3::zeros());
    let corners = sphere(5.0, 4);
    let pose = Pose3 { x: 2.0, y: -1.0, z: 0.5, yaw: 1.0, pitch: 0.5, roll: 0.2 };
    space.add(Arc::new(Model::new(&corners)), [Surface::default()].into(), None, pose);
    space.finish();
    space.batch_caster = Some(caster);
    // Along edges and corners, where it would happen first.
    let edges =
        corners.as_chunks::<3>().0.iter().flat_map(|&[a, b, c]| [a, b, c, a + b, b + c, a + 2.0 * b, c + 3.0 * a]);
    let directions: Vec<Vec3> = edges.map(|point| pose.rotation() * point.normalize()).collect();
    assert!(directions.len() > 30_000);
    for ([gpu, _], direction) in cast(&space, pose.position(), &directions, None).iter().zip(&directions) {
        assert!(gpu.is_some_and(|(range, _)| (4.9..5.001).contains(&range)), "{gpu:?} along {direction:?}");
    }
}

#[test]
fn what_comes_and_goes_is_uploaded_and_small_batches_are_left_to_the_processor() {
    let Some(caster) = caster() else { return };
    let ahead = vec![Vec3::x(); MIN_RAYS];
    for distance in [4.0, 6.0, 9.0] {
        let mut space = spheres(&[Vec3::new(distance, 0.0, 0.0)]);
        space.batch_caster = Some(caster.clone());
        let before = caster.rays();
        let [gpu, cpu] = cast(&space, Vec3::zeros(), &ahead, None)[0];
        assert_eq!(gpu, cpu);
        assert!((gpu.unwrap().0 - (distance - 1.0)).abs() < 0.02);
        assert_eq!(caster.rays() - before, MIN_RAYS as u64);
        cast(&space, Vec3::zeros(), &ahead[1..], None);
        assert_eq!(caster.rays() - before, MIN_RAYS as u64);
    }
    let mut empty = Space::default();
    empty.batch_caster = Some(caster);
    assert_eq!(cast(&empty, Vec3::zeros(), &ahead, None)[0], [None, None]);
}

/// A hall with a hundred blocks, and a pane of glass ahead of a robot with sensors of all kinds that cast rays. None of them has noise.
fn hall() -> String {
    let blocks: String = (0..100)
        .map(|i| {
            let (x, y) = (f64::from(i % 10) * 2.0 - 9.3, f64::from(i / 10) * 2.0 - 9.2);
            let height = 0.5 + 0.02 * f64::from(i);
            let shape = "<shape><pt>-0.2 -0.3</pt><pt>0.2 -0.3</pt><pt>0.3 0.4</pt><pt>-0.3 0.2</pt></shape>";
            format!(
                "<block name=\"b{i}\"><static>{}</static><color>#c8{:02x}14</color><zmin>0</zmin><zmax>{height}</zmax>\
                 <init_pose>{x} {y} {}</init_pose>{shape}</block>\n",
                i % 2 == 0,
                2 * i,
                7 * i
            )
        })
        .collect();
    let film = "<encoding>rgb8</encoding><readout_time>0.02</readout_time><labels>true</labels>";
    format!(
        "<mvsim_world><simul_timestep>0.01</simul_timestep>
        <lights><light_ambient>0.4</light_ambient><light_elevation_deg>50</light_elevation_deg></lights>
        <element class=\"horizontal_plane\"><x_min>-20</x_min><x_max>20</x_max><y_min>-20</y_min><y_max>20</y_max></element>
        {blocks}
        <block name=\"pane\"><static>true</static><color>#80c0ff40</color><zmin>0</zmin><zmax>3</zmax><init_pose>1.7 0 0</init_pose>
          <shape><pt>-0.01 -1</pt><pt>0.01 -1</pt><pt>0.01 1</pt><pt>-0.01 1</pt></shape></block>
        <vehicle name=\"r\"><init_pose>0 0 20</init_pose>
          <dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics>
          <sensor class=\"lidar3d\" name=\"spinning\"><pose_3d>0 0 1 0 0 0</pose_3d><vert_nrays>64</vert_nrays>
            <horz_nrays>512</horz_nrays><range_std_noise>0</range_std_noise><organized>true</organized></sensor>
          <sensor class=\"lidar3d\" name=\"at_once\"><pose_3d>0 0 1.2 0 0 0</pose_3d><vert_nrays>32</vert_nrays><horz_nrays>200</horz_nrays>
            <range_std_noise>0</range_std_noise><organized>true</organized><instantaneous>true</instantaneous>
            <ignore_parent_body>true</ignore_parent_body><returns>last</returns><min_range>1.5</min_range></sensor>
          <sensor class=\"camera\" name=\"eye\"><pose_3d>0.3 0 1 -90 0 -90</pose_3d><ncols>120</ncols><nrows>80</nrows><fx>80</fx><fy>80</fy>
            <cx>60</cx><cy>40</cy>{film}</sensor>
          <sensor class=\"rgbd_camera\" name=\"depth\"><pose_3d>0.3 0 1 0 10 0</pose_3d><depth_ncols>96</depth_ncols>
            <depth_nrows>64</depth_nrows><depth_fx>70</depth_fx><depth_fy>70</depth_fy><depth_cx>48</depth_cx><depth_cy>32</depth_cy>
            <depth_noise_sigma>0</depth_noise_sigma><depth_clip_min>1.5</depth_clip_min><rgb_ncols>96</rgb_ncols><rgb_nrows>64</rgb_nrows><rgb_fx>70</rgb_fx>
            <rgb_fy>70</rgb_fy><rgb_cx>48</rgb_cx><rgb_cy>32</rgb_cy></sensor>
          <sensor class=\"laser\" name=\"scan\"><raytrace_3d>true</raytrace_3d><ignore_parent_body>true</ignore_parent_body><nrays>4001</nrays><range_std_noise>0</range_std_noise></sensor>
        </vehicle></mvsim_world>"
    )
}

/// The readings of all sensors of the hall after 0.3 s in motion, in their order.
fn readings(text: &str, options: &LoadOptions) -> Vec<Reading> {
    let loaded = World::load_text("hall.xml", Path::new("."), text, options);
    let (mut world, warnings) = loaded.unwrap_or_else(|problems| panic!("{problems}"));
    assert!(warnings.is_empty(), "{warnings:?}");
    world.command(Command { vehicle: 0, action: Action::Twist(Twist2::new(1.0, 0.0, 0.8)) }).unwrap();
    while world.frame().time.secs() < 0.3 {
        world.step().unwrap();
    }
    world.frame().readings.clone()
}

/// Share of pairs for which `is_other` holds.
fn share<T>(a: &[T], b: &[T], is_other: impl Fn(&T, &T) -> bool) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).filter(|(a, b)| is_other(a, b)).count() as f64 / a.len() as f64
}

fn differ(a: f32, b: f32) -> bool {
    a.is_finite() != b.is_finite() || (a - b).abs() > 1e-3 + 1e-5 * b.abs()
}

#[test]
fn lidars_and_cameras_see_the_same_as_on_the_processor() {
    let Some(caster) = caster() else { return };
    let text = hall();
    let expected = readings(&text, &LoadOptions::default());
    let options = LoadOptions { batch_caster: Some(caster.clone()), ..LoadOptions::default() };
    let actual = readings(&text, &options);
    // Three turns, three clouds at once, three pictures with shadows, and as many of depth and colour, and scans.
    let rays = 64 * 512 + 32 * 200 + 2 * 120 * 80 + 3 * 96 * 64 + 4001;
    assert!(caster.rays() >= 2 * rays, "{}", caster.rays());
    for (actual, expected) in actual.iter().zip(&expected) {
        assert_eq!(actual.time, expected.time);
        match (&actual.data, &expected.data) {
            (ReadingData::Cloud(actual), ReadingData::Cloud(expected)) => {
                let share = share(&actual.points, &expected.points, |a, b| {
                    differ(a.range(), b.range()) || a.label != b.label || (a.intensity - b.intensity).abs() > 1e-4
                });
                assert!(share <= AT_EDGES, "{share} of the points");
                assert!(expected.points.iter().filter(|point| point.is_return()).count() > 1000);
            }
            (ReadingData::Photograph(actual), ReadingData::Photograph(expected)) => {
                let of_pixels = share(&actual.pixels, &expected.pixels, |a, b| a.abs_diff(*b) > 1);
                let of_labels = share(&actual.labels, &expected.labels, |a, b| a != b);
                // An edge of a shadow too.
                assert!(of_pixels <= 5.0 * AT_EDGES && of_labels <= AT_EDGES, "{of_pixels} {of_labels}");
            }
            (ReadingData::Rgbd(actual), ReadingData::Rgbd(expected)) => {
                let of_pixels = share(&actual.pixels, &expected.pixels, |a, b| a.abs_diff(*b) > 1);
                let of_depths = share(&actual.depths, &expected.depths, |a, b| differ(*a, *b));
                assert!(of_pixels <= 5.0 * AT_EDGES && of_depths <= AT_EDGES, "{of_pixels} {of_depths}");
            }
            (ReadingData::Scan(actual), ReadingData::Scan(expected)) => {
                let share = share(&actual.ranges, &expected.ranges, |a, b| differ(*a, *b));
                assert!(share <= AT_EDGES, "{share} of the beams");
            }
            (actual, expected) => panic!("{actual:?} instead of {expected:?}"),
        }
    }
    assert_eq!(actual.len(), 5);
}

/// The sentence of a machine without a graphics processor.
#[test]
#[cfg(target_os = "linux")]
fn without_a_graphics_processor_there_is_a_sentence_and_the_processor_casts() {
    let lab = Lab::with_world(&hall());
    let snapshot = |how: &str, out: &str| {
        let mut command = lab.skidpad(&format!("snapshot w.xml --sensor depth --out {out} --sensors {how}"));
        command.env("VK_ICD_FILENAMES", "/nonexistent").env("VK_DRIVER_FILES", "/nonexistent");
        support::Done::from(command.finish())
    };
    let cpu = snapshot("cpu", "cpu.png");
    assert!(cpu.status == Some(0) && !cpu.stderr.contains("graphics"), "{}", cpu.stderr);
    for how in ["gpu", "auto"] {
        let done = snapshot(how, &format!("{how}.png"));
        let sentence = format!(
            "--sensors {how}: the CPU casts the rays of sensors: this machine has no graphics processor with Vulkan, Metal or Direct3D 12"
        );
        assert!(done.status == Some(0) && done.stderr.contains(&sentence), "{}", done.stderr);
        assert!(!done.stderr.contains("panicked") && done.stderr.lines().count() <= 3, "{}", done.stderr);
        let picture = |name: &str| std::fs::read(lab.path().join(name)).unwrap();
        assert!(picture("cpu.png") == picture(&format!("{how}.png")));
    }
}

#[test]
fn the_program_names_the_graphics_processor_that_casts() {
    let Some(caster) = caster() else { return };
    let lab = Lab::with_world(&hall());
    let done = lab.run("snapshot w.xml --sensor depth --out gpu.png --sensors gpu");
    let sentence = format!("{} casts the rays of sensors", caster.name());
    assert!(done.status == Some(0) && done.stderr.contains(&sentence), "{}", done.stderr);
}
