//! The data of viewers, from a running world or a recording: the scene once, then states and scans.
//!
//! ```text
//!  world::Scene ──▶ SceneView: shapes, names, looks, as JSON          once, and whenever things come or go
//!                  Parts: long lists of geometry                     as the viewer asks for them
//!  world::Frame ──▶ ViewState: numbers by channel ──▶ delta code      at the viewer's own rate
//!  Reading      ──▶ ViewScan: ranges, and from where ──▶ 16-bit or delta code  as they come
//!  message      ──▶ ViewCloud, ViewPicture ──▶ 16-bit code, JPEG      a few per second, on request
//! ```
//! docs/viewer-protocol.md describes the encoding for authors of viewers; web/src/protocol/ is the page's implementation.

pub mod build;
pub mod channels;
pub mod command;
pub mod delta;
pub mod editing;
pub mod files;
#[cfg(test)]
mod fixtures;
mod geometry;
mod map;
pub mod messages;
pub mod numbers;
pub mod parts;
pub mod points;
pub mod scene;
pub mod sensor_data;
pub mod state;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod typescript;
