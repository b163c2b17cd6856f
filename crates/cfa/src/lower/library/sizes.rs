//! How many bytes library functions write at least through their arguments.
//!
//! A program may declare a function with a type of its own (`int stat(const char *, void *)`), which then does not say how
//! much is written. The sizes are those of Linux; where they depend on macros such as `_FILE_OFFSET_BITS`, the smallest.

use crate::ir::DataModel;

/// Functions, the position of an argument, and the bytes that are written there under ILP32 and LP64.
type Row = (&'static str, u8, u64, u64);

const SIZES: &[Row] = &[
    ("fgetpos", 1, 12, 16),
    ("fgetpos64", 1, 16, 16),
    // struct itimerspec, timespec, timeval, itimerval
    ("timer_gettime timerfd_gettime", 1, 16, 32),
    ("timerfd_settime", 3, 16, 32),
    ("sched_rr_get_interval thrd_sleep", 1, 8, 16),
    ("adjtime", 1, 8, 16),
    ("getitimer", 1, 16, 32),
    ("setitimer", 2, 16, 32),
    ("ftime", 0, 12, 16),
    ("times", 0, 16, 32),
    ("adjtimex ntp_adjtime", 0, 128, 208),
    ("clock_adjtime", 1, 128, 208),
    ("ntp_gettime", 0, 16, 32),
    // files
    ("stat lstat fstat", 1, 88, 144),
    ("stat64 lstat64 fstat64", 1, 96, 144),
    ("fstatat __xstat __lxstat __fxstat", 2, 88, 144),
    ("fstatat64 __xstat64 __lxstat64 __fxstat64", 2, 96, 144),
    ("__fxstatat", 3, 88, 144),
    ("__fxstatat64", 3, 96, 144),
    ("statx", 4, 256, 256),
    ("statvfs fstatvfs", 1, 72, 112),
    ("statvfs64 fstatvfs64", 1, 96, 112),
    ("statfs fstatfs", 1, 64, 120),
    ("statfs64 fstatfs64", 1, 84, 120),
    ("sendfile", 2, 4, 8),
    ("sendfile64", 2, 8, 8),
    ("copy_file_range splice", 1, 8, 8),
    ("copy_file_range splice", 3, 8, 8),
    ("eventfd_read", 1, 8, 8),
    ("tcgetattr", 1, 60, 60),
    ("cfsetispeed cfsetospeed cfsetspeed cfmakeraw", 0, 60, 60),
    ("inet_aton", 1, 4, 4),
    ("regcomp", 0, 32, 64),
    // processes and the system
    ("getresuid getresgid", 0, 4, 4),
    ("getresuid getresgid", 1, 4, 4),
    ("getresuid getresgid", 2, 4, 4),
    ("sigpending", 0, 128, 128),
    ("sigwait", 1, 4, 4),
    ("sigwaitinfo sigtimedwait", 1, 128, 128),
    ("wait wait3", 0, 4, 4),
    ("waitpid wait4", 1, 4, 4),
    ("waitid", 2, 128, 128),
    ("wait3", 2, 72, 144),
    ("wait4", 3, 72, 144),
    ("getrusage", 1, 72, 144),
    ("getrlimit", 1, 8, 16),
    ("getrlimit64", 1, 16, 16),
    ("prlimit", 3, 8, 16),
    ("prlimit64", 3, 16, 16),
    ("uname", 0, 390, 390),
    ("sysinfo", 0, 64, 112),
    // threads
    ("pthread_attr_init pthread_getattr_default_np", 0, 36, 56),
    ("pthread_getattr_np", 1, 36, 56),
    ("pthread_mutexattr_init pthread_condattr_init pthread_barrierattr_init", 0, 4, 4),
    ("pthread_rwlockattr_init", 0, 8, 8),
    ("pthread_mutex_init mtx_init", 0, 24, 40),
    ("pthread_cond_init cnd_init", 0, 48, 48),
    ("pthread_rwlock_init", 0, 32, 56),
    ("pthread_spin_init", 0, 4, 4),
    ("pthread_barrier_init", 0, 20, 32),
    ("pthread_attr_getstacksize pthread_attr_getguardsize", 1, 4, 8),
    (
        "pthread_attr_getdetachstate pthread_attr_getschedpolicy pthread_attr_getschedparam pthread_attr_getscope \
         pthread_attr_getinheritsched pthread_mutexattr_gettype pthread_mutexattr_getpshared pthread_mutexattr_getprotocol \
         pthread_mutexattr_getrobust pthread_condattr_getclock pthread_condattr_getpshared pthread_rwlockattr_getpshared \
         pthread_barrierattr_getpshared pthread_getcpuclockid pthread_mutex_getprioceiling pthread_getschedparam \
         pthread_setcancelstate pthread_setcanceltype sched_getparam",
        1,
        4,
        4,
    ),
    ("pthread_getschedparam", 2, 4, 4),
    ("getcpu", 0, 4, 4),
    ("getcpu", 1, 4, 4),
];

/// How many bytes a function writes at least through the argument at a position; `None` if that is not known.
pub(super) fn least_size(name: &str, at: u8, model: DataModel) -> Option<u64> {
    let of_name = |names: &str| names.split_ascii_whitespace().any(|other| other == name);
    let &(_, _, narrow, wide) = SIZES.iter().find(|&&(names, position, ..)| position == at && of_name(names))?;
    Some(match model {
        DataModel::Ilp32 => narrow,
        DataModel::Lp64 => wide,
    })
}

#[cfg(test)]
mod tests {
    use super::super::table::{By, Write, entries};
    use super::*;

    #[test]
    fn every_write_of_a_pointee_has_a_size() {
        for entry in entries() {
            let By::Effects(writes, _) = entry.by else { continue };
            for &write in writes {
                let (Write::Pointee(at) | Write::Record(at)) = write else { continue };
                let size = least_size(entry.name, at, DataModel::Lp64);
                assert!(size.is_some(), "{} has no size for argument {at}", entry.name);
            }
        }
    }

    #[test]
    fn sizes_depend_on_the_data_model() {
        assert_eq!(least_size("stat", 1, DataModel::Ilp32), Some(88));
        assert_eq!(least_size("stat", 1, DataModel::Lp64), Some(144));
        assert_eq!(least_size("stat", 0, DataModel::Lp64), None);
    }
}
