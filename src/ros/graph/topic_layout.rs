//! The topics on the graph at one revision of the scene: which vehicle has which topics. Rebuilt when vehicles are added or removed.

use std::collections::BTreeSet;
use std::sync::Arc;

use skidpad_math::Pose3;
use skidpad_ros_data::interface::names::{
    GLOBAL_TF, TOKEN_RULE, TfMode, TfTopics, VehicleNames, is_token, map_topics, token,
};
use skidpad_ros_data::interface::naming::VehicleNaming;
use skidpad_ros_data::interface::poses::{self, PosePublication};
use skidpad_ros_data::message::content::type_name;
use skidpad_ros_data::message::markers::WORLD_TOPICS;
use skidpad_ros_data::message::{
    BODY_TOPICS, Clock, DiagnosticArray, LABEL_TABLE, MapMetaData, Message, OccupancyGrid, PoseStamped, Statistics,
    TFMessage, Text, TransformStamped,
};
use skidpad_ros_data::preset::frame_names::PARAMETERS;
use skidpad_ros_data::preset::{PlaceholderValues, Preset, VehicleContext};
use skidpad_run::diagnostics::DIAGNOSTICS_TOPIC;
use skidpad_sim::sensor::naming::TAKEN_FRAMES;
use skidpad_sim::world::{EntityId, Scene, VehicleInfo};

use super::topics::{CLOCK_TOPIC, ExtraTopics, STATISTICS_TOPIC, VehicleTopics, vehicle_topics};
use crate::error::RosError;
use crate::typed_messages::is_known;

/// Topics that this node or every node has, as a vehicle without a namespace would call them.
const OF_EVERY_NODE: [&str; 4] = ["clock", "diagnostics", "parameter_events", "rosout"];

/// Publishers that are created and destroyed together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PublisherGroup {
    /// The map with this index.
    Map(usize),
    /// The table of labels.
    Labels,
    /// The transforms on these topics.
    Transforms(TfTopics),
    /// A vehicle's topics.
    Vehicle(EntityId),
    /// The topics of one `<publish>`: pose, relative poses, and the names of the others.
    Poses(PoseKey),
}

/// Identifies the topics of one `<publish>`: the name of the body, its topics, and the names of the bodies that poses are relative to.
pub(crate) type PoseKey = (String, [Option<String>; 2], Vec<String>);

/// The key of a `<publish>` of the world.
pub(crate) fn pose_key(publication: &PosePublication) -> PoseKey {
    let topics = [publication.pose_topic.clone(), publication.relative_topic.clone()];
    (publication.name.clone(), topics, publication.other_bodies.iter().map(|(_, name)| name.clone()).collect())
}

/// A scene with the names of all its topics.
#[derive(Debug)]
pub(crate) struct TopicLayout {
    /// The scene; indices into its lists are those of the frames that were made with it.
    pub scene: Arc<Scene>,
    /// The topics of each map that is published, and of its metadata: of all maps of the scene, or of none.
    pub maps: Vec<[String; 2]>,
    /// The frame of the maps.
    pub map_frame: String,
    /// The topics of each vehicle; none for a vehicle whose names are taken.
    pub vehicles: Vec<Option<VehicleTopics>>,
    /// For each vehicle the index of its opponent.
    pub opponents: Vec<Option<usize>>,
    /// The poses that the world asks to publish by `<publish>`.
    pub pose_publications: Vec<PosePublication>,
    /// Topics published beside those of the preset.
    pub extras: ExtraTopics,
}

/// Gives vehicles their names, which stay the same as long as the vehicle exists.
pub(crate) struct Naming {
    names: VehicleNaming,
    /// Whether vehicles are described.
    describes: bool,
    /// The vehicle that has a driver.
    driven: Option<EntityId>,
    tf_mode: Box<dyn Fn(&str) -> TfMode + Send>,
    extras: ExtraTopics,
    /// Vehicles whose missing topics have been reported.
    refused: BTreeSet<EntityId>,
    /// Vehicles whose differing names of topics, or shared names of frames, have been reported.
    renamed: BTreeSet<EntityId>,
    /// Decides about optional topics.
    now: VehicleContext,
}

