mod backends;
mod process;
mod terminal;
