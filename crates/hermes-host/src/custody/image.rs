//! The last step: the process becomes the program.

use std::ffi::{CStr, CString, c_char};
use std::os::unix::ffi::OsStrExt;

use super::order::Order;

/// Replaces the process by the program; returns only with the reason why it could not.
pub(super) fn image(order: &Order) -> String {
    if order.shell.is_empty() {
        return replace(&order.argv, &order.env);
    }
    without_shell(order);
    replace(&order.shell, &order.env)
}

fn replace(argv: &[CString], env: &[CString]) -> String {
    let Some(name) = argv.first() else { return "the command is empty".to_owned() };
    let mut reason = "it is not on the PATH".to_owned();
    for candidate in candidates(name, env) {
        let error = become_image(&candidate, argv, &pointers(env));
        if !matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ENOTDIR)) {
            reason = error.to_string();
        } else if name.to_bytes().contains(&b'/') {
            reason = format!("{error} (the program or its interpreter)");
        }
    }
    reason
}

/// Becomes what the shell would become, with the variables that it would set. Returns where that cannot be: then
/// the shell has the word.
fn without_shell(order: &Order) {
    let (Some(name), Ok(folder)) = (order.argv.first(), std::env::current_dir()) else { return };
    let Ok(folder) = CString::new([b"PWD=", folder.as_os_str().as_bytes()].concat()) else { return };
    let mut env = pointers(&order.env);
    env.pop();
    env.extend([folder.as_ptr(), c"SHLVL=1".as_ptr()]);
    for candidate in candidates(name, &order.env) {
        // SAFETY: a NUL-ended string.
        if unsafe { libc::access(candidate.as_ptr(), libc::F_OK) } < 0 {
            continue;
        }
        let Ok(own) = CString::new([b"_=", candidate.to_bytes()].concat()) else { return };
        env.extend([own.as_ptr(), std::ptr::null()]);
        become_image(&candidate, &order.argv, &env);
        return;
    }
}

fn become_image(path: &CStr, argv: &[CString], env: &[*const c_char]) -> std::io::Error {
    let argv = pointers(argv);
    // SAFETY: NUL-ended strings in arrays that end with a null pointer, alive until the call returns.
    unsafe { libc::execve(path.as_ptr(), argv.as_ptr(), env.as_ptr()) };
    std::io::Error::last_os_error()
}

/// Where the program may be: its own path, or its name in every folder of the program's `PATH`.
fn candidates(name: &CStr, env: &[CString]) -> Vec<CString> {
    if name.to_bytes().contains(&b'/') {
        return vec![name.to_owned()];
    }
    let path = env.iter().find_map(|pair| pair.to_bytes().strip_prefix(b"PATH=")).unwrap_or_default();
    path.split(|byte| *byte == b':')
        // An empty entry means the working folder, where a program must not come from by accident.
        .filter(|folder| folder.starts_with(b"/"))
        .filter_map(|folder| CString::new([folder, b"/", name.to_bytes()].concat()).ok())
        .collect()
}

fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect()
}
