//! What skidpad says to ROS, without ROS: message types in CDR, the topics, frames and parameters of each preset, the numbers of
//! vehicles for viewers and recordings, and descriptions of robots. The ROS node, recordings and viewers all take them from here.

pub mod interface;
mod mesh_address;
pub mod message;
pub mod preset;
pub mod urdf;
