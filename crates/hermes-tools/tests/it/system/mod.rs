mod env_manager;
mod sleep;
mod system_info;
