//! Property tests have one seed, so that each run of the tests tries the same inputs; `make soak` tries others.

use super::{Text, none, sources, texts};

/// What brings inputs that do not follow from the seed.
const OTHER_GENERATORS: [&str; 3] = ["bolero::check!", "deterministic_rng", "from_os_rng"];

fn other_inputs(files: &[Text]) -> Vec<String> {
    let mut inputs = Vec::new();
    for file in
        files.iter().filter(|file| !["tests/fuzz/random.rs", "tests/conventions/seeds.rs"].contains(&&*file.path))
    {
        let words = OTHER_GENERATORS.iter().filter(|word| file.content.contains(**word));
        inputs.extend(words.map(|word| format!("{}: {word}", file.path)));
    }
    inputs
}

#[test]
fn random_inputs_follow_from_one_seed() {
    let seed = std::env::var("PROPTEST_RNG_SEED").expect(".cargo/config.toml sets it");
    assert!(seed.parse::<u64>().is_ok(), "{seed}");
    let mut all = sources();
    all.extend(texts("tests", &[".rs"]));
    none(other_inputs(&all));
    let bad = [Text::new("tests/a.rs", "bolero::check!().for_each(try);"), Text::new("src/a.rs", "proptest! {}")];
    assert_eq!(other_inputs(&bad), ["tests/a.rs: bolero::check!"]);
}
