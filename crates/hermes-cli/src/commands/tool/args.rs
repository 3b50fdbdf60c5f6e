//! The words of `hermes tool`.

use std::path::PathBuf;

use clap::Subcommand;

#[derive(Subcommand, Debug)]
pub(crate) enum ToolCommand {
    /// Add the tools of a YAML file, and agree to where it sends which secrets
    Register {
        /// The file, such as ./tools/custom_tools.yaml
        #[arg(long, value_name = "FILE")]
        config: PathBuf,
        /// Let tools that say `override: true` stand in for tools of the same name
        #[arg(long = "override")]
        overriding: bool,
    },
    /// Check a YAML file of tools without registering it
    Validate {
        /// The YAML file of the tool
        file: PathBuf,
    },
    /// Call a tool of a file, registered or not
    Test {
        /// The tool, by its name
        name: String,
        /// The arguments as a JSON object
        #[arg(long, value_name = "JSON", default_value = "{}")]
        args: String,
        /// The file the tool stands in, if it is not registered
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
    },
    /// List registered files and their tools
    List,
    /// Take a file's tools away, by the file or by one of its tools
    #[command(alias = "unregister")]
    Remove {
        /// The YAML file, or the name of a tool in it
        file_or_tool: String,
    },
    /// Print the JSON Schema of YAML tool files, for editors
    Schema,
}
