//! The start of the simulator's node: its parameters and services, its publishers and subscriptions, and its threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use skidpad_math::time::SimTime;
use skidpad_record::ExternalInput;
use skidpad_ros_data::message::{AutowareDesk, SharedDesk};
use skidpad_ros_data::preset::{frame_names, racecar};
use skidpad_run::diagnostics::health::SharedHealth;
use skidpad_run::guard::lock;
use skidpad_run::mux::config::drives_nothing;
use skidpad_run::runner::Request;

use super::Options;
use super::bridge::{Bridge, Threads};
use super::fleet::{Fleet, FleetSettings};
use super::interface_lines::{NodeInterface, interface_lines};
use super::parameters;
use super::parameters::lockstep::LockstepRequests;
use super::parameters::presets;
use super::parameters::vehicles::{self, VehicleParameters};
use super::run_control;
use super::spin::{self, Watches};
use super::start_watch::StartWatch;
use super::subscriptions;
use super::tracker_topics::TrackerListeners;
use super::wrench_service;
use crate::commands::listener::{CommandListeners, ListenerSettings};
use crate::commands::start_gate::StartGate;
use crate::commands::subscription::Velocity;
use crate::control::{self, StateHeader};
use crate::error::{self, RosError};
use crate::graph::duplicate_publishers::{DuplicatePublishers, ExclusiveTopic};
use crate::graph::duplicate_transforms::DuplicateTransforms;
use crate::graph::names::{NODE, Resolver};
use crate::graph::neighbours::Neighbours;
use crate::graph::topic_layout::{Naming, TopicLayout};
use crate::graph::topics::{CLOCK_TOPIC, ExtraTopics};
use crate::node::Setup;
use crate::node::mux::{self, AckermannMux};
use crate::parameters::qos_overrides::QosOverrides;
use crate::parameters::step_rates::StepRates;
use crate::parameters::table::Parameters;
use crate::parameters::unknown;
use crate::publish::audience::Audience;
use crate::publish::bodies::WorldBodies;
use crate::publish::health::HealthOutput;
use crate::publish::markers;
use crate::publish::outputs::NodeOutput;
use crate::publish::publisher::Announcer;
use crate::publish::publisher_thread::Publishers;
use crate::publish::queue::Queue;
use crate::publish::snapshot::{SharedLatest, SharedSettings};
use crate::publish::wall_stamps::SharedStamps;
use crate::service_calls::ServiceCalls;
use crate::shared_memory::{OtherUsers, SharedMemory};
use crate::shutdown::{Guests, Progress};
use crate::startup::{NewNode, domain, serve_parameters_and_log};

/// Most snapshots queued for the publisher; beyond that the oldest is dropped. A quarter of a second at five times real time.
const QUEUE_CAPACITY: usize = 256;
/// Most memory of them [bytes], in which five pictures of 4096 x 4096 pixels have room.
const QUEUE_BYTES: usize = 256 << 20;

