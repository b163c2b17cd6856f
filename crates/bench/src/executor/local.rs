//! Processes of this machine, some at a time.

use super::{Event, Executor, Observer};
use crate::record::Record;
use crate::work::Work;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// This machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Local {
    /// Number of processes at a time.
    pub jobs: usize,
}

enum Message<'a> {
    Started(&'a Work),
    Finished(io::Result<Box<Record>>),
}

impl Executor for Local {
    fn execute(&mut self, works: &[Work], cancel: &AtomicBool, observer: &mut Observer<'_>) -> io::Result<()> {
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.jobs.clamp(1, works.len().max(1)) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    while let Some(work) = works.get(next.fetch_add(1, Ordering::Relaxed))
                        && !cancel.load(Ordering::Relaxed)
                    {
                        let _ = sender.send(Message::Started(work));
                        if let Some(result) = work.run(cancel).transpose() {
                            let _ = sender.send(Message::Finished(result.map(Box::new)));
                        }
                    }
                });
            }
            drop(sender);
            let result = loop {
                let told = match receiver.recv_timeout(Duration::from_millis(100)) {
                    Ok(Message::Started(work)) => observer(Event::Started(work)),
                    Ok(Message::Finished(Ok(record))) => observer(Event::Finished(record)),
                    Ok(Message::Finished(Err(error))) => Err(error),
                    Err(RecvTimeoutError::Timeout) => observer(Event::Tick),
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                };
                if told.is_err() {
                    break told;
                }
            };
            if result.is_err() {
                cancel.store(true, Ordering::Relaxed);
            }
            result
        })
    }
}
