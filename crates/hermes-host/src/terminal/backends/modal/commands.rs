//! What is said to the machine that a sandbox runs on: commands and their streams.

use prost::Message;

use super::call::calls;

calls! {
    "modal.task_command_router.TaskCommandRouter":
    TaskExecStart(TaskExecStartRequest) -> TaskExecStartResponse,
    TaskExecStdioRead(TaskExecStdioReadRequest) -> TaskExecStdioReadResponse,
    TaskExecStdinWrite(TaskExecStdinWriteRequest) -> TaskExecStdinWriteResponse,
    TaskExecWait(TaskExecWaitRequest) -> TaskExecWaitResponse,
}

/// `TASK_EXEC_STDOUT_CONFIG_PIPE` and `TASK_EXEC_STDERR_CONFIG_PIPE`.
pub(super) const PIPE: i32 = 1;
/// `TASK_EXEC_STDIO_FILE_DESCRIPTOR_STDOUT` and `_STDERR`.
pub(super) const STDOUT: i32 = 0;
pub(super) const STDERR: i32 = 1;
/// `PTY_TYPE_SHELL`.
pub(super) const PTY_OF_A_SHELL: i32 = 2;

#[derive(Clone, PartialEq, Message)]
pub(super) struct TaskExecStartRequest {
    #[prost(string, tag = "1")]
    pub(super) task_id: String,
    #[prost(string, tag = "2")]
    pub(super) exec_id: String,
    #[prost(string, repeated, tag = "3")]
    pub(super) command_args: Vec<String>,
    #[prost(int32, tag = "4")]
    pub(super) stdout_config: i32,
    #[prost(int32, tag = "5")]
    pub(super) stderr_config: i32,
    #[prost(message, optional, tag = "9")]
    pub(super) pty_info: Option<PtyInfo>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct PtyInfo {
    #[prost(bool, tag = "1")]
    pub(super) enabled: bool,
    #[prost(uint32, tag = "2")]
    pub(super) winsz_rows: u32,
    #[prost(uint32, tag = "3")]
    pub(super) winsz_cols: u32,
    #[prost(string, tag = "4")]
    pub(super) env_term: String,
    #[prost(int32, tag = "7")]
    pub(super) pty_type: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TaskExecStartResponse {}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TaskExecStdioReadRequest {
    #[prost(string, tag = "1")]
    pub(super) task_id: String,
    #[prost(string, tag = "2")]
    pub(super) exec_id: String,
    #[prost(uint64, tag = "3")]
    pub(super) offset: u64,
    #[prost(int32, tag = "4")]
    pub(super) file_descriptor: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TaskExecStdioReadResponse {
    #[prost(bytes = "vec", tag = "1")]
    pub(super) data: Vec<u8>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TaskExecStdinWriteRequest {
    #[prost(string, tag = "1")]
    pub(super) task_id: String,
    #[prost(string, tag = "2")]
    pub(super) exec_id: String,
    #[prost(uint64, tag = "3")]
    pub(super) offset: u64,
    #[prost(bytes = "vec", tag = "4")]
    pub(super) data: Vec<u8>,
    #[prost(bool, tag = "5")]
    pub(super) eof: bool,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TaskExecStdinWriteResponse {}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TaskExecWaitRequest {
    #[prost(string, tag = "1")]
    pub(super) task_id: String,
    #[prost(string, tag = "2")]
    pub(super) exec_id: String,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct TaskExecWaitResponse {
    #[prost(int32, optional, tag = "1")]
    pub(super) code: Option<i32>,
    #[prost(int32, optional, tag = "2")]
    pub(super) signal: Option<i32>,
}
