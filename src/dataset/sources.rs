//! Which topics a dataset is made from: those that the options name, or else the first that fit, said where several do.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_ros_data::message::compressed::picture_topic;
use skidpad_ros_data::message::{Imu, Message, PointCloud2};

use super::survey::{Pictures, Survey, Vehicle};
use super::{DatasetError, DatasetFormat, DatasetOptions};

/// Encodings of colour pictures, and of grey ones that stand for them.
const COLORS: [&str; 3] = ["rgb8", "bgr8", "mono8"];
/// Encodings of depth pictures.
const DEPTHS: [&str; 2] = ["16UC1", "32FC1"];
/// What the folders of the pictures of one camera end in, for colour and for depth.
const ENDS: [&str; 7] = ["_rgb", "_color", "_depth", "/rgb", "/color", "/depth", "/aligned_depth_to_color"];

/// The topics from which a dataset is made.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    pub(super) vehicle: Vehicle,
    pub(super) cloud: Option<String>,
    pub(super) image: Option<String>,
    pub(super) right_image: Option<String>,
    pub(super) depth: Option<String>,
    pub(super) imu: Option<String>,
}

impl Sources {
    /// The topics of a vehicle that the format needs. What is chosen among several, or is not used, is added to `notes`.
    pub(super) fn choose(
        survey: &Survey,
        vehicle: Vehicle,
        options: &DatasetOptions,
        notes: &mut Vec<Diagnostic>,
    ) -> Result<Sources, DatasetError> {
        let topics = |kind, encodings: &[&str]| survey.topics_of(&vehicle, kind, encodings);
        let (colors, depths) = (survey.pictures_of(&vehicle, &COLORS), survey.pictures_of(&vehicle, &DEPTHS));
        let mut sources = Sources::default();
        let uses: &[&str] = match options.format {
            DatasetFormat::Kitti => &["--cloud", "--image", "--right-image"],
            DatasetFormat::Tum => &["--image", "--depth"],
            DatasetFormat::Euroc => &["--image", "--right-image", "--imu"],
        };
        for (option, given) in [
            ("--cloud", &options.cloud),
            ("--image", &options.image),
            ("--right-image", &options.right_image),
            ("--depth", &options.depth),
            ("--imu", &options.imu),
        ] {
            if given.is_some() && !uses.contains(&option) {
                let name = DatasetFormat::NAMES.iter().find(|(_, format)| *format == options.format);
                let name = name.map_or("", |(name, _)| name);
                let message = Diagnostic::of(format!("{option} has no effect on {name}"));
                notes.push(message.accepted_all(uses.iter().copied()));
            }
        }
        if options.format == DatasetFormat::Tum {
            (sources.image, sources.depth) = pair(&colors, &depths, [&options.image, &options.depth], notes)?;
        } else {
            if let Some(wanted) = &options.right_image {
                sources.right_image = Some(named("--right-image", wanted, &colors.all)?);
            }
            let known = if options.image.is_some() { colors.all } else { colors.usual };
            let candidates = known.into_iter().filter(|name| sources.right_image.as_ref() != Some(name)).collect();
            sources.image = pick("--image", candidates, &options.image, notes)?;
        }
        if options.format == DatasetFormat::Kitti {
            let clouds = topics(PointCloud2::TYPE, &[]);
            // A lidar rather than a camera for colour and depth.
            let of_lidars: Vec<String> = clouds.iter().filter(|name| !survey.is_of_camera(name)).cloned().collect();
            let clouds = if options.cloud.is_some() || of_lidars.is_empty() { clouds } else { of_lidars };
            sources.cloud = pick("--cloud", clouds, &options.cloud, notes)?;
        }
        if options.format == DatasetFormat::Euroc {
            sources.imu = pick("--imu", topics(Imu::TYPE, &[]), &options.imu, notes)?;
        }
        let Sources { cloud, image, depth, imu, .. } = &sources;
        let (option, lacks, has) = match options.format {
            DatasetFormat::Kitti => ("--cloud", "clouds and no pictures", cloud.is_some() || image.is_some()),
            DatasetFormat::Tum => ("--image", "pictures", image.is_some() || depth.is_some()),
            DatasetFormat::Euroc => ("--imu", "inertial samples and no pictures", imu.is_some() || image.is_some()),
        };
        if !has {
            let missing = format!("the recording has no {lacks}");
            return Err(DatasetError::Topic { option, missing, known: Vec::new() });
        }
        Ok(Sources { vehicle, ..sources })
    }
}

/// The topic that ends in `wanted`, or with compressed pictures of one that does.
fn named(option: &'static str, wanted: &str, known: &[String]) -> Result<String, DatasetError> {
    let of_picture = || known.iter().find(|name| picture_topic(name).ends_with(wanted));
    let matching_topic = known.iter().find(|name| name.ends_with(wanted)).or_else(of_picture).cloned();
    let missing = || DatasetError::Topic { option, missing: format!("found \"{wanted}\""), known: known.to_vec() };
    matching_topic.ok_or_else(missing)
}

/// The wanted topic, or the first; none if there is none.
fn pick(
    option: &'static str,
    known: Vec<String>,
    wanted: &Option<String>,
    notes: &mut Vec<Diagnostic>,
) -> Result<Option<String>, DatasetError> {
    if let Some(wanted) = wanted {
        return named(option, wanted, &known).map(Some);
    }
    if known.len() > 1 {
        let message = Diagnostic::of(format!("{option} is not given: {} is used", known[0]));
        notes.push(message.accepted_all(&known));
    }
    Ok(known.into_iter().next())
}

