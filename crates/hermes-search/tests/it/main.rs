mod cases;
mod encoder;
mod index;
mod session;
mod support;
