//! `hermes mcp login`.

use hermes_mcp::{Endpoint, LoginFlow, LoginStore};

use super::dispatch::{hub, server};
use crate::app::Surroundings;
use crate::failure::Failure;
use crate::render::{Style, print_text};

pub(super) async fn run(
    name: &str,
    forget: bool,
    surroundings: &Surroundings,
    style: Style,
) -> Result<(), Failure> {
    let hub = hub(surroundings)?;
    let server = server(&hub, name, surroundings)?;
    if forget {
        let had = LoginStore::of(&surroundings.home).forget(name).map_err(Failure::io("the tokens"))?;
        return print_text(if had { "forgotten\n" } else { "There was nothing to forget.\n" });
    }
    if let Endpoint::Stdio { .. } = server.config().endpoint {
        let text = format!("'{name}' is a program of this machine: logins are for servers with a url");
        return Err(Failure::usage(text)
            .with_hint("What it is to know of you goes into its entry, under env: KEY: \"${KEY}\"."));
    }
    let logins = LoginStore::of(&surroundings.home);
    // A server that is content to be met may have wanted more for a call: then it is asked for at once. Otherwise
    // meeting it makes it say what it wants, if anything.
    if !logins.is_wanted(name) {
        match server.meet().await {
            Ok(()) => {
                hub.shut_down().await;
                return print_text(&format!("{name} needs no login now.\n"));
            }
            Err(reason) if !logins.is_wanted(name) => return Err(Failure::answer_is_no(reason)),
            Err(_) => {}
        }
    }
    let flow = LoginFlow::begin(&server).await.map_err(Failure::answer_is_no)?;
    print_text(&format!("Open this page in a browser and agree there:\n{}\n", flow.page()))?;
    flow.finish().await.map_err(Failure::answer_is_no)?;
    let met = server.meet().await;
    hub.shut_down().await;
    met.map_err(Failure::answer_is_no)?;
    print_text(&format!("{} at {name}\n", style.good("logged in")))
}
