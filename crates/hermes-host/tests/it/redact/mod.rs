//! Redaction: what must go, what must stay, and that once is enough.

mod escapes;
mod known;
mod pieces;
mod properties;
mod shapes;
mod speed;
mod values;
