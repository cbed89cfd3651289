//! Worlds to start from: a floor, a vehicle, and in a comment what may come next.

/// The text of a world with a floor and these vehicles, as they are written, with their classes; `step` is the physics step as it is written [s],
/// empty: that of worlds without one.
pub fn world(vehicle: &str, step: &str) -> String {
    let step = match step {
        "" => String::new(),
        step => format!(
            "  <!-- The physics step [s]: the default of 0.005 is too large for this vehicle. -->
  <simul_timestep>{step}</simul_timestep>

"
        ),
    };
    format!(
        "<!-- Say here in a sentence what this world is for: `skidpad list worlds` shows it. -->
<mvsim_world version=\"1.0\">
{step}  <!-- The ground is flat and goes on for ever; this part of it is seen by cameras and by lidars in three dimensions. -->
  <element class=\"horizontal_plane\">
    <x_min>-25</x_min> <x_max>25</x_max> <y_min>-25</y_min> <y_max>25</y_max> <color>#b8b4aa</color>
  </element>

  <!-- init_pose: x [m], y [m], heading [deg]. -->
{vehicle}
{NEXT}
</mvsim_world>
"
    )
}

/// A class of robots that needs no file, and one of them.
pub const ROBOT: &str = "  <vehicle:class name=\"robot\">
    <dynamics class=\"differential\">
      <controller class=\"twist_pid\"/>
    </dynamics>
  </vehicle:class>
  <vehicle name=\"robot\" class=\"robot\">
    <init_pose>0 0 0</init_pose>
  </vehicle>";

/// What may be added, in a comment; none of which has two hyphens in a row: they would end the comment.
pub const NEXT: &str = "
  <!-- What may come next, each of it ready to be moved out of this comment. docs/world-format.md has all tags, and `skidpad check` tells
       what is wrong.

  A box that can be pushed:
    <block name=\"box\"> <geometry type=\"box\" lx=\"0.5\" ly=\"0.5\" lz=\"0.5\"/> <init_pose>3 0 0</init_pose> </block>

  Walls around the origin, from each point to the next:
    <walls> <shape> <pt>-8 -8</pt> <pt>8 -8</pt> <pt>8 -8</pt> <pt>8 8</pt> <pt>8 8</pt> <pt>-8 8</pt> <pt>-8 8</pt> <pt>-8 -8</pt> </shape> </walls>

  A lidar, inside of <vehicle>:
    <sensor class=\"laser\" name=\"scan\"> <pose>0 0 0</pose> <nrays>181</nrays> </sensor>
  -->";
