//! Filters of entities, worlds and poses: by name, category, tags and volume.

use regex_lite::Regex;

use super::bounds::Bounds;
use super::entity::{Category, Described};
use super::outcome::{Outcome, Refusal};

/// A filter by tags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// Empty: everything passes.
    pub tags: Vec<String>,
    /// Whether all of them are required, instead of any.
    pub all: bool,
}

impl Tags {
    /// Reads tags and the number of the mode: 0 any, 1 all.
    pub fn read(tags: Vec<String>, mode: u8) -> Outcome<Tags> {
        match mode {
            0 | 1 => Ok(Tags { tags, all: mode == 1 }),
            _ => Err(Refusal::failed(format!("tags: mode {mode} is unknown\n  accepted: 0 any, 1 all"))),
        }
    }

    /// Whether something with these tags passes.
    pub fn accept(&self, tags: &[String]) -> bool {
        let has = |tag: &String| tags.contains(tag);
        self.tags.is_empty() || if self.all { self.tags.iter().all(has) } else { self.tags.iter().any(has) }
    }
}

/// A filter of entities, which have to meet all of its conditions.
#[derive(Clone, Debug)]
pub struct Filter {
    /// None: any name.
    name: Option<Regex>,
    /// Empty: any category.
    categories: Vec<Category>,
    tags: Tags,
    /// Entities have to overlap this volume.
    bounds: Bounds,
}

impl Filter {
    /// A filter by names that match `expression` anywhere (POSIX extended; empty: any), categories by number, tags, and bounds.
    pub fn new(expression: &str, categories: &[u8], tags: Tags, bounds: Bounds) -> Outcome<Filter> {
        let name = match expression {
            "" => None,
            _ => Some(Regex::new(expression).map_err(|error| {
                let reason = error.to_string();
                Refusal::failed(format!(
                    "filter \"{expression}\": {}\n  accepted: a POSIX extended regular expression",
                    reason.lines().last().unwrap_or_default()
                ))
            })?),
        };
        let categories = categories.iter().map(|&number| Category::read(number)).collect::<Outcome<_>>()?;
        Ok(Filter { name, categories, tags, bounds })
    }

    /// Whether this entity passes.
    pub fn accepts(&self, entity: &Described) -> bool {
        self.name.as_ref().is_none_or(|name| name.is_match(&entity.name))
            && (self.categories.is_empty() || self.categories.contains(&entity.info.category))
            && self.tags.accept(&entity.info.tags)
            && self.bounds.overlaps(&entity.prism)
    }
}

#[cfg(test)]
mod tests {
    use skidpad_math::{Pose3, Vec2};

    use super::super::bounds::{Prism, kind};
    use super::super::entity::Info;
    use super::*;

    fn entity(name: &str, category: Category, tags: &[&str], x: f64) -> Described {
        let outline = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map(|(x, y)| Vec2::new(x, y));
        let info =
            Info { category, description: String::new(), tags: tags.iter().map(|tag| (*tag).to_owned()).collect() };
        let prism = Prism::of(Pose3 { x, ..Pose3::default() }, &outline, [0.0, 1.0]);
        Described { name: name.to_owned(), info, prism }
    }

    fn names(filter: &Filter) -> Vec<String> {
        let all = [
            entity("r1", Category::Robot, &["vehicle", "red"], 0.0),
            entity("r2", Category::Robot, &["vehicle", "blue"], 5.0),
            entity("crate_12", Category::DynamicObject, &["block", "red"], 10.0),
            entity("pillar", Category::StaticObject, &["block"], 15.0),
        ];
        all.iter().filter(|entity| filter.accepts(entity)).map(|entity| entity.name.clone()).collect()
    }

    fn by_name(expression: &str) -> Vec<String> {
        names(&Filter::new(expression, &[], Tags::default(), Bounds::Everywhere).unwrap())
    }

    #[test]
    fn names_match_extended_regular_expressions() {
        assert_eq!(by_name(""), ["r1", "r2", "crate_12", "pillar"]);
        assert_eq!(by_name("^r[[:digit:]]$"), ["r1", "r2"]);
        assert_eq!(by_name("pil+ar|_1{1}2"), ["crate_12", "pillar"]);
        assert_eq!(by_name("ra"), ["crate_12"], "anywhere in the name");
        assert!(by_name("^a$").is_empty());
        let refusal = Filter::new("r[", &[], Tags::default(), Bounds::Everywhere).unwrap_err();
        assert_eq!(refusal.code, 4);
        assert!(refusal.reason.starts_with("filter \"r[\": "), "{}", refusal.reason);
    }

    #[test]
    fn any_of_the_given_categories_passes() {
        let by = |numbers: &[u8]| Filter::new("", numbers, Tags::default(), Bounds::Everywhere);
        assert_eq!(names(&by(&[1]).unwrap()), ["r1", "r2"]);
        assert_eq!(names(&by(&[4, 5]).unwrap()), ["crate_12", "pillar"]);
        assert!(names(&by(&[2]).unwrap()).is_empty());
        assert_eq!(by(&[3]).unwrap_err().code, 4, "there is no category 3");
    }

    #[test]
    fn tags_are_required_any_or_all() {
        let by = |tags: &[&str], mode| {
            let tags = Tags::read(tags.iter().map(|tag| (*tag).to_owned()).collect(), mode)?;
            Filter::new("", &[], tags, Bounds::Everywhere)
        };
        assert_eq!(names(&by(&["red", "blue"], 0).unwrap()), ["r1", "r2", "crate_12"]);
        assert_eq!(names(&by(&["red", "vehicle"], 1).unwrap()), ["r1"]);
        assert_eq!(names(&by(&[], 1).unwrap()).len(), 4);
        assert_eq!(by(&["red"], 2).unwrap_err().reason, "tags: mode 2 is unknown\n  accepted: 0 any, 1 all");
    }

    #[test]
    fn all_conditions_have_to_hold() {
        let bounds = Bounds::read(kind::SPHERE, &[[4.0, 0.0, 0.5], [6.0, 0.0, 0.0]]).unwrap();
        let red = Tags::read(vec!["red".to_owned()], 0).unwrap();
        assert_eq!(names(&Filter::new("", &[], Tags::default(), bounds.clone()).unwrap()), ["r1", "r2", "crate_12"]);
        assert_eq!(names(&Filter::new("^[rp]", &[1, 5], red, bounds).unwrap()), ["r1"]);
    }
}