/// The topics of the colour and of the depth pictures of one camera.
fn pair(
    colors: &Pictures,
    depths: &Pictures,
    [image, depth]: [&Option<String>; 2],
    notes: &mut Vec<Diagnostic>,
) -> Result<(Option<String>, Option<String>), DatasetError> {
    let image = image.as_ref().map(|wanted| named("--image", wanted, &colors.all)).transpose()?;
    let depth = depth.as_ref().map(|wanted| named("--depth", wanted, &depths.all)).transpose()?;
    let (colors, depths) = (&colors.usual, &depths.usual);
    match (image, depth) {
        (Some(image), Some(depth)) => {
            if camera(&image) != camera(&depth) {
                let found = format!("{depth} comes from another camera than {image}: colours and depths do not match");
                notes.push(Diagnostic::of(found));
            }
            Ok((Some(image), Some(depth)))
        }
        (Some(image), None) => Ok((Some(image.clone()), depth_of(&image, depths, notes))),
        (None, Some(depth)) => {
            let image = partner(&depth, colors);
            if image.is_none() && !colors.is_empty() {
                let message =
                    Diagnostic::new(&depth, "no colour picture comes from its camera: only depths are written");
                notes.push(message.note(format!("accepted for --image: {}", colors.join(", "))));
            }
            Ok((image, Some(depth)))
        }
        (None, None) => {
            let pairs: Vec<(String, String)> =
                colors.iter().filter_map(|image| Some((image.clone(), partner(image, depths)?))).collect();
            if let Some((image, depth)) = pairs.first().cloned() {
                if pairs.len() > 1 {
                    let known: Vec<&str> = pairs.iter().map(|(image, _)| image.as_str()).collect();
                    let message = Diagnostic::of(format!("--image is not given: {image} is used"));
                    notes.push(message.accepted_all(known));
                }
                return Ok((Some(image), Some(depth)));
            }
            let image = pick("--image", colors.clone(), &None, notes)?;
            match image {
                Some(image) => Ok((Some(image.clone()), depth_of(&image, depths, notes))),
                None => Ok((None, pick("--depth", depths.clone(), &None, notes)?)),
            }
        }
    }
}

/// The depths of the camera that takes these colours; that there are none of it, but of others, is noted.
fn depth_of(image: &str, depths: &[String], notes: &mut Vec<Diagnostic>) -> Option<String> {
    let depth = partner(image, depths);
    if depth.is_none() && !depths.is_empty() {
        let message = Diagnostic::new(image, "no depth picture comes from its camera: only colours are written");
        notes.push(message.note(format!("accepted for --depth: {}", depths.join(", "))));
    }
    depth
}

/// The first topic of the same camera.
fn partner(of: &str, among: &[String]) -> Option<String> {
    among.iter().find(|other| camera(other) == camera(of)).cloned()
}

/// What the topics of one camera have in common.
fn camera(topic: &str) -> &str {
    let topic = picture_topic(topic);
    let folder = topic.rsplit_once('/').map_or(topic, |(folder, _)| folder);
    ENDS.iter().find_map(|end| folder.strip_suffix(end)).unwrap_or(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is chosen, and the first line of each note.
    fn paired(colors: &[&str], depths: &[&str], given: [&str; 2]) -> ([String; 2], Vec<String>) {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let [image, depth] = given.map(|name| (!name.is_empty()).then(|| name.to_owned()));
        let mut notes = Vec::new();
        let topics = |names: &[&str]| Pictures { usual: list(names), all: list(names) };
        let (image, depth) = pair(&topics(colors), &topics(depths), [&image, &depth], &mut notes).unwrap();
        let first = |note: &Diagnostic| note.first_line();
        ([image, depth].map(Option::unwrap_or_default), notes.iter().map(first).collect())
    }

    #[test]
    fn colours_and_depths_are_of_one_camera() {
        let (colors, depths) = (["/eye_rgb/image_raw", "/left/image_raw"], ["/eye_depth/image_raw"]);
        let chosen = |image: &str, depth: &str| [image.to_owned(), depth.to_owned()];
        assert_eq!(paired(&colors, &depths, ["", ""]), (chosen(colors[0], depths[0]), vec![]));
        let only = "/left/image_raw: no depth picture comes from its camera: only colours are written".to_owned();
        assert_eq!(paired(&colors, &depths, ["left/image_raw", ""]), (chosen(colors[1], ""), vec![only.clone()]));
        let mixed =
            "/eye_depth/image_raw comes from another camera than /left/image_raw: colours and depths do not match";
        let pairs = paired(&colors, &depths, ["left/image_raw", "image_raw"]);
        assert_eq!(pairs, (chosen(colors[1], depths[0]), vec![mixed.to_owned()]));
        assert_eq!(paired(&colors[1..], &depths, ["", ""]), (chosen(colors[1], ""), vec![only]));
        assert_eq!(paired(&colors, &depths, ["", "eye_depth/image_raw"]), (chosen(colors[0], depths[0]), vec![]));
        assert_eq!(paired(&[], &depths, ["", ""]), (chosen("", depths[0]), vec![]));
        let many =
            paired(&["/b/color/image_raw", "/a_rgb/image_raw"], &["/a_depth/image_raw", "/b/depth/image_raw"], [""; 2]);
        let reported = "--image is not given: /b/color/image_raw is used".to_owned();
        assert_eq!(many, (chosen("/b/color/image_raw", "/b/depth/image_raw"), vec![reported]));
        let named = paired(&["/camera/image_raw"], &["/camera/depth/image_raw"], ["", ""]);
        assert_eq!(named, (chosen("/camera/image_raw", "/camera/depth/image_raw"), vec![]));
    }
}
