//! Planar lidars in the plane and with `raytrace_3d`: where heights do not matter, both have the same ranges.

use std::path::Path;

use skidpad_math::Vec2;
use skidpad_sim::sensor::{ReadingData, SensorKind};
use skidpad_sim::world::{LoadOptions, World};

use super::cameras::{load, robot};

/// The worlds in which the two differ: in the plane a lidar meets the largest outline that things have, and actors as circles.
const DIFFERENT: &[&str] = &[
    // Vehicles whose wheels or meshes are narrower at the height of the lidar than their outlines.
    "for_loop_fleet",
    "parameter_sets",
    // Solids that are not as wide at every height.
    "geometry_blocks",
    "pedestrians",
    "props",
];

/// Those without a planar lidar that take long to load.
const WITHOUT: &[&str] = &["warehouse", "hill_with_trees", "checkerboard_room"];

/// Those whose pictures are smaller here.
const DRAWN_SMALL: &[&str] = &["props"];

const IN_SPACE: &str = "<raytrace_3d>true</raytrace_3d><ignore_parent_body>true</ignore_parent_body>";

/// Copies the worlds into `to`, with planar lidars in three dimensions that do not see their own vehicle.
fn copy_in_space(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_in_space(&path, &copy);
        } else if path.extension().is_some_and(|ending| ending == "xml") {
            let text = std::fs::read_to_string(&path).unwrap();
            let mut parts = text.split("<sensor class=\"laser\"");
            let mut changed = parts.next().unwrap().to_owned();
            for part in parts {
                let (start, content) = part.split_once('>').unwrap();
                changed += &format!("<sensor class=\"laser\"{start}>{IN_SPACE}{content}");
            }
            std::fs::write(copy, changed).unwrap();
        } else {
            std::fs::copy(path, copy).unwrap();
        }
    }
}

/// The ranges of all planar lidars, by vehicle and sensor.
fn scans(world: &World) -> Vec<(String, Vec<f32>)> {
    let scans = world.frame().readings.iter().filter_map(|reading| {
        let vehicle = &world.scene().vehicles[reading.vehicle];
        let ReadingData::Scan(scan) = &reading.data else { return None };
        Some((format!("{}/{}", vehicle.name, vehicle.sensors[reading.sensor].name), scan.ranges.clone()))
    });
    scans.collect()
}

/// How many beams differ by more than 0.1 mm, and the first of them.
fn difference(flat: &[f32], space: &[f32]) -> (usize, String) {
    assert_eq!(flat.len(), space.len());
    let differ = |beam: &usize| {
        let apart = (flat[*beam] - space[*beam]).abs();
        flat[*beam] != space[*beam] && (apart.is_nan() || apart > 1e-4)
    };
    let different: Vec<usize> = (0..flat.len()).filter(differ).collect();
    let first = different.first().map(|&beam| format!("beam {beam}: {} and {}", flat[beam], space[beam]));
    (different.len(), first.unwrap_or_default())
}

/// Both have the same names and so the same errors.
#[test]
fn in_the_plane_and_in_space_the_lidars_of_the_worlds_have_the_same_ranges() {
    let folder = tempfile::tempdir().unwrap();
    copy_in_space(&super::folder(), folder.path());
    let (mut alike, mut different) = (0, Vec::new());
    for entry in std::fs::read_dir(super::folder()).unwrap() {
        let file = entry.unwrap().file_name().into_string().unwrap();
        let Some(name) = file.strip_suffix(".world.xml").filter(|name| !WITHOUT.contains(name)) else { continue };
        // Rays take long in a debug build.
        let variables: Vec<_> =
            DRAWN_SMALL.contains(&name).then(|| ("PIXELS".to_owned(), "16".to_owned())).into_iter().collect();
        let options = LoadOptions { variables, ..LoadOptions::default() };
        let mut flat = super::load_with(name, &options);
        let mut sensors = flat.scene().vehicles.iter().flat_map(|vehicle| &vehicle.sensors);
        if !sensors.any(|sensor| matches!(sensor.kind, SensorKind::Lidar2d(_))) {
            continue;
        }
        let in_space = World::load(&folder.path().join(&file), &options);
        let (mut space, _) = in_space.unwrap_or_else(|problems| panic!("{name}: {problems}"));
        for world in [&mut flat, &mut space] {
            for _ in 0..60 {
                world.step().unwrap();
            }
            world.sense();
        }
        let (mut beams, mut first) = (0, String::new());
        for ((lidar, flat), (_, space)) in scans(&flat).into_iter().zip(scans(&space)) {
            let (count, of) = difference(&flat, &space);
            // A beam may pass a corner within the rounding of 32-bit numbers.
            if count > 1 {
                (beams, first) = (beams + count, format!("{lidar}, {of}"));
            }
        }
        match beams {
            0 => alike += 1,
            _ if DIFFERENT.contains(&name) => different.push(name.to_owned()),
            _ => panic!("{name}: {beams} beams, {first}"),
        }
    }
    different.sort();
    let mut expected = DIFFERENT.to_vec();
    expected.sort_unstable();
    assert_eq!(different, expected);
    assert!(alike >= 18, "{alike}");
}

