//! Holds back signals that end the program while it makes a folder, so that it leaves none half made.

#[cfg(not(unix))]
pub(super) use self::others::Held;
#[cfg(unix)]
pub(super) use self::unix::Held;

#[cfg(unix)]
mod unix {
    use std::ffi::c_int;
    use std::fs;
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use signal_hook::consts::signal::{
        SIGALRM, SIGHUP, SIGINT, SIGPROF, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
    };
    use signal_hook::flag;
    use signal_hook::low_level::emulate_default_handler;

    /// The signals that other programs, the terminal and the system end a program with. Nothing holds back `SIGKILL`, and a program
    /// that gets one such as `SIGSEGV` is not to go on.
    const ENDING: [c_int; 10] =
        [SIGHUP, SIGINT, SIGQUIT, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGVTALRM, SIGPROF, SIGXCPU];

    /// As long as this lives, no signal ends the program. If one came, dropping this does.
    pub(in crate::fs) struct Held {
        /// The last signal that came; 0 for none.
        came: Arc<AtomicUsize>,
        /// Whether signals end the program as they do without this.
        is_over: Arc<AtomicBool>,
    }

    impl Held {
        pub(in crate::fs) fn new() -> Self {
            let held = Self { came: Arc::default(), is_over: Arc::default() };
            let ignored = ignored();
            let is_ignored = |signal: &c_int| ignored >> (signal - 1) & 1 == 1;
            for signal in ENDING.into_iter().filter(|signal| !is_ignored(signal)) {
                // Where the system has no such signal, none comes.
                let _ = flag::register_conditional_default(signal, Arc::clone(&held.is_over));
                let _ = flag::register_usize(signal, Arc::clone(&held.came), signal.unsigned_abs() as usize);
            }
            // With a handler, writing more than the limit for files is an error, as on a disk that is full.
            let _ = flag::register(SIGXFSZ, Arc::default());
            held
        }

        /// # Errors
        /// If a signal has come.
        pub(in crate::fs) fn check(&self) -> io::Result<()> {
            if self.came.load(Ordering::SeqCst) == 0 { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
        }
    }

    impl Drop for Held {
        fn drop(&mut self) {
            self.is_over.store(true, Ordering::SeqCst);
            match c_int::try_from(self.came.load(Ordering::SeqCst)) {
                // So that the caller sees which one it was.
                Ok(signal) if signal > 0 => drop(emulate_default_handler(signal)),
                Ok(_) | Err(_) => {}
            }
        }
    }

    /// The signals that this program was told to ignore, such as `SIGHUP` by `nohup`, as bits from 1 on. Only Linux tells.
    fn ignored() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        bits.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or_default()
    }
}

#[cfg(not(unix))]
mod others {
    use std::io;

    /// Without signals, nothing is held back.
    pub(in crate::fs) struct Held;

    impl Held {
        pub(in crate::fs) fn new() -> Self {
            Self
        }

        #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "on Unix, a signal can have come")]
        pub(in crate::fs) fn check(&self) -> io::Result<()> {
            Ok(())
        }
    }
}
