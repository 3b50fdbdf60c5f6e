mod elsewhere;
mod execute_code;
mod repl;
