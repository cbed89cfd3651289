//! The topics of an occupancy map, which is sent once, and again when it has changed.

use std::sync::Arc;

use skidpad_math::time::SimTime;
use skidpad_sim::raycast;

use super::{Announce, ErrorOf, MapMetaData, OccupancyGrid, Quality, TopicChannel, TopicWriter, fill};

/// The data of the message of a map [bytes].
pub fn map_data(map: &raycast::OccupancyGrid) -> u64 {
    map.cells.len() as u64
}

/// The topics of a map and of its metadata.
pub struct MapMessages<C> {
    /// Its frame.
    frame: String,
    grid: Option<TopicWriter<C, OccupancyGrid>>,
    metadata: Option<TopicWriter<C, MapMetaData>>,
    /// The map that was sent last.
    sent: Option<Arc<raycast::OccupancyGrid>>,
}

impl<C: TopicChannel> MapMessages<C> {
    /// Announces both topics of a map in `frame`.
    ///
    /// # Errors
    /// As [`Announce::channel`].
    pub fn new<A: Announce<Channel = C>>(
        on: &mut A,
        [grid, metadata]: &[String; 2],
        frame: &str,
    ) -> Result<MapMessages<C>, A::Error> {
        Ok(MapMessages {
            frame: frame.to_owned(),
            grid: on.announce(grid, Quality::Latched, OccupancyGrid::default())?,
            metadata: on.announce(metadata, Quality::Latched, MapMetaData::default())?,
            sent: None,
        })
    }

    /// Makes the next call send the map again.
    pub fn forget(&mut self) {
        self.sent = None;
    }

    /// Sends the map unless it was the last one sent.
    ///
    /// # Errors
    /// As [`TopicChannel::send`].
    pub fn send(
        &mut self,
        output: &mut C::Output,
        time: SimTime,
        map: &Arc<raycast::OccupancyGrid>,
    ) -> Result<(), ErrorOf<C>> {
        if self.sent.as_ref().is_some_and(|sent| Arc::ptr_eq(sent, map)) {
            return Ok(());
        }
        self.sent = Some(Arc::clone(map));
        if let Some(topic) = &mut self.grid {
            topic.message = fill::occupancy_grid(time, &self.frame, map);
            let sent = topic.send(output, time);
            // A map is too large to keep twice.
            topic.message = OccupancyGrid::default();
            sent?;
        }
        if let Some(topic) = &mut self.metadata {
            topic.message = fill::map_metadata(time, map);
            topic.send(output, time)?;
        }
        Ok(())
    }
}
