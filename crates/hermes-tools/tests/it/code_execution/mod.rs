mod execute_code;
mod repl;
