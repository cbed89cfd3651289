//! Several models as one, without building their trees again.

use std::sync::Arc;

use super::tree::Tree;
use super::{Model, OnPicture, Surface};

/// A model and its surfaces.
pub type Part = (Arc<Model>, Arc<[Surface]>);

/// Parts in one frame as one, with the triangles and surfaces of one after those of the other; the surface of each of their triangles is
/// given. Their trees are not built again.
pub fn join(parts: &[Part]) -> Part {
    if let [only] = parts {
        return only.clone();
    }
    let (mut all, mut surfaces, mut trees) = (Model::default(), Vec::new(), Vec::with_capacity(parts.len()));
    for (model, of_part) in parts {
        let first = all.surfaces.len();
        trees.push((&*model.tree, first as u32));
        all.surfaces.extend(model.surfaces.iter().map(|surface| surface + surfaces.len() as u32));
        if !model.on_picture.is_empty() {
            all.on_picture.resize(first, OnPicture::default());
            all.on_picture.extend(&model.on_picture);
        }
        if !model.colors.is_empty() {
            all.colors.resize(first, [[0; 3]; 3]);
            all.colors.extend(&model.colors);
        }
        surfaces.extend(of_part.iter().cloned());
    }
    all.tree = Arc::new(Tree::join(&trees));
    (Arc::new(all), surfaces.into())
}
