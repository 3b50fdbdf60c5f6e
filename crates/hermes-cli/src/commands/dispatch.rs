//! From the parsed command line to the command.

use std::future::Future;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::time::Duration;

use clap::CommandFactory;
use hermes_runtime::config::ProjectTrust;

use super::policy::PolicyCommand;
use super::{
    ExplainCommand, approvals, backends, config, docs, doctor, explain, grants, hooks, journal, mcp, plugins,
    policy, ps, run as run_command, sandbox, setup, tool, tools, toolsets, undo,
};
use crate::app::{App, ProjectPolicy, Surroundings, project_policy};
use crate::cli::{Cli, Command, SandboxCommand, ToolsCommand};
use crate::failure::{Failure, exit};
use crate::log;
use crate::render::{Style, print_text, warn};

/// Runs the command and returns its exit code.
pub(crate) fn run(cli: Cli) -> Result<u8, Failure> {
    match cli.command {
        // These work even where the configuration is broken or there is no home folder.
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "hermes", &mut script);
            print_text(&String::from_utf8_lossy(&script))?;
            return Ok(exit::OK);
        }
        Command::Man { command } => return manual_page(&command),
        Command::Config(command) => return config::run(command, &cli.global),
        // These play where their flags say, and that folder need not exist.
        Command::Explain(ExplainCommand::Command(args)) => {
            return one_thread(explain::command::run(args, &cli.global));
        }
        Command::Explain(ExplainCommand::Path(args)) => return explain::path::run(args, cli.global.json),
        Command::Explain(ExplainCommand::Url(args)) => return explain::url::run(args, cli.global.json),
        _ => {}
    }
    let (surroundings, broken) = match Surroundings::discover(&cli.global) {
        Err(failure) if needs_no_configuration(&cli.command) => {
            (Surroundings::unconfigured(&cli.global)?, Some(failure))
        }
        found => (found?, None),
    };
    let (json, color) = (cli.global.json, cli.global.color);
    log::start(&surroundings.host.env, Style::for_stderr(color))?;
    let style = Style::for_stdout(color);
    let ignored = |path: &Path, how: &str| {
        let text = format!("{} is ignored until you agree to it with '{how}'", path.display());
        warn(Style::for_stderr(color), "note:", &text);
    };
    if let ProjectTrust::Untrusted { .. } = surroundings.project.trust {
        ignored(&surroundings.project.path, "hermes config trust");
    }
    // A file that cannot be read is reported where the policy is.
    if let Ok(ProjectPolicy { path, trust: ProjectTrust::Untrusted { .. }, .. }) =
        project_policy(&surroundings)
        && !matches!(cli.command, Command::Policy(PolicyCommand::Trust { .. }))
    {
        ignored(&path, "hermes policy trust");
    }
    if let (Some(failure), false) = (&broken, matches!(cli.command, Command::Doctor)) {
        let text = format!("{}\nWhat follows is by the defaults.", failure.message);
        warn(Style::for_stderr(color), "warning:", &text);
    }
    match cli.command {
        Command::Run(args) => many_threads(run_command::run(args, surroundings, json, style)),
        Command::Tools(ToolsCommand::Call { name, arguments, session }) => {
            many_threads(tools::call(name, arguments, session, surroundings, json, style))
        }
        Command::Tools(command) => {
            one_look(async { tools::run(command, &*looking(surroundings, color).await?, json, style).await })
        }
        Command::Tool(command) => many_threads(tool::run(command, surroundings, json, style)),
        Command::Plugins(command) => many_threads(plugins::run(command, surroundings, json, style)),
        Command::Toolsets(args) => {
            one_thread(async { toolsets::run(&args, &App::for_looking(surroundings).await?, json, style) })
        }
        Command::Explain(command) => one_thread(async {
            let app = match command.is_of_a_session() {
                true => App::for_running(surroundings, true).await?,
                false => App::for_explaining(surroundings).await?,
            };
            explain::run(command, &app, json).await
        }),
        Command::Journal(command) => one_thread(journal::run(command, &surroundings, json, style)),
        Command::Undo(args) => undo::run(args, &surroundings, json, style),
        Command::Policy(command) => one_thread(policy::run(command, surroundings, json, style)),
        Command::Approvals(command) => approvals::run(command, &surroundings, json, style),
        Command::Grants(command) => one_thread(grants::run(command, surroundings, json, style)),
        Command::Hooks(command) => one_thread(hooks::run(command, &surroundings, json, style)),
        Command::Ps(args) => one_thread(ps::run(&args, &surroundings, json, style)),
        Command::Backends(command) => one_thread(backends::run(command, &surroundings, json, style)),
        Command::Sandbox(SandboxCommand::Test) => one_thread(sandbox::test(&surroundings, json, style)),
        Command::Setup(args) => {
            one_thread(async { setup::run(&args, &App::for_looking(surroundings).await?, json, style).await })
        }
        Command::Mcp(command) => many_threads(mcp::run(command, surroundings, &cli.global, style)),
        Command::Doctor => one_thread(async { doctor::run(surroundings, broken, json, style).await }),
        Command::Docs { document } => {
            one_thread(async { docs::run(document, &App::for_looking(surroundings).await?).await })
        }
        Command::Completions { .. } | Command::Man { .. } | Command::Config(_) => Ok(exit::OK),
    }
}

