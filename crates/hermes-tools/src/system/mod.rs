//! Time, environment variables and facts about the machine.

mod env;
mod env_manager;
mod sleep;
mod system_info;