impl Naming {
    /// The naming of `preset`. A vehicle that is alone in its world at the start has names without namespace unless `force_namespace`;
    /// `tf_mode` gives the topics of transforms for the name of a vehicle.
    pub fn new(
        preset: &'static Preset,
        force_namespace: bool,
        driven: Option<EntityId>,
        tf_mode: impl Fn(&str) -> TfMode + Send + 'static,
    ) -> Naming {
        let tf_mode = Box::new(tf_mode);
        Naming {
            names: VehicleNaming::new(preset, force_namespace),
            describes: false,
            driven,
            tf_mode,
            extras: ExtraTopics::default(),
            refused: BTreeSet::new(),
            renamed: BTreeSet::new(),
            now: VehicleContext::default(),
        }
    }

    /// The same with topics beside those of the preset.
    pub(crate) fn with_extras(self, extras: ExtraTopics) -> Naming {
        Naming { extras, ..self }
    }

    /// The same with these values of the placeholders in the preset's names; `now` decides about optional topics.
    pub fn with_words(self, words: PlaceholderValues, now: VehicleContext) -> Naming {
        Naming { names: self.names.with_words(words), now, ..self }
    }

    /// The same with a description of each vehicle on a topic of its own.
    pub(crate) fn with_descriptions(self, describes: bool) -> Naming {
        Naming { describes, ..self }
    }

    /// The layout of the world at the start.
    ///
    /// # Errors
    /// Two topics would have the same name, or several vehicles the absolute names of a preset.
    pub fn begin(&mut self, scene: &Arc<Scene>) -> Result<TopicLayout, RosError> {
        let preset = self.names.preset;
        if preset.is_for_one() && scene.vehicles.len() > 1 {
            return Err(RosError::new("parameter \"preset\"", format!("found \"{}\"", preset.name))
                .accepted(format!("a world with one vehicle, this one has {}", scene.vehicles.len()))
                .hint("leave preset out, or take another world"));
        }
        let (layout, mut problems) = self.name(scene);
        match problems.is_empty() {
            true => Ok(layout),
            false => Err(problems.swap_remove(0).1),
        }
    }

    /// The layout of a scene whose vehicles or blocks have changed. A vehicle whose names are taken gets no topics, with one warning.
    pub fn follow(&mut self, scene: &Arc<Scene>) -> TopicLayout {
        let (layout, problems) = self.name(scene);
        self.refused.retain(|id| scene.vehicle_of(*id).is_some());
        self.renamed.retain(|id| scene.vehicle_of(*id).is_some());
        for (id, problem) in problems {
            if self.refused.insert(id) {
                let reported = problem.note("the vehicle is simulated, but has no topics");
                tracing::warn!(diagnostic = reported.as_value());
            }
        }
        layout
    }

    fn name(&mut self, scene: &Arc<Scene>) -> (TopicLayout, Vec<(EntityId, RosError)>) {
        self.names.follow(scene);
        let maps = if self.extras.maps { scene.maps.len() } else { 0 };
        let maps: Vec<_> = (0..maps).map(|index| map_topics(self.names.preset, index)).collect();
        let mut taken: Vec<String> = maps.iter().flatten().cloned().collect();
        taken.extend(scene.has_labels().then(|| LABEL_TABLE.to_owned()));
        taken.extend(OF_EVERY_NODE.map(str::to_owned));
        if self.extras.markers {
            taken.extend(WORLD_TOPICS.map(|(name, _)| name.to_owned()));
        }
        if self.extras.bodies {
            taken.extend(BODY_TOPICS.map(|(name, _)| name.to_owned()));
        }
        let (mut vehicles, mut problems) = (Vec::with_capacity(scene.vehicles.len()), Vec::new());
        for vehicle in &scene.vehicles {
            let first = self.names.number(vehicle.id) == 0;
            let now = VehicleContext {
                first,
                on_springs: vehicle.is_on_springs,
                with_others: scene.vehicles.len() > 1,
                ..self.now
            };
            let has_driver = self.driven == Some(vehicle.id);
            let names = self.names.names(vehicle).with_tf((self.tf_mode)(&vehicle.name));
            let warnings: Vec<String> =
                renamed(vehicle, &names).into_iter().chain(shared_frames(vehicle, &names)).collect();
            if !warnings.is_empty() && self.renamed.insert(vehicle.id) {
                warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
            }
            let description = self.describes.then(|| names.description_topic());
            match vehicle_topics(vehicle, names, has_driver, self.extras, now, description, &taken) {
                Ok((topics, names)) => {
                    taken.extend(names);
                    vehicles.push(Some(topics));
                }
                Err(problem) => {
                    vehicles.push(None);
                    problems.push((vehicle.id, problem));
                }
            }
        }
        let opponents = self.names.opponents(scene);
        let mut layout = TopicLayout {
            scene: scene.clone(),
            maps,
            map_frame: self.names.map_frame(),
            vehicles,
            opponents,
            pose_publications: Vec::new(),
            extras: self.extras,
        };
        let taken: Vec<String> = published(&layout).into_iter().map(|(name, _)| name).collect();
        layout.pose_publications = poses::pose_publications(scene, &taken);
        (layout, problems)
    }
}

