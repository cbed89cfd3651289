//! Blocks of the project's own that stand in for models of Gazebo's libraries which are not on this machine.

/// Beginnings of words that the name of a model has to have, all of them, and the class of the block; none: nothing stands in. The first row counts.
const STAND_INS: [(&[&str], Option<&str>); 11] = [
    (&["pallet", "jack"], None),
    (&["palletjack"], None),
    (&["cone"], Some("traffic_cone")),
    (&["pallet"], Some("pallet")),
    (&["shel"], Some("rack")),
    (&["cardboard", "box"], Some("carton")),
    (&["pine", "tree"], Some("spruce")),
    (&["tree"], Some("linden")),
    (&["stop", "sign"], Some("sign_stop")),
    (&["speed", "limit", "sign"], Some("sign_limit")),
    (&["warning", "sign"], Some("sign_warning")),
];

/// The class of the block that stands in for the model of this name, such as `Construction Cone` or `oak_tree`.
pub(super) fn class_of(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let has = |beginning: &&str| words.iter().any(|word| word.starts_with(beginning));
    STAND_INS.iter().find(|(beginnings, _)| beginnings.iter().all(has))?.1
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("bookshelf", None),
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
