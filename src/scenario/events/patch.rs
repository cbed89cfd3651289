//! Other ground in an area of a running world: a region in the text of its file, as an edit would write it.

use super::Patch;

/// Lower and upper end of a region [m].
const HEIGHTS: [f64; 2] = [-1e4, 1e4];

/// The text of a world file with these regions in front of all others, which they override; none: it has no root.
pub(super) fn with_patches(text: &str, patches: &[Patch]) -> Option<String> {
    let start = after_root(text)?;
    let regions: String = patches.iter().rev().map(region).collect();
    Some(format!("{}{regions}{}", &text[..start], &text[start..]))
}

fn region(patch: &Patch) -> String {
    let ([x, y, to_x, to_y], [z, to_z]) = (patch.area, HEIGHTS);
    format!(
        "<element class=\"property_region\"><property_name>friction_mu</property_name><value_double>{}</value_double>\
         <x_min>{x}</x_min><x_max>{to_x}</x_max><y_min>{y}</y_min><y_max>{to_y}</y_max><z_min>{z}</z_min><z_max>{to_z}</z_max></element>",
        patch.mu
    )
}

/// The place behind the opening tag of the root.
fn after_root(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let open = at + text[at..].find('<')?;
        let from_tag = &text[open..];
        let close = match from_tag.starts_with("<!--") {
            true => from_tag.find("-->")? + 2,
            false => from_tag.find('>')?,
        };
        at = open + close + 1;
        if !from_tag.starts_with("<!") && !from_tag.starts_with("<?") {
            return (!from_tag[..close].ends_with('/')).then_some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_stand_first_in_the_root_and_the_last_one_counts() {
        let text = "<?xml version=\"1.0\"?><!-- a <mvsim_world> --><mvsim_world version=\"1\"><a/></mvsim_world>";
        let patch = |mu| Patch { area: [0.0, 1.0, 2.0, 3.0], mu };
        let with = with_patches(text, &[patch(0.5), patch(0.25)]).unwrap();
        let (head, content) = with.split_once("version=\"1\">").unwrap();
        assert!(head.ends_with("<mvsim_world ") && content.ends_with("</element><a/></mvsim_world>"));
        assert!(content.find("0.25").unwrap() < content.find("0.5").unwrap());
        assert_eq!(with_patches(text, &[]).as_deref(), Some(text));
        assert_eq!(with_patches("<a/>", &[]), None);
    }
}
