//! One exchange, from the first request to the answer after the last redirect.

use hermes_core::egress::{Origin, Reach};
use hermes_core::{ErrorCode, Permit, ToolError};
use reqwest::Url;
use reqwest::header::LOCATION;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::body::{Body, Response};
use super::clients::Clients;
use super::fault;
use super::hop::{MAX_REDIRECTS, Outgoing, is_redirect, keeps_method};
use super::request::{Redirects, Request};

pub(super) struct Exchange<'a> {
    clients: &'a Clients,
    /// `None` where the operator is the one who asks.
    permit: Option<&'a Permit>,
    cancel: CancellationToken,
    request: Request,
    deadline: Option<Instant>,
    /// The origin that the request named; its reach counts for this one only.
    home: Origin,
}

/// Where the exchange stands: the URL, what the guard read it as, and how far it may reach.
struct Place {
    url: String,
    origin: Origin,
    reach: Reach,
}

impl<'a> Exchange<'a> {
    pub(super) fn new(
        clients: &'a Clients,
        permit: Option<&'a Permit>,
        cancel: CancellationToken,
        request: Request,
    ) -> Result<Self, ToolError> {
        let home =
            clients.guard().url(&request.url, request.reach).map_err(|found| fault::blocked(&found))?;
        let deadline = request.limits.total.map(|total| Instant::now() + total);
        Ok(Exchange { clients, permit, cancel, request, deadline, home })
    }

    pub(super) async fn run(mut self) -> Result<Response, ToolError> {
        let mut out = Outgoing {
            method: self.request.method.clone(),
            headers: std::mem::take(&mut self.request.headers),
            body: self.request.body.take(),
        };
        let first = std::mem::take(&mut self.request.url);
        let mut place = self.judge(first)?;
        for _ in 0..=MAX_REDIRECTS {
            self.check_permit(&place)?;
            let answer = tokio::select! {
                biased;
                () = self.cancel.cancelled() => return Err(fault::cancelled(&out.method)),
                answer = self.ask(&out, &place) => answer?,
            };
            let location = answer.headers().get(LOCATION).filter(|_| is_redirect(answer.status()));
            let Some(location) = location.filter(|_| self.request.redirects != Redirects::Return) else {
                return Ok(self.open(answer, place, out));
            };
            let guard = self.clients.guard();
            let next = guard.redirect(&place.url, location.to_str().unwrap_or("\u{fffd}"));
            let next = self.judge(next.map_err(|found| fault::blocked(&found))?)?;
            let leaves = next.origin != place.origin || !keeps_method(answer.status());
            if self.request.redirects == Redirects::Within && leaves {
                return Ok(self.open(answer, place, out));
            }
            out = out.redirected(answer.status(), &place.origin, &next.origin);
            place = next;
        }
        let said = format!("{} led through more than {MAX_REDIRECTS} redirects", self.home);
        Err(ToolError::new(ErrorCode::Network, said))
    }

    /// A wider reach than the public's holds for the origin it was given for.
    fn judge(&self, url: String) -> Result<Place, ToolError> {
        let guard = self.clients.guard();
        if let Ok(origin) = guard.url(&url, self.request.reach)
            && origin == self.home
        {
            return Ok(Place { url, origin, reach: self.request.reach });
        }
        let origin = guard.url(&url, Reach::Public).map_err(|found| fault::blocked(&found))?;
        Ok(Place { url, origin, reach: Reach::Public })
    }

    fn check_permit(&self, place: &Place) -> Result<(), ToolError> {
        let access = place.origin.access(self.request.permission.clone());
        if self.permit.is_none_or(|permit| permit.covers(&access)) {
            return Ok(());
        }
        let answer = ToolError::denied(format!("this call was not granted {access}"));
        Err(match place.origin == self.home {
            true => answer,
            false => answer
                .with_field("redirected_to", place.url.clone())
                .with_hint("a redirect led there; call again with that address if it is the right one"),
        })
    }

    async fn ask(&self, out: &Outgoing, place: &Place) -> Result<reqwest::Response, ToolError> {
        let mut url = self.read(place)?;
        let mut headers = out.headers.clone();
        if let Some(credential) = &self.request.credential {
            credential.attach(&place.origin, &mut url, &mut headers);
        }
        let client = self.clients.get(place.reach, place.origin.secure)?;
        let mut request = client.request(out.method.clone(), url).headers(headers);
        if let Some(body) = &out.body {
            request = request.body(body.clone());
        }
        let idle = self.request.limits.idle;
        let patience =
            self.deadline.map_or(idle, |end| idle.min(end.saturating_duration_since(Instant::now())));
        timeout(patience, request.send())
            .await
            .map_err(|_| fault::late(&out.method, &place.origin))?
            .map_err(|error| fault::failed(error, &out.method, &place.origin))
    }

    /// The client has its own reader of URLs. Where it would go elsewhere than the guard judged, it does
    /// not go at all.
    fn read(&self, place: &Place) -> Result<Url, ToolError> {
        let origin = &place.origin;
        Url::parse(&place.url)
            .ok()
            .filter(|url| {
                url.scheme() == if origin.secure { "https" } else { "http" }
                    && url.host_str() == Some(&origin.host)
                    && url.port_or_known_default() == Some(origin.port)
                    && url.username().is_empty()
                    && url.password().is_none()
            })
            .ok_or_else(|| ToolError::denied("this URL can be read in two ways, so it is not fetched"))
    }

    fn open(self, answer: reqwest::Response, place: Place, out: Outgoing) -> Response {
        Response {
            status: answer.status(),
            headers: answer.headers().clone(),
            url: place.url,
            origin: place.origin.clone(),
            body: Body {
                inner: answer,
                method: out.method,
                origin: place.origin,
                deadline: self.deadline,
                idle: self.request.limits.idle,
                max: self.request.limits.max_body,
                read: 0,
                cancel: self.cancel,
            },
        }
    }
}