/// Numbers from 0 to 1 (G. Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn uniform(&mut self, low: f64, high: f64) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (high - low) * (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Blocks of all shapes that stand or can be pushed, some of glass, walls with a door, and robots whose wheels and bodies are cut at the height
/// of the lidar where they are largest.
#[test]
fn among_upright_bodies_both_have_the_same_ranges() {
    let lidar = |name: &str, tags: &str| {
        format!(
            "<sensor class=\"laser\" name=\"{name}\"><height>0.2</height><fov_degrees>359.5</fov_degrees><nrays>720</nrays>
            <range_std_noise>0</range_std_noise><angle_std_noise_deg>0</angle_std_noise_deg>{tags}</sensor>"
        )
    };
    let observer = robot(&format!("{}{}", lidar("flat", ""), lidar("space", IN_SPACE)));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut returns = 0;
    for number in 0..12 {
        let mut bodies = String::new();
        for body in 0..30 {
            let (distance, bearing) = (random.uniform(3.0, 12.0), random.uniform(-3.1, 3.1));
            let at = distance * Vec2::new(bearing.cos(), bearing.sin());
            let place = format!("{} {} {}", at.x, at.y, random.uniform(-180.0, 180.0));
            if body % 6 == 5 {
                bodies += &observer
                    .replace("name=\"r\"", &format!("name=\"r{body}\""))
                    .replace("<init_pose>0 0 0<", &format!("<init_pose>{place}<"));
                continue;
            }
            let corners = 3 + body % 5;
            let outline: String = (0..corners)
                .map(|corner| {
                    let angle = std::f64::consts::TAU * f64::from(corner) / f64::from(corners);
                    let radius = random.uniform(0.2, 0.7);
                    format!("<pt>{} {}</pt>", radius * angle.cos(), radius * angle.sin())
                })
                .collect();
            let color = if body % 7 == 3 { "#80ffff40" } else { "#80ffffff" };
            bodies += &format!(
                "<block name=\"b{body}\"><static>{}</static><color>{color}</color><zmin>0</zmin><zmax>1</zmax>
                <init_pose>{place}</init_pose><shape>{outline}</shape></block>",
                body % 2 == 0
            );
        }
        let wall =
            "<element class=\"vertical_plane\"><x0>-14</x0><y0>-9</y0><x1>13</x1><y1>-12</y1><z>0</z><height>3</height>
            <door><position>0.4</position><width>2</width></door></element>";
        // Bodies may overlap at the start, which is a warning.
        let text = format!("<mvsim_world>{observer}{wall}{bodies}</mvsim_world>");
        let (mut world, _) = World::load_text("w.xml", Path::new("."), &text, &LoadOptions::default())
            .unwrap_or_else(|problems| panic!("{problems}"));
        world.sense();
        for pair in scans(&world).chunks(2) {
            let [(flat, in_plane), (_, in_space)] = pair else { panic!("{pair:?}") };
            let (count, first) = difference(in_plane, in_space);
            assert!(count <= 2, "{number}, {flat}: {count} beams, {first}");
            returns += in_plane.iter().filter(|range| range.is_finite()).count();
        }
    }
    assert!(returns > 12 * 6 * 200, "{returns}");
}

/// Before the first step too.
#[test]
fn an_actor_is_seen_where_it_stands_from_the_start() {
    let actor = "<actor name=\"alice\"><init_pose>3 0 0</init_pose></actor>";
    let lidar = "<sensor class=\"laser\" name=\"scan\"><nrays>181</nrays><range_std_noise>0</range_std_noise></sensor>";
    let mut world = load(Path::new("."), &format!("{actor}{}", robot(lidar)));
    let look = |world: &mut World| {
        world.sense();
        scans(world).remove(0).1
    };
    let first = look(&mut world);
    // A circle of 0.3 m, with its corners on it.
    assert!((first[90] - 2.7).abs() < 0.011 && first[0].is_infinite(), "{} {}", first[90], first[0]);
    world.step().unwrap();
    let (ahead, beside) = (look(&mut world)[90], look(&mut world)[0]);
    assert!((ahead - first[90]).abs() < 1e-3 && beside.is_infinite());
}
