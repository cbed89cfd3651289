//! The things of `worlds/blocks`: all are in the world that shows them, bodies meet them as they look, and boards have the tags that their numbers say.

use std::collections::BTreeSet;

use skidpad_sim::world::{LoadOptions, World};

use super::{cameras, folder, load_with, order, run, twist};

/// The world of things, with pictures of few pixels.
fn props() -> World {
    let variables = vec![("PIXELS".to_owned(), "8".to_owned())];
    load_with("props", &LoadOptions { variables, ..LoadOptions::default() })
}

#[test]
fn the_world_of_things_has_each_of_them_with_its_model() {
    let world = props();
    let models = |inside: &str| -> BTreeSet<String> {
        let files = std::fs::read_dir(folder().join(inside)).unwrap();
        let texts = files.map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap());
        // Up to where a number is put in.
        let of = |text: String| {
            let text = text.replace("${models}", "../models");
            Some(text.split_once("../models/")?.1.split(['.', '$']).next()?.to_owned())
        };
        texts.filter_map(of).collect()
    };
    let uris: Vec<&str> =
        world.scene().blocks.iter().flat_map(|block| &block.visuals).map(|visual| visual.uri.as_str()).collect();
    let wanted = models("blocks");
    assert!(wanted.len() >= 13, "{wanted:?}");
    for model in wanted {
        assert!(uris.iter().any(|uri| uri.contains(&format!("/{model}"))), "{model}: none in {uris:?}");
    }
    let actors = std::fs::read_dir(folder().join("actors")).unwrap();
    let wanted: BTreeSet<String> = actors
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".actor.xml")?.to_owned()))
        .collect();
    assert_eq!(world.scene().actors.iter().map(|actor| actor.class.clone()).collect::<BTreeSet<_>>(), wanted);
    assert!(world.scene().actors.iter().all(|actor| actor.visuals.iter().all(|visual| visual.file.is_some())));
    for block in &world.scene().blocks {
        assert!(block.visuals.iter().any(|visual| visual.file.is_some()), "{}", block.name);
        assert!(!block.label.class.is_empty() && block.label.class != "block", "{}", block.name);
    }
}

/// 25 kg turn about the hinge as the robot of 12 kg drives through.
#[test]
fn a_robot_pushes_the_door_open_and_passes() {
    let mut world = props();
    let leaf = world.scene().blocks.iter().position(|block| block.name == "leaf").unwrap();
    let start = world.frame().blocks[leaf].yaw;
    order(&mut world, 0, twist(0.5, 0.0));
    run(&mut world, 20.0, |_, _| {});
    let opened = (world.frame().blocks[leaf].yaw - start).abs();
    assert!(opened > 0.7 && super::pose(&world, 0).x > 5.6, "{opened} rad, {:?}", super::pose(&world, 0));
}

/// What a camera sees of a board 1 m ahead: the cells of its tag inside of the white margin, white is true, from the upper left corner.
fn cells(class: &str, number: u32, side: usize) -> Vec<Vec<bool>> {
    let whole = side + 4;
    // Six pixels a cell; the black frame is 0.4 m wide.
    let (pixels, focal) = (6 * whole, 15 * (side + 2));
    let mut world = cameras::load(
        &folder(),
        &format!(
            "<lights><light_ambient>1</light_ambient></lights><include file=\"blocks/{class}.block.xml\" id=\"{number}\" size=\"0.4\" z=\"1\"/>
            <block class=\"{class}\"><init_pose>1 0 180</init_pose></block>{}",
            cameras::robot(&format!(
                "<sensor class=\"camera\" name=\"eye\"><pose_3d>0 0 1 -90 0 -90</pose_3d><ncols>{pixels}</ncols><nrows>{pixels}</nrows><fx>{focal}</fx>
                <fy>{focal}</fy><cx>{middle}</cx><cy>{middle}</cy><encoding>rgb8</encoding><ignore_parent_body>true</ignore_parent_body></sensor>",
                middle = 0.5 * pixels as f64 - 0.5
            ))
        ),
    );
    let picture = cameras::picture(&mut world);
    let at = |row: usize, column: usize| {
        let [red, ..] = picture[(6 * row + 3) * pixels + 6 * column + 3];
        assert!(!(60..=200).contains(&red), "{class} {number}: {red} at {row} {column}");
        red > 200
    };
    let rows: Vec<Vec<bool>> = (0..whole).map(|row| (0..whole).map(|column| at(row, column)).collect()).collect();
    for k in 0..whole {
        for (row, column) in [(0, k), (whole - 1, k), (k, 0), (k, whole - 1)] {
            assert!(rows[row][column], "{class} {number}: the margin is white");
        }
    }
    for k in 1..whole - 1 {
        for (row, column) in [(1, k), (whole - 2, k), (k, 1), (k, whole - 2)] {
            assert!(!rows[row][column], "{class} {number}: the frame is black");
        }
    }
    rows[2..whole - 2].iter().map(|row| row[2..whole - 2].to_vec()).collect()
}

fn word(cells: &[Vec<bool>]) -> u64 {
    cells.iter().flatten().fold(0, |word, &bit| word << 1 | u64::from(bit))
}

/// The same turned by a quarter.
fn turned(cells: &[Vec<bool>]) -> Vec<Vec<bool>> {
    (0..cells.len()).map(|row| cells.iter().map(|line| line[cells.len() - 1 - row]).collect()).collect()
}

/// The first word of the family is that of its authors (apriltag-imgs, tag36_11_00000); all differ from each other and from themselves, however
/// turned, in eleven bits or more, which is what the family is called after.
#[test]
fn apriltags_are_words_of_their_family() {
    let tags: Vec<Vec<Vec<bool>>> = (0..20).map(|number| cells("apriltag", number, 6)).collect();
    assert_eq!(word(&tags[0]), 0xd_5d62_8584);
    assert_eq!(word(&tags[1]), 0xd_97f1_8b49);
    let mut least = u32::MAX;
    for (number, tag) in tags.iter().enumerate() {
        let mut turn = tag.clone();
        for quarter in 0..4 {
            for other in &tags[..=number] {
                if quarter > 0 || other != tag {
                    least = least.min((word(&turn) ^ word(other)).count_ones());
                }
            }
            turn = turned(&turn);
        }
    }
    assert!(least >= 11, "{least} bits");
}

/// 19 is 00 00 01 00 11 in pairs of bits: the words of the pairs are 10000, 10111, 01001, 01110.
#[test]
fn aruco_markers_have_their_number_in_pairs_of_bits() {
    let rows = [0b10000, 0b10000, 0b10111, 0b10000, 0b01110];
    let wanted: Vec<Vec<bool>> = rows.iter().map(|row| (0..5).map(|k| row >> (4 - k) & 1 == 1).collect()).collect();
    assert_eq!(cells("aruco", 19, 5), wanted);
}

#[test]
fn boards_may_be_in_another_folder() {
    let elsewhere = tempfile::tempdir().unwrap();
    for (class, family) in [("apriltag", "tag36h11"), ("aruco", "aruco")] {
        let board = elsewhere.path().join(format!("{family}_1000.glb"));
        std::fs::copy(folder().join(format!("models/{family}_7.glb")), &board).unwrap();
        let text = format!(
            "<include file=\"blocks/{class}.block.xml\" id=\"1000\" models=\"{}\"/><block class=\"{class}\"><init_pose>0 0 0</init_pose></block>",
            elsewhere.path().display()
        );
        let world = cameras::load(&folder(), &text);
        assert_eq!(world.scene().blocks[0].visuals[0].file.as_ref(), Some(&board));
    }
}
