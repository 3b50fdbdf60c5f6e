mod process;
mod terminal;
