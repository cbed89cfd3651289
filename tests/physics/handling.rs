//! How cars corner: understeer gradient, ISO 4138 and ISO 7401, load transfer.