/// Starts the node in threads of its own. Fails on invalid parameters, conflicting names, and errors of the client library.
pub fn start(options: Options) -> Result<Bridge, RosError> {
    let Options { ros_args, scene, outbox, rate, lockstep, paused, driven, tracker, listener, origin, start_when } =
        options;
    let waits_at_start = start_when.is_some();
    let (mut shared_memory, profile) = SharedMemory::prepare(&scene);
    let NewNode { context, mut node, resolver, given, tasks } = NewNode::create(NODE, &ros_args)?;
    shared_memory.begin(profile);
    let given_values = given.values.iter().map(|(name, value)| (name, value));
    let parameters = parameters::declare(rate, lockstep, paused, outbox.clone(), given_values)?;
    let stamps = parameters::has_wall_stamps(&parameters).then(SharedStamps::default);
    let preset = parameters::preset_of(&parameters);
    let overrides =
        QosOverrides::new(&given.values, &parameters)?.with_data_depth(presets::data_depth(preset, &parameters));
    let settings: SharedSettings = Arc::new(Mutex::new(parameters::publish_settings(&parameters, preset)));
    let tracked = driven.and_then(|index| Some((scene.vehicles.get(index)?.id, tracker?)));
    let mut calls = ServiceCalls::new(tasks.handle());
    let rates = Arc::new(StepRates::new(parameters.clone()));
    let on_change = {
        let (parameters, settings, rates) = (parameters.clone(), settings.clone(), rates.clone());
        let lockstep = LockstepRequests::new(outbox.clone());
        lockstep.follow(&parameters);
        Arc::new(move || {
            *lock(&settings) = parameters::publish_settings(&parameters, preset);
            lockstep.follow(&parameters);
            rates.warn();
        })
    };
    serve_parameters_and_log(&mut node, &parameters, on_change, &mut calls)?;
    let desk = SharedDesk::new(AutowareDesk::default().engaged(presets::is_engaged(preset, &parameters)));
    let gate = StartGate::named(&parameters.word("wait_for"));
    run_control::serve(&mut node, preset, &desk, &outbox, &gate, &mut calls)?;
    let words = presets::placeholder_values(preset, &parameters)?;
    wrench_service::serve(&mut node, &words.shared(frame_names::MAP), &outbox, &mut calls)?;
    let header = StateHeader { map_frame: words.shared(frame_names::MAP), stamps: stamps.clone() };
    let controls = control::serve(&mut node, &parameters, preset, &outbox, origin, &mut calls, header)?;

    let driven = driven.and_then(|index| scene.vehicles.get(index)).map(|vehicle| vehicle.id);
    let conditions = presets::topic_conditions(&parameters);
    let force_namespace = parameters.flag("force_vehicle_namespace");
    let extras = ExtraTopics {
        maps: parameters.flag("publish_map"),
        markers: parameters.flag("publish_markers"),
        log: parameters.flag("publish_log_topics"),
        bodies: parameters.flag("publish_bodies"),
    };
    let mut naming = {
        let own_parameters = parameters.clone();
        let tf_mode = move |vehicle: &str| vehicles::tf_mode(&own_parameters, vehicle);
        Naming::new(preset, force_namespace, driven, tf_mode)
            .with_descriptions(parameters.flag("publish_robot_description"))
            .with_extras(extras)
            .with_words(words.clone(), conditions)
    };
    let layout = Arc::new(naming.begin(&scene)?);
    let health = SharedHealth::default();
    let (created, to_publish) = mpsc::channel();
    let (ask, jobs) = mpsc::channel();
    let latest: SharedLatest = Arc::default();
    let publishers = {
        let mut announcer = Announcer::new(&mut node, &resolver, &overrides).with_stamps(stamps.clone());
        let outputs = outputs(&mut announcer, &parameters, &health, &layout, &latest)?;
        let waits = parameters.number(parameters::SHUTDOWN_GRACE) > 0.0;
        Publishers::new(&mut announcer, &layout, outputs, stamps.clone(), to_publish, ask)?
            .with_neighbours(waits.then(|| Neighbours::new(domain())))
    };
    let is_followed = publishers.is_followed();
    subscriptions::tell_unknown(preset);
    subscriptions::pause_on_request(&mut node, preset, &outbox, tasks.handle())?;
    subscriptions::start_on_request(&mut node, preset, &desk, &outbox, tasks.handle())?;
    let quirk = |name: &str| preset.with_quirks && parameters.flag(name);
    if quirk("quirks.parallel_steer") {
        outbox.send(Request::SetParallelSteer(Some(true)));
    }
    let of_vehicles = VehicleParameters::new(&parameters, &outbox).with_tracker(tracked)?;
    let (shared_context, progress) = (context.clone(), Progress::default());
    let for_watch = (context.clone(), outbox.clone());
    let of_bridge = (context.clone(), resolver.clone());
    // Before the commands: DDS announces subscriptions in their order, so whoever is heard here with a command is heard there too.
    let trackers = listener
        .as_ref()
        .map(|input| TrackerListeners::start(&context, &resolver, input, &outbox, &progress))
        .transpose()?;
    let inputs = CommandListeners::new(ListenerSettings {
        context,
        resolver: resolver.clone(),
        overrides: overrides.clone(),
        outbox,
        velocity: Velocity::named(&parameters.word("cmd_vel_type")),
        ackermann_limits: parameters.flag("ackermann_limits"),
        gate,
        progress: progress.clone(),
        clock: Arc::new({
            let latest = Arc::clone(&latest);
            move || SimTime(latest.time.load(Ordering::Acquire))
        }),
        desk: desk.clone(),
        speed_factor: if quirk("quirks.half_speed") { racecar::HALF_SPEED } else { 1.0 },
    });
    let (mux, mux_lines) = match preset.mux.filter(|_| parameters.flag("builtin_mux")) {
        Some(of_preset) => {
            let file = parameters.word("mux_config");
            let config = mux::configuration("mux_config", &file, of_preset)?;
            if !file.is_empty() {
                let outputs: Vec<String> = config.outputs().iter().map(|name| resolver.resolve(name)).collect();
                let driving: Vec<String> =
                    inputs.commanded(&layout, None).into_iter().flat_map(|(_, topics)| topics).collect();
                if let Some(warning) = drives_nothing(&outputs, &driving) {
                    let warning = warning.at(&file).at("parameter \"mux_config\"");
                    tracing::warn!(diagnostic = warning.as_value());
                }
            }
            let setup = Setup::new(&mut node, &resolver, &overrides, parameters.clone());
            let mut setup = setup.with_stamps(stamps.clone());
            (Some(AckermannMux::new(&config, &mut setup)?), setup.into_lines())
        }
        None => (None, Vec::new()),
    };
    let recorded: Vec<&str> = listener.iter().flat_map(ExternalInput::topics).collect();
    // Nobody else leads the one whose own tracker does.
    let led = tracked.map(|(id, _)| id);
    let commanded = parameters::lockstep::awaited(&parameters, inputs.commanded(&layout, led));
    let node_interface =
        NodeInterface { preset, layout: &layout, inputs: &inputs, recorded: &recorded, controls, mux_lines };
    let interface = interface_lines(&node, &resolver, node_interface);
    let duplicate_publishers = DuplicatePublishers::new(exclusive_topics(&layout, &resolver));
    let duplicate_transforms = DuplicateTransforms::new(shared_context, &layout, |name| resolver.resolve(name));
    let audience = Arc::<Audience>::default();
    let fleet_settings = FleetSettings { resolver, overrides, stamps, parameters: of_vehicles, rates };
    let mut fleet = Fleet::new(node, fleet_settings, inputs, created, Arc::clone(&audience)).with_trackers(trackers);
    fleet.begin(&layout)?;
    unknown::warn(&parameters, &given.shared);

    let queue = Arc::new(Queue::new(QUEUE_CAPACITY, QUEUE_BYTES));
    let stop = Arc::new(AtomicBool::new(false));
    // Last, so that whoever answers it knows everything else.
    let is_commanded = parameters.flag(parameters::START_WHEN_COMMANDED);
    let starter = (is_commanded || start_when.is_some()).then(|| {
        let (context, outbox) = for_watch;
        let commanded = if is_commanded { commanded } else { Vec::new() };
        let timeout = Duration::from_secs_f64(parameters.number("lockstep_timeout"));
        StartWatch { context, vehicles: commanded, conditions: start_when, outbox, timeout, stop: Arc::clone(&stop) }
            .start()
    });
    let starter = starter.transpose()?;
    let publisher = {
        let queue = queue.clone();
        spawn("ros-publish", move || publishers.run(&queue))?
    };
    let spinner = {
        let (stop, parameters, latest) = (stop.clone(), parameters.clone(), latest.clone());
        spawn("ros-spin", move || {
            let other_users = OtherUsers::new(domain());
            let watches = Watches { duplicate_publishers, duplicate_transforms, shared_memory, other_users };
            spin::run(fleet, calls, &jobs, mux.map(|mux| (mux, latest)), watches, &parameters, &stop);
        })?
    };
    let threads = Threads {
        stop,
        progress,
        spinner: Some(spinner),
        publisher: Some(publisher),
        starter,
        guests: Guests::default(),
        tasks: Some(tasks),
    };
    let layout = Some((naming, layout));
    Ok(Bridge {
        health,
        queue,
        settings,
        layout,
        latest,
        audience,
        is_followed,
        parameters,
        preset,
        words,
        desk,
        interface,
        context: of_bridge.0,
        resolver: of_bridge.1,
        waits_at_start,
        threads,
    })
}