/// Commands that tell of what is there, whatever is configured.
fn needs_no_configuration(command: &Command) -> bool {
    matches!(command, Command::Doctor | Command::Journal(_) | Command::Explain(_))
}

/// A look at the tools, with what is wrong with the selection said on standard error.
async fn looking(
    surroundings: Surroundings,
    color: crate::render::ColorChoice,
) -> Result<ManuallyDrop<App>, Failure> {
    let app = ManuallyDrop::new(App::for_looking(surroundings).await?);
    for problem in &app.session(None).catalog().await.problems {
        warn(Style::for_stderr(color), "warning:", &problem.to_string());
    }
    Ok(app)
}

fn manual_page(path: &[String]) -> Result<u8, Failure> {
    let mut command = Cli::command();
    // Gives flags of all commands to each of them, and each its whole name.
    command.build();
    for name in path {
        let inner = command.find_subcommand(name).cloned();
        command = inner.ok_or_else(|| {
            Failure::usage(format!("there is no command '{name}'; 'hermes help' lists them"))
        })?;
    }
    let title = command.get_display_name().unwrap_or(command.get_name()).to_owned();
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(command).title(title);
    man.render(&mut page).map_err(Failure::io("the manual page"))?;
    print_text(&String::from_utf8_lossy(&page))?;
    Ok(exit::OK)
}

/// Looking needs no worker threads, and starting none keeps the start short.
pub(super) fn one_thread<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let reactor = tokio::runtime::Builder::new_current_thread().enable_all().build();
    reactor.map_err(Failure::io("the reactor"))?.block_on(work)
}

/// The process ends with the look. Taking everything down one by one would do nothing but touch more code.
fn one_look<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let reactor = tokio::runtime::Builder::new_current_thread().enable_all().build();
    ManuallyDrop::new(reactor.map_err(Failure::io("the reactor"))?).block_on(work)
}

/// A thread that was needed once is there again when a command has made so many processes that no thread can be made:
/// somebody may want to end it then.
const THREADS_STAY: Duration = Duration::from_secs(600);

fn many_threads<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let mut reactor = tokio::runtime::Builder::new_multi_thread();
    let reactor = reactor.enable_all().thread_keep_alive(THREADS_STAY).build();
    let reactor = reactor.map_err(Failure::io("the reactor"))?;
    let result = reactor.block_on(async {
        let result = work.await;
        hermes_host::terminal::ended_elsewhere().await;
        result
    });
    // A blocking handler that does not listen to cancellation must not keep the process alive.
    reactor.shutdown_timeout(Duration::from_millis(100));
    result
}