/// The warning for a vehicle of a world file whose name is not a valid ROS name. Spawn requests with such a name are refused instead.
fn renamed(vehicle: &VehicleInfo, names: &VehicleNames) -> Option<String> {
    let name = &vehicle.name;
    (names.has_prefix() && !is_token(name)).then(|| {
        let namespace = token(name);
        format!(
            "vehicle \"{name}\": its topics are below {namespace}, since its name is not valid in a topic\n  \
             accepted: {TOKEN_RULE}"
        )
    })
}

/// The warnings for sensors whose frame a parameter has made that of the map, of odometry or of the body. A load warns of the usual names.
fn shared_frames(vehicle: &VehicleInfo, names: &VehicleNames) -> Vec<String> {
    let frames = [Some(names.map_frame()), names.odometry_frame(), Some(names.base_frame())];
    let sensors = vehicle.sensors.iter().enumerate().filter_map(|(index, sensor)| {
        let frame = names.sensor_frame(vehicle, index);
        let of = frames.iter().position(|known| known.as_ref() == Some(&frame))?;
        let is_there = of == 2 && sensor.body_from_sensor == Pose3::default();
        (!is_there && !TAKEN_FRAMES.contains(&frame.as_str())).then(|| {
            format!(
                "vehicle \"{}\", sensor \"{}\": its frame \"{frame}\" belongs to {}: readings will appear there\n  \
                 accepted: a frame of its own\n  hint: give it another <frame_id>, or the parameter {} another name",
                vehicle.name,
                sensor.name,
                ["the map", "odometry", "the vehicle"][of],
                PARAMETERS[of]
            )
        })
    });
    sensors.collect()
}

impl TopicLayout {
    /// The vehicles that have topics, with them and their indices.
    pub(crate) fn on_graph(&self) -> impl Iterator<Item = (usize, &VehicleInfo, &VehicleTopics)> {
        let pairs = self.scene.vehicles.iter().zip(&self.vehicles).enumerate();
        pairs.filter_map(|(index, (vehicle, topics))| Some((index, vehicle, topics.as_ref()?)))
    }

    /// Every group of publishers that has to be on the graph.
    pub fn groups(&self) -> BTreeSet<PublisherGroup> {
        let maps = (0..self.maps.len()).map(PublisherGroup::Map);
        let vehicles = self.on_graph().map(|(_, vehicle, _)| PublisherGroup::Vehicle(vehicle.id));
        let routes = self.on_graph().flat_map(|(_, _, topics)| &topics.tf);
        let transforms = routes.map(|(topics, _)| PublisherGroup::Transforms(topics.clone()));
        let poses = self.pose_publications.iter().map(|publication| PublisherGroup::Poses(pose_key(publication)));
        let labels = self.scene.has_labels().then_some(PublisherGroup::Labels);
        maps.chain(labels).chain(vehicles).chain(transforms).chain(poses).collect()
    }
}

