//! The output of a process: the beginning and the end, whatever the length.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;

/// Bytes kept of the beginning, and as many of the end.
const KEPT: usize = 64 << 10;

/// Reads a pipe without ever waiting for it: a descendant that outlives the process may hold it open for ever.
pub struct Capture {
    source: Option<File>,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    dropped: u64,
}

impl Capture {
    /// Prepares to read a pipe.
    pub fn new(pipe: Option<OwnedFd>) -> io::Result<Self> {
        if let Some(pipe) = &pipe {
            rustix::io::ioctl_fionbio(pipe, true)?;
        }
        Ok(Self { source: pipe.map(File::from), head: Vec::new(), tail: VecDeque::new(), dropped: 0 })
    }

    /// The pipe, until its end is reached.
    pub fn source(&self) -> Option<&File> {
        self.source.as_ref()
    }

    /// Takes what the pipe holds now.
    pub fn read_available(&mut self) -> io::Result<()> {
        let mut buffer = [0; 16 << 10];
        // No more than some pipes' worth at a time: a process that prints without end must not keep us from looking
        // at the clock.
        for _ in 0..64 {
            let Some(source) = &mut self.source else { return Ok(()) };
            match source.read(&mut buffer) {
                Ok(0) => self.source = None,
                Ok(count) => self.push(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn push(&mut self, bytes: &[u8]) {
        let (head, rest) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend_from_slice(head);
        self.tail.extend(rest);
        let excess = self.tail.len().saturating_sub(KEPT);
        self.tail.drain(..excess);
        self.dropped += excess as u64;
    }

    /// What was kept.
    pub fn take_text(&mut self) -> String {
        let mut bytes = std::mem::take(&mut self.head);
        if self.dropped > 0 {
            bytes.extend_from_slice(format!("\n[{} bytes left out]\n", self.dropped).as_bytes());
        }
        bytes.extend(self.tail.drain(..));
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn capture(bytes: &[u8]) -> String {
        let mut capture = Capture::new(None).unwrap();
        bytes.chunks(10_000).for_each(|chunk| capture.push(chunk));
        capture.take_text()
    }

    #[test]
    fn short_output_is_kept() {
        assert_eq!(capture(b"a\nb"), "a\nb");
        let long = "0123456789".repeat(2 * KEPT / 10);
        assert_eq!(capture(long.as_bytes()), long);
    }

    #[test]
    fn long_output_loses_its_middle() {
        let text = capture(&[&b"begin"[..], &vec![b'x'; 1_000_000], b"end"].concat());
        assert!(text.starts_with("beginx") && text.ends_with("xend") && text.len() < 2 * KEPT + 100);
        assert!(text.contains(&format!("[{} bytes left out]", 1_000_008 - 2 * KEPT)), "{}", text.len());
    }
}
