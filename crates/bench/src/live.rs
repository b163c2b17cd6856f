//! The live line: the last line of a terminal, on standard error, that is written anew again and again.

use std::io::{self, IsTerminal as _, Write as _};

/// To the start of the line, and what stands there removed.
const CLEAR: &str = "\r\x1b[K";

/// The live line of this process; without a terminal it shows nothing.
#[derive(Debug)]
pub struct LiveLine {
    terminal: bool,
    shown: bool,
}

impl LiveLine {
    /// Shows nothing yet.
    pub fn new() -> Self {
        Self { terminal: io::stderr().is_terminal(), shown: false }
    }

    /// Whether there is a terminal.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Shows what is made for the terminal's width, cut there.
    pub fn show(&mut self, line: impl FnOnce(usize) -> String) {
        if self.terminal {
            let width = width();
            // A character in the last column would make some terminals wrap.
            let line: String = line(width).chars().take(width.saturating_sub(1)).collect();
            self.write(&format!("{CLEAR}{line}"));
            self.shown = true;
        }
    }

    /// Prints a line that stays; on a terminal the live line is gone until it is shown again.
    pub fn print(&mut self, line: &str) {
        let clear = if std::mem::take(&mut self.shown) { CLEAR } else { "" };
        self.write(&format!("{clear}{line}\n"));
    }

    /// Removes the live line.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            self.write(CLEAR);
        }
    }

    /// In one piece, so that other writers do not come in between. Nobody is left to tell that it failed.
    fn write(&self, text: &str) {
        let _ = io::stderr().write_all(text.as_bytes());
    }
}

impl Default for LiveLine {
    fn default() -> Self {
        Self::new()
    }
}

/// Columns of the terminal, if it does not tell.
const USUAL_WIDTH: usize = 80;

#[cfg(target_os = "linux")]
fn width() -> usize {
    match rustix::termios::tcgetwinsize(io::stderr()) {
        Ok(size) if size.ws_col > 0 => usize::from(size.ws_col),
        _ => USUAL_WIDTH,
    }
}

#[cfg(not(target_os = "linux"))]
fn width() -> usize {
    USUAL_WIDTH
}
