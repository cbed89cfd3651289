//! Notes by which another thread tells the simulation what its readers want, and neither waits for the other.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use skidpad_sim::world::{Scene, Wanted};

use crate::guard::{lock, try_lock};

/// What another thread notes, with the number of its changes.
#[derive(Debug, Default)]
pub struct Note<T> {
    content: Mutex<T>,
    changes: AtomicU64,
}

impl<T> Note<T> {
    /// Changes it.
    pub fn change(&self, change: impl FnOnce(&mut T)) {
        change(&mut lock(&self.content));
        // After the content: whoever has read too early reads again.
        self.changes.fetch_add(1, Ordering::Release);
    }
}

/// The sensors that are wanted by a note, found again only when it or the scene has changed.
#[derive(Clone, Debug, Default)]
pub struct NotedSensors {
    wanted: Wanted,
    /// The number of changes and the revision of the scene that `wanted` is for.
    since: Option<(u64, u64)>,
}

impl NotedSensors {
    /// Adds to `wanted` the sensors of `scene` that `find` finds in the note. Does not block: those found before while another thread changes it.
    pub fn add_to<T>(
        &mut self,
        wanted: &mut Wanted,
        note: &Note<T>,
        scene: &Scene,
        find: impl FnOnce(&T, &mut Wanted),
    ) {
        let now = (note.changes.load(Ordering::Acquire), scene.revision);
        if self.since != Some(now)
            && let Some(content) = try_lock(&note.content)
        {
            self.wanted.clear();
            find(&content, &mut self.wanted);
            self.since = Some(now);
        }
        wanted.add_all(&self.wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensors_are_found_again_after_a_change_and_not_while_one_is_made() {
        let note = Note::<Vec<usize>>::default();
        let mut sensors = NotedSensors::default();
        let mut scene = Scene::default();
        let mut places_after = |scene: &Scene, searches: usize| {
            let (mut wanted, mut count) = (Wanted::default(), 0);
            sensors.add_to(&mut wanted, &note, scene, |places, wanted| {
                count += 1;
                places.iter().for_each(|place| wanted.add(*place));
            });
            assert_eq!(count, searches);
            (0..4).filter(|place| wanted.has(*place)).collect::<Vec<_>>()
        };
        let no_places = Vec::<usize>::new();
        assert_eq!(places_after(&scene, 1), no_places);
        note.change(|places| places.push(2));
        assert_eq!((places_after(&scene, 1), places_after(&scene, 0)), (vec![2], vec![2]));
        note.change(|places| {
            places.push(3);
            assert_eq!(places_after(&scene, 0), [2], "as before the change");
        });
        assert_eq!(places_after(&scene, 1), [2, 3]);
        scene.revision += 1;
        assert_eq!((places_after(&scene, 1), places_after(&scene, 0)), (vec![2, 3], vec![2, 3]));
    }
}