/// The outputs of the node beside vehicles, maps and the clock.
fn outputs(
    announcer: &mut Announcer<'_>,
    parameters: &Arc<Parameters>,
    health: &SharedHealth,
    layout: &TopicLayout,
    latest: &SharedLatest,
) -> Result<Vec<Box<dyn NodeOutput>>, RosError> {
    let health = HealthOutput::new(announcer, health.clone(), parameters.clone())?;
    let mut outputs: Vec<Box<dyn NodeOutput>> = vec![Box::new(health)];
    if layout.extras.markers {
        outputs.push(Box::new(markers::WorldMarkers::new(announcer, &layout.map_frame)?));
    }
    if layout.extras.bodies {
        outputs.push(Box::new(WorldBodies::new(announcer, &layout.map_frame, Arc::clone(latest))?));
    }
    Ok(outputs)
}

/// The topics that no other node should publish.
fn exclusive_topics(layout: &TopicLayout, resolver: &Resolver) -> Vec<ExclusiveTopic> {
    let clock = ExclusiveTopic {
        topic: CLOCK_TOPIC.to_owned(),
        accepted: "one clock",
        hint: "end the other simulation, give this one a ROS_DOMAIN_ID of its own, or set the parameter publish_clock to false",
    };
    let map = |[map, _]: &[String; 2]| ExclusiveTopic {
        topic: resolver.resolve(map),
        accepted: "one map",
        hint: "end the other, or set publish_map to false: readers use whichever map came last",
    };
    std::iter::once(clock).chain(layout.maps.iter().map(map)).collect()
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<std::thread::JoinHandle<()>, RosError> {
    std::thread::Builder::new().name(name.to_owned()).spawn(body).map_err(|error| error::thread(&error))
}
