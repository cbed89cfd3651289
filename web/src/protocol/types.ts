// Made from src/view/ by `SKIDPAD_UPDATE=1 cargo test -p skidpad-view typescript`.

export type SceneView = { 
/**
 * Display name of the world.
 */
name: string, 
/**
 * Counts up whenever vehicles or blocks come or go; states carry the revision of their scene.
 */
revision: number, 
/**
 * Physics step [s].
 */
step: number, 
/**
 * Vehicles.
 */
vehicles: Array<VehicleView>, 
/**
 * Blocks.
 */
blocks: Array<BodyView>, 
/**
 * Horizontal planes, which may move.
 */
planes: Array<BodyView>, 
/**
 * Actors.
 */
actors: Array<BodyView>, 
/**
 * What never moves: walls, height maps, regions, markers; in the world frame.
 */
fixed: Array<DrawingView>, 
/**
 * Occupancy maps.
 */
maps: Array<MapView>, 
/**
 * Clouds of points.
 */
clouds: Array<CloudView>, 
/**
 * Joints.
 */
joints: Array<JointView>, 
/**
 * Lines on the ground.
 */
grids: Array<GridView>, 
/**
 * Paths of the pictures around the world, front back down up left right; empty: none.
 */
skybox: Array<string>, 
/**
 * Window settings of the world file.
 */
gui: GuiView, 
/**
 * Light settings of the world file.
 */
lights: LightsView, 
/**
 * Texts of geometry that several shapes have: in their place there `#` and the index in this list. Empty but in messages to the page.
 */
shared?: Array<string>, 
/**
 * What is known of lists that are apart from the document, by name: in their places there is `@` with the name. Empty but in
 * [streamed](super::parts::streamed) documents.
 */
parts?: Record<string, PartView>, };
export type PartView = { 
/**
 * Length [bytes].
 */
length: number, 
/**
 * Least x y z and greatest x y z [m], in the frame of its shape or cloud; missing: its numbers are not places.
 */
bounds?: [number, number, number, number, number, number], };
export type VehicleView = { 
/**
 * Its id, which is stable when others come and go.
 */
id: number, 
/**
 * Name.
 */
name: string, 
/**
 * Class in the world file; may be empty.
 */
class: string, 
/**
 * Whether viewers can move it.
 */
is_movable: boolean, 
/**
 * Outline of the chassis [m], in its frame, not closed.
 */
outline: Array<[number, number]>, 
/**
 * Lower and upper end of the chassis [m].
 */
z: [number, number], 
/**
 * Colour of the chassis.
 */
color: [number, number, number, number], 
/**
 * Visuals of its chassis, in its frame.
 */
drawings: Array<DrawingView>, 
/**
 * Names of mesh files of its chassis that are not on this machine; if none is, `drawings` has its outline instead.
 */
missing: Array<string>, 
/**
 * Whether its meshes have no housings where lidars and cameras sit, so that viewers add them.
 */
show_housings?: boolean, 
/**
 * Wheels in index order.
 */
wheels: Array<WheelView>, 
/**
 * Sensors.
 */
sensors: Array<SensorView>, 
/**
 * Names of its coordinate frames in ROS.
 */
frames: FramesView, 
/**
 * The commands that it accepts, of `twist`, `ackermann`, `pedals`, `wheels`.
 */
accepts: Array<string>, 
/**
 * Whether velocities to its left move it.
 */
moves_sideways: boolean, 
/**
 * Largest steering angle [rad], when it steers.
 */
max_steer: number | null, 
/**
 * Distance of the axles [m], when it steers.
 */
wheelbase: number | null, 
/**
 * Total mass [kg]; 0: not known.
 */
mass: number, 
/**
 * Scale of drawn forces that suits its size and weight [m/N]; for worlds without one.
 */
force_scale: number, 
/**
 * The reference path that its driver follows, points [m]; empty: none, or not known beforehand.
 */
reference_path: Array<[number, number]>, 
/**
 * The right and the left border of the track around that path, points [m]; missing: no widths are known.
 */
track_borders?: [Array<[number, number]>, Array<[number, number]>], 
/**
 * Channels of it and of its wheels that a recording does not tell: they are absent, and not 0.
 */
not_recorded?: Array<string>, 
/**
 * The recording that it is a ghost of: it was elsewhere, and nothing meets it. Missing: it is none.
 */
ghost?: GhostView, };
export type GhostView = { 
/**
 * Name of the file.
 */
file: string, 
/**
 * Name of the vehicle in it.
 */
vehicle: string, 
/**
 * Beginning and end of its recording [s], in the time of the first one; before and after it stands.
 */
span: [number, number], 
/**
 * Beginning and end of the first recording [s].
 */
other_span: [number, number], };
export type WheelView = { 
/**
 * Short name, such as `rl_wheel`.
 */
name: string, 
/**
 * Centre [m] in the vehicle's frame, without steering.
 */
position: [number, number], 
/**
 * Angle [rad] from the vehicle's x axis to the rolling direction, without steering.
 */
heading?: number, 
/**
 * The point [m] that the wheel, and what is linked to it, turns about when it steers; none: its own place.
 */
pivot: [number, number] | null, 
/**
 * Radius [m].
 */
radius: number, 
/**
 * Width [m].
 */
width: number, 
/**
 * Colour.
 */
color: [number, number, number, number], 
/**
 * Visuals in the wheel's frame, x forward, y along the axle to the left; empty: a cylinder.
 */
drawings: Array<DrawingView>, 
/**
 * Names of its mesh files that are not on this machine.
 */
missing: Array<string>, 
/**
 * Name of a drawing of the vehicle that turns with the wheel's steering, and the angle [rad] added.
 */
linked_yaw: [string, number] | null, };
export type FramesView = { 
/**
 * Of the map.
 */
map: string, 
/**
 * In which odometry gives the pose of the vehicle; none: its transforms do not have it.
 */
odometry: string | null, 
/**
 * Of the vehicle's body.
 */
base: string, };
export type SensorView = { 
/**
 * Name.
 */
name: string, 
/**
 * Class in world files; empty: not known.
 */
class: string, 
/**
 * Topics of the sensor.
 */
topics: Array<SensorTopicView>, 
/**
 * Its coordinate frame in ROS; empty: called as the sensor.
 */
frame: string, 
/**
 * Pose in the vehicle's frame.
 */
pose: [number, number, number, number, number, number], 
/**
 * Angle of the first beam [rad].
 */
angle_min: number, 
/**
 * Angle between neighbouring beams [rad].
 */
angle_increment: number, 
/**
 * Number of beams; 0 for a sensor that takes no scans.
 */
count: number, 
/**
 * Largest range [m].
 */
range_max: number, };
export type SensorTopicView = { 
/**
 * Its name as ROS has it, in full or below the node's namespace; empty: that of the sensor with `suffix`.
 */
name: string, 
/**
 * What skidpad's own name has after that of the sensor.
 */
suffix: string, 
/**
 * Type of its messages.
 */
message: string, };
export type BodyView = { 
/**
 * Id of a block; 0 for planes and actors, which cannot be moved.
 */
id: number, 
/**
 * Name.
 */
name: string, 
/**
 * Pose at the start.
 */
pose: [number, number, number, number, number, number], 
/**
 * Outline [m] in its frame, not closed; may be empty.
 */
outline: Array<[number, number]>, 
/**
 * Lower and upper end [m].
 */
z: [number, number], 
/**
 * Whether viewers can move it.
 */
is_movable: boolean, 
/**
 * Its visuals, in its frame.
 */
drawings: Array<DrawingView>, 
/**
 * Names of its mesh files that are not on this machine; if none is, `drawings` has its outline instead.
 */
missing: Array<string>, };
export type DrawingView = { 
/**
 * What it shows: `body`, `wall`, `elevation`, `region`, `marker`.
 */
kind: string, 
/**
 * Name by which a wheel's `linked_yaw` finds it; may be empty.
 */
name: string, 
/**
 * The shape.
 */
shape: ShapeView, 
/**
 * Pose of the shape in the frame of its body.
 */
pose: [number, number, number, number, number, number], 
/**
 * Its colour; none: those of the file.
 */
color: [number, number, number, number] | null, 
/**
 * The picture on it.
 */
texture: TextureView | null, 
/**
 * Whether light and shadow fall on it.
 */
is_lit: boolean, 
/**
 * Which faces are not drawn: `none`, `front`, `back`.
 */
cull: string, 
/**
 * Whether its bounding box is drawn too.
 */
show_bounding_box: boolean, };
export type ShapeView = { "is": "triangles", 
/**
 * x y z [m] of three corners each.
 */
corners: string, 
/**
 * Red green blue of each corner, one byte each, in base64; empty: that of the drawing.
 */
colors: string, 
/**
 * Texture coordinates u v of each corner, if there is a picture: 0 0 is its lower left corner, 1 1 its upper right, and
 * beyond that it is repeated.
 */
on_picture: string, } | { "is": "line", 
/**
 * x y z [m] of its points, in order.
 */
points: string, } | { "is": "mesh", 
/**
 * Its address, relative to the page's.
 */
path: string, 
/**
 * `dae`, `stl`, `obj`, `gltf` or `glb`.
 */
format: string, 
/**
 * Size of its content [-].
 */
scale: number, 
/**
 * Of an actor: the names of its clips, to stand, walk and run.
 */
clips: Array<string>, 
/**
 * Of a wheel of an actor: its radius [m]. It turns about the y axis of the actor through its origin, by the actor's `distance`; `null`:
 * it is none.
 */
wheel_radius: number | null, };
export type TextureView = { 
/**
 * Its address, relative to the page's.
 */
path: string, };
export type MapView = { 
/**
 * Where the page gets it as PNG, below its own address: grey, row 0 on top being that of the largest y; white free, black occupied,
 * transparent unknown.
 */
path: string, 
/**
 * Cells along x and y.
 */
cells: [number, number], 
/**
 * Side of a cell [m].
 */
resolution: number, 
/**
 * Pose of the corner of smallest x and y: x, y [m], yaw [rad].
 */
pose: [number, number, number], };
export type CloudView = { 
/**
 * Name.
 */
name: string, 
/**
 * Pose of the points' frame in the world.
 */
pose: [number, number, number, number, number, number], 
/**
 * x y z [m] of each, f32, little-endian, in base64.
 */
points: string, 
/**
 * Size of a point [pixels].
 */
point_size: number, };
export type JointView = { 
/**
 * Name.
 */
name: string, 
/**
 * `pin`, `rope`, `spring` or the like.
 */
law: string, 
/**
 * The bodies that it connects.
 */
ends: [JointEndView, JointEndView], };
export type JointEndView = { 
/**
 * Index of the vehicle, or none.
 */
vehicle: number | null, 
/**
 * Index of the block, or none.
 */
block: number | null, 
/**
 * Its attachment point [m], in the body's frame.
 */
anchor: [number, number], };
export type GridView = { 
/**
 * Index of the vehicle that it moves with, in whole intervals; none: it is fixed.
 */
follows: number | null, 
/**
 * Colour.
 */
color: [number, number, number, number], 
/**
 * Width of the lines [pixels].
 */
line_width: number, 
/**
 * Extent along x [m], in the world or from the vehicle.
 */
x: [number, number], 
/**
 * Extent along y [m].
 */
y: [number, number], 
/**
 * Distance of the lines [m].
 */
interval: number, };
export type GuiView = { 
/**
 * Orthographic instead of perspective.
 */
is_orthographic: boolean, 
/**
 * Whether the forces on wheels are drawn.
 */
show_forces: boolean, 
/**
 * Length of a force as drawn [m/N].
 */
force_scale: number, 
/**
 * Whether sensor readings are drawn.
 */
show_sensor_points: boolean, 
/**
 * Vertical field of view [rad].
 */
field_of_view: number, 
/**
 * Nearest and farthest distance drawn [m].
 */
clip: [number, number], 
/**
 * Distance of the camera from its target [m].
 */
camera_distance: number, 
/**
 * Direction from the target to the camera [rad], counter-clockwise from the world's x axis.
 */
camera_azimuth: number, 
/**
 * Its elevation above the ground plane [rad].
 */
camera_elevation: number, 
/**
 * The target of the camera [m].
 */
camera_target: [number, number, number], 
/**
 * Name of the vehicle that the camera follows; empty: none.
 */
follow_vehicle: string, 
/**
 * Highest drawing rate [Hz].
 */
refresh_rate: number, 
/**
 * Whether the world file sets the camera; otherwise viewers show everything.
 */
has_camera: boolean, };
export type LightsView = { 
/**
 * Whether there are shadows.
 */
enable_shadows: boolean, 
/**
 * Side of the shadow map [pixels].
 */
shadow_map_size: number, 
/**
 * Unit vector along which the light travels.
 */
direction: [number, number, number], 
/**
 * Colour.
 */
color: [number, number, number, number], 
/**
 * Share of ambient light [-], 0 to 1.
 */
ambient: number, 
/**
 * Colours of the sky at the zenith and at the horizon, and of the ground around the world; missing: the world file gives none.
 */
sky?: [[number, number, number, number], [number, number, number, number], [number, number, number, number]], };
export type Channel = { 
/**
 * Name, by which viewers find it.
 */
name: string, 
/**
 * SI unit, `-` for none.
 */
unit: string, 
/**
 * Value of one count.
 */
resolution: number, };
export type Layout = { 
/**
 * Of each vehicle.
 */
vehicle: Array<Channel>, 
/**
 * Of each wheel, after its vehicle.
 */
wheel: Array<Channel>, 
/**
 * Of each block, after all vehicles, and then of each plane.
 */
pose: Array<Channel>, 
/**
 * Of each actor, at the end.
 */
actor: Array<Channel>, 
/**
 * Names of the channels of vehicles and wheels that every viewer gets of every vehicle.
 */
seen: Array<string>, };
export type Greeting = { 
/**
 * Version of skidpad.
 */
version: string, 
/**
 * [`MINOR`]; missing: 0.
 */
minor: number, 
/**
 * Whether a simulation or a recording is shown.
 */
mode: Mode, 
/**
 * Whether orders are refused.
 */
read_only: boolean, 
/**
 * Whether the world file can be edited; missing: no.
 */
can_edit: boolean, 
/**
 * The channels of states.
 */
layout: Layout, 
/**
 * Unique per run: lets a page that reconnects detect another server.
 */
run: string, 
/**
 * What the load of the world, or of the recording, warned of.
 */
warnings: Array<string>, 
/**
 * The recording that is shown, or that is being made; missing: there is none.
 */
recording?: RecordingView, };
export type RecordingView = { 
/**
 * Name of its file, without folders.
 */
file: string, 
/**
 * World file.
 */
world: string, 
/**
 * Seed of all noise, as text: it has more digits than numbers of scripts.
 */
seed: string, 
/**
 * The program that made it: version and commit.
 */
program: string, 
/**
 * All that is known, in lines of a name and a text.
 */
details: Array<[string, string]>, };
export type Mode = "live" | "replay";
export type Status = { 
/**
 * Whether simulated time is paused.
 */
paused: boolean, 
/**
 * Requested speed of time [simulated seconds per second]; none: as fast as possible.
 */
rate: number | null, 
/**
 * Simulated seconds per second over the last second.
 */
real_time_factor: number, 
/**
 * Simulated time [s].
 */
time: number, 
/**
 * Number of viewers.
 */
viewers: number, 
/**
 * Number of resets after some steps in this run; drivers release their vehicles at a reset.
 */
resets: number, 
/**
 * Time span of a recording [s].
 */
span: Span | null, 
/**
 * Whether the simulation has ended, or the recording is at its end.
 */
ended: boolean, };
export type Span = { 
/**
 * Beginning [s].
 */
start: number, 
/**
 * End [s].
 */
end: number, };
export type Envelope = { 
/**
 * Repeated in the answer.
 */
id: number, 
/**
 * The order.
 */
order: Order, };
export type Order = { "do": "watch", 
/**
 * States per second of wall time, 0.01 to 60; 0: none.
 */
rate: number, 
/**
 * Of which vehicles to send scans.
 */
points: OfVehicles, 
/**
 * Send every `stride`-th beam only, at least 1.
 */
stride: number, 
/**
 * Whether to send the clouds of the same vehicles, too.
 */
clouds: boolean, 
/**
 * Topics whose pictures to send, at most [`MAX_PICTURES`].
 */
pictures: Array<WatchedTopic>, 
/**
 * Id of the vehicle whose poses, ranges, fixes and contacts to send, too; none: of no vehicle.
 */
readings?: number, 
/**
 * Of which vehicles to send all numbers and exact scans. Of the others come the numbers that pictures show
 * ([`Layout::seen`](crate::channels::Layout::seen)), and compact scans.
 */
numbers?: OfVehicles, } | { "do": "pause", } | { "do": "resume", } | { "do": "step", 
/**
 * How many.
 */
count: number, } | { "do": "reset", } | { "do": "set_rate", 
/**
 * Simulated seconds per second, 0.001 or more; none: as fast as possible.
 */
rate: number | null, } | { "do": "drive", 
/**
 * Id of the vehicle.
 */
vehicle: number, 
/**
 * Speed [m/s], negative: backwards.
 */
speed: number, 
/**
 * Steering angle [rad] of a steered vehicle, positive to the left; yaw rate [rad/s] of others.
 */
turn: number, 
/**
 * Speed to the left [m/s], of vehicles that move sideways.
 */
sideways: number, } | { "do": "pedals", 
/**
 * Id of the vehicle.
 */
vehicle: number, 
/**
 * Throttle, 0 to 1.
 */
throttle: number, 
/**
 * Brake, 0 to 1.
 */
brake: number, 
/**
 * Whether reverse is selected.
 */
reverse: boolean, 
/**
 * Steering angle [rad], positive to the left.
 */
steering_angle: number, } | { "do": "place", 
/**
 * Id of the vehicle or block.
 */
entity: number, 
/**
 * x [m]; its height follows from the ground.
 */
x: number, 
/**
 * y [m].
 */
y: number, 
/**
 * Selects, of several floors, the one at or below this height [m]; none: the current one.
 */
z: number | null, 
/**
 * Heading [rad].
 */
yaw: number, 
/**
 * Velocity in its frame: vx, vy [m/s], yaw rate [rad/s]; none: at rest.
 */
velocity?: [number, number, number], } | { "do": "seek", 
/**
 * Time [s].
 */
time: number, } | { "do": "command", 
/**
 * Id of the vehicle.
 */
vehicle: number, 
/**
 * The command.
 */
command: CommandView, } | { "do": "spawn", 
/**
 * A class of the world, or XML with a `<vehicle>` or a `<block>`, or one class of either.
 */
what: string, 
/**
 * Its name; empty: a free one made from the class, or the one in the XML.
 */
name: string, 
/**
 * x [m].
 */
x: number, 
/**
 * y [m].
 */
y: number, 
/**
 * Selects, of several floors, the highest that is not above half of the body, counted from this height [m]; none: from 0, and the
 * lowest plane where all are higher.
 */
z: number | null, 
/**
 * Heading [rad].
 */
yaw: number, } | { "do": "remove", 
/**
 * Id of the vehicle or block.
 */
entity: number, } | { "do": "parameters", 
/**
 * Id of the vehicle.
 */
vehicle: number, } | { "do": "set_parameter", 
/**
 * Id of the vehicle.
 */
vehicle: number, 
/**
 * Name of the parameter.
 */
name: string, 
/**
 * New value of the parameter, in its unit.
 */
value: number, } | { "do": "shutdown", } | { "do": "edit", 
/**
 * The edit.
 */
edit: EditView, 
/**
 * Whether it may overwrite expressions and variables.
 */
overwrite: boolean, } | { "do": "undo", } | { "do": "redo", } | { "do": "document", } | { "do": "describe", 
/**
 * Id of the body.
 */
entity: number, } | { "do": "save", 
/**
 * Name of a new file in the folder for edited worlds; none: the file of the document.
 */
file: string | null, } | { "do": "new", 
/**
 * Name of the new file in the folder for edited worlds.
 */
file: string, 
/**
 * Whether edits that are not saved may be lost.
 */
discard: boolean, };
export type WatchedTopic = { 
/**
 * Id of the vehicle.
 */
vehicle: number, 
/**
 * Index of the sensor on it.
 */
sensor: number, 
/**
 * Index of the topic in the sensor's list.
 */
topic: number, };
export type OfVehicles = "none" | "all" | { "vehicle": number };
export type ReadingView = { 
/**
 * The numbers, in the order in which they are shown.
 */
values: Array<ValueView>, 
/**
 * The pose in the world that it measured; missing: it measures none.
 */
pose?: [number, number, number, number, number, number], };
export type ValueView = { 
/**
 * What it is.
 */
name: string, 
/**
 * Its unit; empty: it has none.
 */
unit: string, 
/**
 * The number; none: out of range, or not known.
 */
value: number | null, 
/**
 * Decimals that mean something.
 */
digits: number, };
export type Answer = { 
/**
 * Id of the envelope; 0 over REST.
 */
id: number, 
/**
 * Why it failed; none on success.
 */
error: string | null, 
/**
 * Simulated time at which it was carried out [s].
 */
time: number | null, 
/**
 * Name of what was spawned.
 */
name?: string, 
/**
 * The parameters that were asked for.
 */
parameters?: Array<ParameterView>, 
/**
 * The edited document.
 */
document?: DocumentView, 
/**
 * The body that was asked for.
 */
description?: DescriptionView, 
/**
 * What else was done, in sentences.
 */
note?: string, };
export type ParameterView = { 
/**
 * Name.
 */
name: string, 
/**
 * Description, with the unit.
 */
help: string, 
/**
 * Smallest and largest value.
 */
range: [number, number], 
/**
 * Current value.
 */
value: number, };
export type Notice = { 
/**
 * `info`, `warning` or `error`.
 */
level: string, 
/**
 * The text.
 */
text: string, 
/**
 * Simulated time of a warning of the run [s]; none: it is of this moment.
 */
time: number | null, 
/**
 * Counts the warnings of the run, from 1: a viewer that connects again gets the last ones again. 0: not such a warning.
 */
number: number, };
export type EditView = { "edit": "add", 
/**
 * What.
 */
offer: OfferView, 
/**
 * x [m].
 */
x: number, 
/**
 * y [m].
 */
y: number, 
/**
 * Heading [rad].
 */
yaw: number, } | { "edit": "place", 
/**
 * Id of the vehicle, block or wall.
 */
entity: number, 
/**
 * x [m].
 */
x: number, 
/**
 * y [m].
 */
y: number, 
/**
 * Heading [rad].
 */
yaw: number, } | { "edit": "resize", 
/**
 * Id of the block.
 */
entity: number, 
/**
 * Extents along its axes, and its height [m].
 */
size: [number, number, number], } | { "edit": "set", 
/**
 * Id of the body.
 */
entity: number, 
/**
 * Key of the value.
 */
key: string, 
/**
 * The value, as it is written in the file.
 */
value: string, } | { "edit": "remove", 
/**
 * Id of the vehicle, block or wall.
 */
entity: number, } | { "edit": "add_walls", 
/**
 * x y [m] of each point.
 */
points: Array<[number, number]>, 
/**
 * Thickness [m].
 */
thickness: number, 
/**
 * Height [m].
 */
height: number, 
/**
 * Colour, `#RRGGBB` or `#RRGGBBAA`; none: that of other walls like these, or the default.
 */
color?: string, };
export type OfferView = { 
/**
 * `class`: of the world; `file`: a class from a file, which the world includes then; `shape`: a plain block.
 */
source: OfferSource, 
/**
 * Name of the class or the shape.
 */
name: string, 
/**
 * Path of the file, relative to the folder of the world; otherwise empty.
 */
path: string, 
/**
 * Whether it is a vehicle; otherwise it is a block.
 */
is_vehicle: boolean, };
export type OfferSource = "class" | "file" | "shape";
export type DocumentView = { 
/**
 * Name of the file that saving writes; none: it is outside of the folder, and only new files can be written.
 */
file: string | null, 
/**
 * The folder in which files are written.
 */
folder: string, 
/**
 * Whether there are edits that are not saved.
 */
is_changed: boolean, 
/**
 * Number of edits that can be taken back.
 */
undo: number, 
/**
 * Number of edits that can be repeated.
 */
redo: number, 
/**
 * What can be added; only in the answer to `document`.
 */
offers: Array<OfferView> | null, };
export type DescriptionView = { 
/**
 * Name of the body.
 */
name: string, 
/**
 * Where it is written: `file:line:column`.
 */
place: string, 
/**
 * Its start pose: x, y [m], yaw [rad].
 */
pose: [number, number, number], 
/**
 * The expression that its pose is written as, if it is one: an edit of the pose overwrites it only on confirmation.
 */
pose_expression: string | null, 
/**
 * Its extents along its axes, and its height [m]; none: they cannot be edited.
 */
size: [number, number, number] | null, 
/**
 * Properties that can be edited, with their values.
 */
properties: Array<PropertyView>, };
export type PropertyView = { 
/**
 * Identifies it.
 */
key: string, 
/**
 * Its path of tags, with `@` before an attribute.
 */
label: string, 
/**
 * Whose it is, if other bodies have it in common; empty: the body's own.
 */
owner: string, 
/**
 * The value as it is written, or its default.
 */
value: string, 
/**
 * `numbers`, `color`, `switch`, or `expression`, which cannot be edited.
 */
kind: string, 
/**
 * Whether the file says it; false: the value is the default.
 */
is_written: boolean, };
export type CommandView = { "kind": "twist", 
/**
 * Ahead [m/s].
 */
vx: number, 
/**
 * To the left [m/s].
 */
vy: number, 
/**
 * Yaw rate [rad/s].
 */
yaw_rate: number, } | { "kind": "steering_rate", 
/**
 * Speed [m/s], negative: backwards.
 */
speed: number, 
/**
 * Rate of the steering angle [rad/s] until the lock, positive to the left.
 */
steering_rate: number, } | { "kind": "ackermann", 
/**
 * Speed [m/s], negative: backwards.
 */
speed: number, 
/**
 * Steering angle [rad], positive to the left.
 */
steering_angle: number, 
/**
 * Largest change of the speed [m/s²]; none or 0: as fast as possible.
 */
acceleration?: number, 
/**
 * Largest change of the steering angle [rad/s]; none or 0: as fast as possible.
 */
steering_rate?: number, } | { "kind": "wheel_speeds", 
/**
 * Spin of the left wheels [rad/s], forward positive.
 */
left: number, 
/**
 * Spin of the right wheels [rad/s], forward positive.
 */
right: number, } | { "kind": "pedals", 
/**
 * Throttle, 0 to 1.
 */
throttle: number, 
/**
 * Brake, 0 to 1.
 */
brake: number, 
/**
 * Gear lever.
 */
gear: GearView, 
/**
 * Steering angle [rad], positive to the left.
 */
steering_angle: number, } | { "kind": "wheels", 
/**
 * Spins [rad/s], forward positive: rear left, rear right, front left, front right.
 */
spin?: [number | null, number | null, number | null, number | null], 
/**
 * Angles of the front wheels [rad], positive to the left: left, right.
 */
hinge?: [number | null, number | null], 
/**
 * Torques of motors [N·m] in place of spins, forward positive, as `spin`.
 */
torque?: [number | null, number | null, number | null, number | null], };
export type GearView = "drive" | "neutral" | "reverse";
