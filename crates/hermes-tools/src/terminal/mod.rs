//! Commands and the processes they leave running.

mod shown;
mod terminal;
