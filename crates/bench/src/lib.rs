//! `robusto bench`: verification tasks × presets, one process each, under limits, and what comes of it as tables.
//!
//! | module | owns |
//! |---|---|
//! | [`taskfile`] | the YAML of SV-COMP task files |
//! | [`discover`] | from files, folders, globs and lists to [`discover::Task`]s |
//! | [`preset`] | which arguments stand behind a name; the tables of the seeds as groups of presets |
//! | [`process`] | one process under limits: time, memory, output |
//! | [`judge`] | from an ended process to status and category |
//! | [`statistics`] | the counters that a tool prints with its answer |
//! | [`record`] | one finished run; the file that they are appended to |
//! | [`runner`] | from tasks and columns to the queue of runs |
//! | [`work`] | one run as data, and how it is done |
//! | [`executor`] | who works on the queue: this machine, or a cluster |
//! | [`progress`], [`live`] | how far it is, on the last line of the terminal |
//! | [`words`], [`units`] | arguments as shells, durations and sizes as people write them |
//! | [`grid`] | tasks × columns, and sums over them: what every report is made of |
//! | [`report`] | CSV, JSON, HTML, BenchExec XML, text |
//! | [`table`] | the tables of the seeds |
//! | [`diff`] | what changed between two results |
//!
//! Architecture invariant: nothing here knows an engine. What is measured is a command line and a `RESULT:` line, so
//! another build or, behind a script, another tool can be a column of the same table.

pub mod diff;
pub mod discover;
pub mod executor;
pub mod grid;
pub mod host;
pub mod interrupt;
pub mod judge;
pub mod live;
pub mod preset;
pub mod process;
pub mod progress;
pub mod record;
pub mod report;
pub mod runner;
pub mod statistics;
pub mod table;
pub mod taskfile;
pub mod units;
pub mod words;
pub mod work;
