mod apart;
mod at_once;
mod elsewhere;
mod execute_code;
mod repl;