/// Relative name and type of every published topic, for display.
pub fn published(layout: &TopicLayout) -> Vec<(String, &'static str)> {
    let mut list = vec![(CLOCK_TOPIC.to_owned(), Clock::TYPE)];
    list.push((DIAGNOSTICS_TOPIC.to_owned(), DiagnosticArray::TYPE));
    list.push((STATISTICS_TOPIC.to_owned(), Statistics::TYPE));
    for [map, metadata] in layout.maps.iter().cloned() {
        list.push((map, OccupancyGrid::TYPE));
        list.push((metadata, MapMetaData::TYPE));
    }
    list.extend(layout.scene.has_labels().then(|| (LABEL_TABLE.to_owned(), Text::TYPE)));
    if layout.extras.markers {
        list.extend(WORLD_TOPICS.map(|(name, kind)| (name.to_owned(), kind)));
    }
    if layout.extras.bodies {
        let known = BODY_TOPICS.into_iter().filter(|(_, kind)| is_known(kind));
        list.extend(known.map(|(name, kind)| (name.to_owned(), kind)));
    }
    let is_global = |topics: &VehicleTopics| topics.tf.iter().any(|(topics, _)| topics.0 == GLOBAL_TF);
    if layout.on_graph().any(|(_, _, topics)| is_global(topics)) {
        list.extend(GLOBAL_TF.map(|name| (name.to_owned(), TFMessage::TYPE)));
    }
    for (_, info, vehicle) in layout.on_graph() {
        let names = &vehicle.names;
        list.extend(vehicle.own_tf().map(|name| (name.clone(), TFMessage::TYPE)));
        list.extend(vehicle.of_preset().map(|topic| (names.topic(topic.name), type_name(topic.content))));
        list.extend(vehicle.description.clone().map(|name| (name, Text::TYPE)));
        list.extend(vehicle.of_driver());
        list.extend(vehicle.extra_topics(info));
        let types = info.sensors.iter().flat_map(|sensor| sensor.kind.topics()).map(|topic| topic.message);
        list.extend(vehicle.sensors.iter().flatten().cloned().zip(types));
    }
    for publication in &layout.pose_publications {
        list.extend(publication.pose_topic.clone().map(|name| (name, PoseStamped::TYPE)));
        list.extend(publication.relative_topic.clone().map(|name| (name, TransformStamped::TYPE)));
    }
    list
}

#[cfg(test)]
mod tests {
    use skidpad_ros_data::preset::{F1TENTH_GYM_ROS, SKIDPAD};
    use skidpad_sim::sensor::SensorInfo;

    use super::*;

    fn vehicle(id: u64, name: &str) -> VehicleInfo {
        VehicleInfo { id: EntityId(id), name: name.into(), ..VehicleInfo::default() }
    }

    fn scene(world: &str, revision: u64, vehicles: &[(u64, &str)]) -> Arc<Scene> {
        let vehicles = vehicles.iter().map(|(id, name)| vehicle(*id, name)).collect();
        Arc::new(Scene { name: world.into(), revision, vehicles, ..Scene::default() })
    }

    fn naming() -> Naming {
        Naming::new(&SKIDPAD, false, None, |name| if name == "p" { TfMode::Prefixed } else { TfMode::Namespaced })
    }

    fn odometry(layout: &TopicLayout) -> Vec<Option<String>> {
        layout.vehicles.iter().map(|topics| Some(topics.as_ref()?.names.topic("odom"))).collect()
    }

    #[test]
    fn a_vehicle_alone_at_the_start_has_bare_names_and_added_ones_have_namespaces() {
        let mut naming = naming();
        let name = |name: &str| Some(name.to_owned());
        assert_eq!(odometry(&naming.begin(&scene("w", 0, &[(0, "car")])).unwrap()), [name("odom")]);
        let two = naming.follow(&scene("w", 1, &[(0, "car"), (7, "p")]));
        assert_eq!(odometry(&two), [name("odom"), name("p/odom")]);
        assert_eq!(two.vehicles[1].as_ref().unwrap().names.frame("odom"), "p/odom");
        let other = naming.follow(&scene("w", 2, &[(7, "p")]));
        assert_eq!(odometry(&other), [name("p/odom")], "not bare because it is left over");
        let back = naming.follow(&scene("w", 3, &[(7, "p"), (9, "car")]));
        assert_eq!(odometry(&back), [name("p/odom"), name("odom")]);
        let world = naming.follow(&scene("v", 4, &[(11, "p")]));
        assert_eq!(odometry(&world), [name("odom")], "another world starts anew");
    }

