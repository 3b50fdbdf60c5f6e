//! No capability, now or ever again.

use super::mount_calls::Outcome;

/// Newer kernels may know more; asking for one that is not there ends the loop.
const MOST_CAPABILITIES: u64 = 64;
/// Being user 0 gives no capability, and no program can change that.
const ROOT_IS_NOBODY: u64 = 0b1111;

/// No program that this process starts can gain a capability. What the process itself has it needs to build the walls.
pub(in crate::custody) fn gain_no_privileges() {
    // SAFETY: plain `prctl` calls with constants.
    unsafe {
        for capability in 0..MOST_CAPABILITIES {
            if libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 {
                break;
            }
        }
        libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        libc::prctl(libc::PR_SET_SECUREBITS, ROOT_IS_NOBODY, 0, 0, 0);
    }
}

/// The process loses every capability, after [`gain_no_privileges`] for good.
pub(in crate::custody) fn drop_privileges() -> Outcome {
    keep([Sets::default(); 2])
}

/// The process loses every capability but the one to mount, and that cannot be handed on.
pub(in crate::custody) fn keep_only_mounting() -> Outcome {
    let mounting = 1 << SYS_ADMIN;
    keep([Sets { effective: mounting, permitted: mounting, inheritable: 0 }, Sets::default()])
}

fn keep(sets: [Sets; 2]) -> Outcome {
    // SAFETY: two structs of the version that they name, and a `prctl` call with constants.
    unsafe {
        let header = Header { version: VERSION_3, pid: 0 };
        if libc::syscall(libc::SYS_capset, &raw const header, sets.as_ptr()) < 0 {
            return Err(format!("dropping capabilities: {}", std::io::Error::last_os_error()));
        }
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 {
            return Err(format!("no_new_privs: {}", std::io::Error::last_os_error()));
        }
    }
    Ok(())
}

const SYS_ADMIN: u32 = 21;
const VERSION_3: u32 = 0x2008_0522;

#[repr(C)]
struct Header {
    version: u32,
    pid: i32,
}

#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Sets {
    effective: u32,
    permitted: u32,
    inheritable: u32,
}
