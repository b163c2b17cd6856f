//! The report as one page for the browser, which needs nothing but itself.
//!
//! The page is a frame (`page/frame.html`), a style sheet and scripts, all files beside this one, and the outcome of the run as JSON.
//! The scripts fill the frame from the JSON. `docs/report.md` describes what a reader sees.
//!
//! **Hostile text.** A program may contain anything. Its text is only ever in the JSON, in which `<` and the like are escaped so that
//! nothing can end the element around it, and the scripts put it into the page as text, never as markup. The content
//! policy allows the page's own scripts and styles, named by their hashes, and nothing else: no other script, no address.

mod data;
mod drawing;
mod policy;
mod steps;
mod walk;

use crate::json::RunInfo;
use crate::source::Sources;
use robusto_cfa::draw::Graph;
use robusto_verdict::{Property, Report};

/// What a page shows.
#[derive(Clone, Copy, Debug)]
pub struct Page<'p> {
    /// What was found out.
    pub report: &'p Report,
    /// What the run was.
    pub info: &'p RunInfo,
    /// What was asked.
    pub property: &'p Property,
    /// The program's text.
    pub sources: &'p Sources,
    /// The program as drawings.
    pub pictures: &'p Pictures,
}

/// What a page needs to know of the program's automata.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    /// The automaton of each function, a node per location.
    pub automata: Vec<Graph>,
    /// The abstract reachability graph of the engine that answered.
    pub graph: Option<Graph>,
    /// The global variables with their values at the start.
    pub globals: Vec<(String, String)>,
}

/// The scripts in the order in which they are loaded; each has one concern.
const SCRIPTS: [&str; 13] = [
    include_str!("page/text.js"),
    include_str!("page/list.js"),
    include_str!("page/state.js"),
    include_str!("page/source.js"),
    include_str!("page/trace.js"),
    include_str!("page/values.js"),
    include_str!("page/drawing.js"),
    include_str!("page/drawings.js"),
    include_str!("page/run.js"),
    include_str!("page/facts.js"),
    include_str!("page/search.js"),
    include_str!("page/paper.js"),
    include_str!("page/main.js"),
];

const STYLE: &str = include_str!("page/page.css");
const FRAME: &str = include_str!("page/frame.html");

/// The page.
pub fn html(page: &Page<'_>) -> String {
    let script = format!("\"use strict\";\n(() => {{\n{}}})();\n", SCRIPTS.concat());
    let data = serde_json::to_string(&data::document(page)).expect("strings and numbers are JSON");
    let title = format!("{}: {}", verdict(page.report), page.info.input_files.join(" "));
    let parts = [
        ("@POLICY@", policy::policy(&script, STYLE)),
        ("@TITLE@", policy::escaped(&title)),
        ("@STYLE@", STYLE.to_owned()),
        ("@RESULT@", policy::escaped(&crate::result_line(page.report, page.property))),
        ("@DATA@", policy::inert(&data)),
        ("@SCRIPT@", script),
    ];
    // One pass over the frame: what is put in is not looked at again.
    let mut out = String::with_capacity(FRAME.len() + parts.iter().map(|(_, text)| text.len()).sum::<usize>());
    let mut rest = FRAME;
    for (name, text) in &parts {
        let (before, after) = rest.split_once(name).expect("the frame has a place for each part, in this order");
        out.push_str(before);
        out.push_str(text);
        rest = after;
    }
    out + rest
}

fn verdict(report: &Report) -> &'static str {
    data::word(&report.verdict)
}