    #[test]
    fn names_invalid_in_topics_are_reported_where_there_would_be_topics() {
        let reported =
            |name: &str, namespaced| renamed(&vehicle(0, name), &VehicleNames::new(&SKIDPAD, name, namespaced, false));
        let expected = "vehicle \"a b\": its topics are below a_b, since its name is not valid in a topic\n  \
                        accepted: letters, digits and single _, no digit first";
        assert_eq!(reported("a b", true).as_deref(), Some(expected));
        assert_eq!([reported("a b", false), reported("a_b", true)], [None, None]);
    }

    #[test]
    fn a_sensor_whose_frame_a_parameter_has_given_away_is_told() {
        let at = Pose3 { x: 0.3, ..Pose3::default() };
        let sensor = SensorInfo { name: "front".into(), body_from_sensor: at, ..SensorInfo::default() };
        let car = VehicleInfo { sensors: vec![sensor], ..vehicle(0, "car") };
        let reported = |parameter: &str| {
            let words =
                PlaceholderValues::new(SKIDPAD.placeholders, |name| (name == parameter).then(|| "front".into()));
            shared_frames(&car, &VehicleNames::new(&SKIDPAD, "car", false, false).with_words(words.of(0)))
        };
        let expected = "vehicle \"car\", sensor \"front\": its frame \"front\" belongs to odometry: readings will appear there\n  \
                        accepted: a frame of its own\n  \
                        hint: give it another <frame_id>, or the parameter odom_frame_id another name";
        assert_eq!(reported("odom_frame_id"), [expected]);
        assert_eq!((reported("base_frame_id").len(), reported("map_frame_id").len(), reported("").len()), (1, 1, 0));
    }

    #[test]
    fn agents_keep_their_numbers_and_free_numbers_are_reused() {
        let mut naming = Naming::new(&F1TENTH_GYM_ROS, false, None, |_| TfMode::Namespaced);
        let drives = |layout: &TopicLayout| -> Vec<String> {
            layout.on_graph().map(|(_, _, topics)| topics.names.topic("/{drive}")).collect()
        };
        let three = naming.begin(&scene("w", 0, &[(0, "a"), (1, "b"), (2, "c")])).unwrap();
        assert_eq!(drives(&three), ["/drive", "/opp_drive", "/opp_drive2"]);
        assert_eq!(drives(&naming.follow(&scene("w", 1, &[(0, "a"), (2, "c")]))), ["/drive", "/opp_drive2"]);
        let again = naming.follow(&scene("w", 2, &[(0, "a"), (2, "c"), (3, "d")]));
        assert_eq!(drives(&again), ["/drive", "/opp_drive2", "/opp_drive"]);
    }

    #[test]
    fn vehicles_added_to_an_empty_world_have_namespaces() {
        let mut naming = naming();
        assert!(naming.begin(&scene("w", 0, &[])).unwrap().vehicles.is_empty());
        assert_eq!(odometry(&naming.follow(&scene("w", 1, &[(3, "car")]))), [Some("car/odom".to_owned())]);
    }

    #[test]
    fn a_vehicle_with_taken_names_gets_no_topics_until_they_are_free() {
        let mut naming = naming();
        naming.begin(&scene("w", 0, &[])).unwrap();
        let clash = naming.follow(&scene("w", 1, &[(1, "a b"), (2, "a_b")]));
        assert_eq!(odometry(&clash), [Some("a_b/odom".to_owned()), None]);
        assert_eq!(odometry(&naming.follow(&scene("w", 2, &[(2, "a_b")]))), [Some("a_b/odom".to_owned())]);
        let error = Naming::new(&SKIDPAD, false, None, |_| TfMode::Namespaced)
            .begin(&scene("w", 0, &[(1, "a b"), (2, "a_b")]))
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "vehicle \"a_b\": the vehicle would publish on the topic \"a_b/tf\", which is already used\n  \
             hint: give it another name in the world file"
        );
    }
}
