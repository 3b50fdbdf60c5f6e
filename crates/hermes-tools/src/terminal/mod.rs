//! Commands and the processes they leave running.

mod process;
mod shown;
mod terminal;
