//! Where the work runs: a thread with a large stack, behind a guard that turns a panic into an exit code.

use crate::exit::Exit;
use std::io::{self, Write as _};
use std::panic::{self, PanicHookInfo};
use std::thread;

/// Address space for the stack; only the pages that are touched cost memory. The tree is as deep as the parser's
/// nesting limit allows, and the lowering walks it by recursion.
const STACK: usize = 256 << 20;

/// Runs the work. A panic anywhere becomes a message and [`Exit::INTERNAL`].
pub fn on_large_stack(work: impl FnOnce() -> Exit + Send + 'static) -> Exit {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        ask_for_report(panic);
        // A developer who asks for a backtrace gets one.
        if std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0") {
            usual(panic);
        }
    }));
    match thread::Builder::new().name("main".to_owned()).stack_size(STACK).spawn(work) {
        Ok(worker) => worker.join().unwrap_or(Exit::INTERNAL),
        Err(error) => {
            let _ = writeln!(io::stderr(), "robusto: error: cannot start a thread with a {STACK}-byte stack: {error}");
            Exit::INTERNAL
        }
    }
}

fn ask_for_report(panic: &PanicHookInfo<'_>) {
    let payload = panic.payload();
    let text = payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let message = text.unwrap_or("no message");
    let place = panic.location().map(|l| format!(" ({}:{})", l.file(), l.line())).unwrap_or_default();
    let _ = writeln!(
        io::stderr(),
        "robusto: internal error: {message}{place}\n\
         This is a bug in Robusto {}, not in your program. Please report it, with the input and the command line.\n\
         RUST_BACKTRACE=1 shows where it happened.",
        env!("CARGO_PKG_VERSION")
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_exit_code() {
        assert_eq!(on_large_stack(|| panic!("an invariant is broken")), Exit::INTERNAL);
        assert_eq!(on_large_stack(|| Exit(10)), Exit(10));
    }

    #[test]
    fn the_stack_is_large() {
        fn descend(depth: u32) -> u64 {
            let frame = std::hint::black_box([u64::from(depth); 128]);
            if depth == 0 { frame[0] } else { descend(depth - 1) + frame[1] }
        }
        assert_eq!(on_large_stack(|| Exit(u8::from(descend(100_000) > 0))), Exit(1));
    }
}
