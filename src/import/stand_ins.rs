//! Blocks of the project's own that stand in for models of Gazebo's libraries which are not on this machine.

use super::text;

/// Words that the name of a model has to have, all of them, also in the plural, and the class of the block; none: nothing stands in. The first row counts.
const STAND_INS: [(&[&str], Option<&str>); 12] = [
    (&["pallet", "jack"], None),
    (&["pallet", "rack"], Some("rack")),
    (&["cone"], Some("traffic_cone")),
    (&["pallet"], Some("pallet")),
    (&["shelf"], Some("rack")),
    (&["shelves"], Some("rack")),
    (&["cardboard", "box"], Some("carton")),
    (&["pine", "tree"], Some("spruce")),
    (&["tree"], Some("linden")),
    (&["stop", "sign"], Some("sign_stop")),
    (&["speed", "limit", "sign"], Some("sign_limit")),
    (&["warning", "sign"], Some("sign_warning")),
];

/// The class of the block that stands in for the model of this name, such as `Construction Cone` or `oak_tree`.
pub(super) fn class_of(name: &str) -> Option<&'static str> {
    let words = text::words(name);
    let has = |wanted: &&str| {
        words.iter().any(|word| word.strip_prefix(*wanted).is_some_and(|ending| ["", "s", "es"].contains(&ending)))
    };
    STAND_INS.iter().find(|(wanted, _)| wanted.iter().all(has))?.1
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn what_stands_in_is_there() {
        let blocks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/blocks");
        for class in STAND_INS.iter().filter_map(|(_, class)| *class) {
            let text = std::fs::read_to_string(blocks.join(format!("{class}.block.xml"))).unwrap();
            assert!(text.contains(&format!("<block:class name=\"{class}\">")), "{class}");
        }
    }

    #[test]
    fn models_of_gazebo_have_stand_ins_by_the_words_of_their_names() {
        let known = [
            ("construction_cone", Some("traffic_cone")),
            ("Construction Cone", Some("traffic_cone")),
            ("euro_pallet", Some("pallet")),
            ("aws_robomaker_warehouse_PalletJackB_01", None),
            ("pallet_jack", None),
            ("aws_robomaker_warehouse_ShelfE_01", Some("rack")),
            ("shelves_high2", Some("rack")),
            ("pallet_rack", Some("rack")),
            ("Warehouse Pallets", Some("pallet")),
            ("cardboard_boxes", Some("carton")),
            ("TrafficCone2", Some("traffic_cone")),
            ("bookshelf", None),
            ("bus_shelter", None),
            ("shell_station", None),
            ("conex_container", None),
            ("treehouse", None),
            ("oak_tree", Some("linden")),
            ("Pine Tree", Some("spruce")),
            ("stop_sign", Some("sign_stop")),
            ("speed_limit_sign", Some("sign_limit")),
            ("cardboard_box", Some("carton")),
            ("fire_hydrant", None),
        ];
        for (name, class) in known {
            assert_eq!(class_of(name), class, "{name}");
        }
    }
}
