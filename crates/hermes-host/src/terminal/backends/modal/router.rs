//! The machine that a sandbox runs on: starts commands and carries their streams.

use std::time::Duration;

use super::call::Call;
use super::commands::{
    PIPE, PTY_OF_A_SHELL, PtyInfo, TaskExecStartRequest, TaskExecStdinWriteRequest, TaskExecStdioReadRequest,
    TaskExecStdioReadResponse, TaskExecWaitRequest,
};
use super::grpc::{Answers, Channel, Status, UNAUTHENTICATED};
use super::service::{Fault, Service};

const ASK: Duration = Duration::from_secs(30);
/// One question after the end of a command waits this long.
const WAIT: Duration = Duration::from_secs(60);
const FIRST_DELAY: Duration = Duration::from_millis(10);
/// With delays that double, about ten seconds.
const ATTEMPTS: u32 = 10;

/// One command on that machine.
pub(super) struct Router {
    service: Service,
    channel: tokio::sync::RwLock<Channel>,
    task_id: String,
    exec_id: String,
}

impl Router {
    /// `exec_id` names the command: said twice, it is started once.
    pub(super) async fn connect(service: Service, task_id: &str, exec_id: &str) -> Result<Self, Fault> {
        let channel = tokio::sync::RwLock::new(enter(&service, task_id).await?);
        Ok(Router { service, channel, task_id: task_id.to_owned(), exec_id: exec_id.to_owned() })
    }

    pub(super) async fn start(&self, argv: Vec<String>, terminal: Option<(u32, u32)>) -> Result<(), Status> {
        let pty_info = terminal.map(|(winsz_rows, winsz_cols)| PtyInfo {
            enabled: true,
            winsz_rows,
            winsz_cols,
            env_term: "xterm-256color".to_owned(),
            pty_type: PTY_OF_A_SHELL,
        });
        let call = TaskExecStartRequest {
            task_id: self.task_id.clone(),
            exec_id: self.exec_id.clone(),
            command_args: argv,
            stdout_config: PIPE,
            stderr_config: PIPE,
            pty_info,
        };
        self.ask(&call, ASK, ATTEMPTS).await.map(|_| ())
    }

    /// What it prints on one of its streams, from there on.
    pub(super) async fn output(
        &self,
        file_descriptor: i32,
        offset: u64,
    ) -> Result<Answers<TaskExecStdioReadResponse>, Status> {
        let (task_id, exec_id) = (self.task_id.clone(), self.exec_id.clone());
        let call = TaskExecStdioReadRequest { task_id, exec_id, offset, file_descriptor };
        let channel = self.channel.read().await.clone();
        channel.stream(&call).await
    }

    /// Gives bytes to its input; with none the input ends.
    pub(super) async fn type_in(&self, offset: u64, data: &[u8]) -> Result<(), Status> {
        let call = TaskExecStdinWriteRequest {
            task_id: self.task_id.clone(),
            exec_id: self.exec_id.clone(),
            offset,
            data: data.to_vec(),
            eof: data.is_empty(),
        };
        self.ask(&call, ASK, ATTEMPTS).await.map(|_| ())
    }

    /// Its end, as a shell would put it.
    pub(super) async fn wait(&self) -> Result<i32, Status> {
        let call = TaskExecWaitRequest { task_id: self.task_id.clone(), exec_id: self.exec_id.clone() };
        let ended = self.ask(&call, WAIT, u32::MAX).await?;
        Ok(ended.code.unwrap_or_else(|| 128 + ended.signal.unwrap_or_default()))
    }

    async fn ask<C: Call>(&self, call: &C, limit: Duration, attempts: u32) -> Result<C::Answer, Status> {
        let (mut delay, mut entered) = (FIRST_DELAY, false);
        for _ in 1..attempts {
            let channel = self.channel.read().await.clone();
            match channel.call(call, limit).await {
                Err(status) if status.code == UNAUTHENTICATED && !entered => {
                    entered = true;
                    self.enter_again().await?;
                }
                Err(status) if status.passes() => {
                    tokio::time::sleep(delay).await;
                    delay = (delay * 2).min(ASK);
                }
                done => return done,
            }
        }
        let channel = self.channel.read().await.clone();
        channel.call(call, limit).await
    }

    /// The pass to the machine holds for a while only.
    pub(super) async fn enter_again(&self) -> Result<(), Status> {
        let entered = enter(&self.service, &self.task_id).await;
        *self.channel.write().await =
            entered.map_err(|fault| Status { code: UNAUTHENTICATED, message: fault.reason })?;
        Ok(())
    }
}

async fn enter(service: &Service, task_id: &str) -> Result<Channel, Fault> {
    let access = service.access(task_id).await?;
    let pass = format!("Bearer {}", access.jwt);
    Ok(Channel::new(&access.url, &[("authorization", &pass)])?)
}
