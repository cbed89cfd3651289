//! Tyre laws with slip on whole vehicles: closed forms, standing on slopes, the friction limit.
