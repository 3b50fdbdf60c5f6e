//! `hermes mcp serve`: a session of Hermes for any MCP client.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use hermes_host::home::Home;
use hermes_mcp::{Front, HttpOptions, ServeToken, serve_http, serve_stdio};
use hermes_runtime::config::Config;
use hermes_runtime::toolsets::Problem;
use tokio::net::TcpListener;

use super::announce::announce;
use super::session::Served;
use crate::app::{App, NO_MCP, Surroundings};
use crate::commands::config_effect::may_come_from_a_server;
use crate::commands::interrupt::Interrupt;
use crate::commands::mcp::args::ServeArgs;
use crate::failure::{Failure, exit};
use crate::render::{Style, warn};

pub(in crate::commands::mcp) async fn run(
    args: ServeArgs,
    mut surroundings: Surroundings,
    style: Style,
) -> Result<u8, Failure> {
    if let Some(server) = &args.server {
        stand_in_for(server, &mut surroundings)?;
    }
    // Before anything is started: a port that is taken is found out at once.
    let door = match &args.http {
        Some(address) => Some(open(address, &args, &surroundings.home).await?),
        None => None,
    };
    let app = App::for_running(surroundings, false).await?.serving_clients().following_changes();
    let session = app.session(Some("mcp"));
    tell_what_is_not_there(&session.catalog().await.problems, app.surroundings.config(), style)?;
    let interrupt = Interrupt::watch(None);
    let front = Arc::new(Front::new(Arc::clone(&app.mcp), args.server.clone()));
    let changes = announce(session.clone(), Arc::clone(&app.mcp), Arc::clone(&front)).await;
    let (servers, meeting) = (Arc::clone(&app.mcp), Arc::clone(&app.meeting));
    let served = Arc::new(Served { session, desk: app.desk.clone(), changes, front, servers, meeting });
    let stop = interrupt.token.clone();
    let ended = match door {
        Some((listener, options)) => {
            let address = listener.local_addr().map_err(Failure::io("the address"))?;
            let at = format!("http://{address}/mcp");
            if !address.ip().to_canonical().is_loopback() {
                warn(style, "warning:", &heard_elsewhere(address, &args));
            }
            warn(style, "listening", &format!("at {at}; clients show the token of {}", options.1.display()));
            serve_http(listener, served, options.0, stop).await
        }
        None => serve_stdio(served, stop).await,
    };
    app.shut_down().await;
    ended.map_err(Failure::usage)?;
    Ok(interrupt.code().unwrap_or(exit::OK))
}

/// Nothing but the one server is in the session.
fn stand_in_for(server: &str, surroundings: &mut Surroundings) -> Result<(), Failure> {
    let config = &mut surroundings.loaded.config;
    if !config.mcp_servers.get(server).is_some_and(|server| server.enabled) {
        let known: Vec<&str> = config.mcp_servers.keys().map(String::as_str).collect();
        return Err(Failure::usage(format!(
            "--server: there is no server '{server}' that is switched on; configured: {}",
            if known.is_empty() { "none".to_owned() } else { known.join(", ") }
        )));
    }
    config.toolsets = vec![format!("mcp-{server}")];
    Ok(())
}

/// Says which names of the selection mean nothing. Where none means anything a client would find an empty house, and
/// few clients show what a server writes on standard error: it does not begin at all.
fn tell_what_is_not_there(problems: &[Problem], config: &Config, style: Style) -> Result<(), Failure> {
    let problems: Vec<&Problem> =
        problems.iter().filter(|problem| !may_come_from_a_server(problem, config)).collect();
    let unknown = |asked: &String| {
        let is_it = |problem: &&Problem| matches!(problem, Problem::UnknownToolset { name, within: None, .. } if name == asked);
        problems.iter().any(is_it)
    };
    let mut asked = config.toolsets.iter().filter(|name| *name != NO_MCP).peekable();
    if asked.peek().is_some() && asked.all(unknown) {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        return Err(
            Failure::usage(lines.join("\n")).with_hint("'hermes toolsets' shows the names there are.")
        );
    }
    problems.iter().for_each(|problem| warn(style, "warning:", &problem.to_string()));
    Ok(())
}

/// What it means to listen beyond this machine.
fn heard_elsewhere(address: SocketAddr, args: &ServeArgs) -> String {
    let mut told = format!(
        "{address} is reached from other machines: the token and everything that is said go there unencrypted, and \
         whoever has the token uses the tools; '--http {}' listens on this machine only",
        address.port()
    );
    if args.hosts.is_empty() {
        told.push_str(
            "; clients that ask by another name than this machine's own are refused without --allow-host",
        );
    }
    told
}

/// The socket, who may come in, and the file with the token.
async fn open(
    address: &str,
    args: &ServeArgs,
    home: &Home,
) -> Result<(TcpListener, (HttpOptions, PathBuf)), Failure> {
    let wrong = || Failure::usage(format!("--http takes a port or an address with a port, not '{address}'"));
    let address = match address.parse::<u16>() {
        Ok(port) => SocketAddr::from((Ipv4Addr::LOCALHOST, port)),
        Err(_) => address.parse().map_err(|_| wrong())?,
    };
    let (token, file) = match &args.token_file {
        Some(file) => {
            let token = ServeToken::in_file(file).map_err(Failure::io(&file.display().to_string()))?;
            (token, file.clone())
        }
        None => {
            home.ensure()?;
            (ServeToken::of(home).map_err(Failure::io("the token"))?, ServeToken::file(home))
        }
    };
    let listener = TcpListener::bind(address).await.map_err(Failure::io(&address.to_string()))?;
    let options =
        HttpOptions { token: Some(token), hosts: args.hosts.clone(), origins: args.origins.clone() };
    Ok((listener, (options, file)))
}
