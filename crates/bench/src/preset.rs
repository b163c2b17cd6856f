//! Presets: names for lists of arguments. The tables and figures of the seeds are groups of presets with their tasks.
//!
//! Everything built in stands in [`PRESETS`] and [`GROUPS`]; every other engine that the caller names has a preset of its
//! name. A preset whose analysis does not exist yet is listed all
//! the same: its column then reads "not available".

use crate::discover::Task;
use crate::table::Table;
use crate::words;
use std::time::Duration;

/// A named list of arguments of `robusto check`; of `robusto bp` for Boolean programs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Preset {
    /// The name in options and files.
    pub name: String,
    /// The name in tables.
    pub title: String,
    /// The arguments.
    pub args: Vec<String>,
}

/// A preset of [`PRESETS`].
#[derive(Debug)]
pub struct BuiltIn {
    /// The name in options and files.
    pub name: &'static str,
    /// The name in tables.
    pub title: &'static str,
    /// The arguments.
    pub args: &'static [&'static str],
}

/// What runs if no preset is named.
pub const DEFAULT: &str = "auto";

/// A preset of the predicate analysis with a block operator, without the check of certificates, which the paper's times do
/// not contain either. The name has no colon, as it becomes part of file names.
macro_rules! blocks {
    ($name:literal, $title:literal, $operator:literal) => {
        BuiltIn {
            name: $name,
            title: $title,
            args: &["--analysis", "predicate", "--block", $operator, "--certify", "never"],
        }
    };
}

/// A preset of an engine as a paper has it: without the check of certificates.
macro_rules! comparison {
    ($name:literal, $title:literal, $($arg:literal),*) => {
        BuiltIn { name: $name, title: $title, args: &["--analysis", $($arg,)* "--certify", "never"] }
    };
}

/// A preset of image computation as the paper has it: frames and sifting; without the check of certificates.
macro_rules! images {
    ($name:literal, $title:literal, $($arg:literal),*) => {
        BuiltIn {
            name: $name,
            title: $title,
            args: &[
                "--analysis", "image", "--traversal", "fbf", "--reorder", "sift", "--certify", "never",
                $($arg),*
            ],
        }
    };
}

/// The same, for a criterion and a threshold.
macro_rules! parts {
    ($name:literal, $title:literal, $criterion:literal, $threshold:literal) => {
        images!($name, $title, "--partition", $criterion, "--threshold", $threshold)
    };
}

/// A preset of predicates and numbers with a domain, without the check of certificates.
macro_rules! combined {
    ($name:literal, $title:literal, $($arg:literal),*) => {
        BuiltIn { name: $name, title: $title, args: &["--certify", "never", "--analysis", $($arg),*] }
    };
}

/// The built-in presets.
pub const PRESETS: &[BuiltIn] = &[
    BuiltIn { name: "auto", title: "Automatic Choice", args: &["--analysis", "auto"] },
    BuiltIn { name: "bdd", title: "BDD-Based Analysis", args: &["--analysis", "bdd"] },
    BuiltIn { name: "bmc", title: "Bounded Model Checking", args: &["--analysis", "bmc"] },
    BuiltIn { name: "accelerate", title: "Closed Forms of Loops", args: &["--analysis", "accelerate"] },
    BuiltIn { name: "kind", title: "k-Induction", args: &["--analysis", "kind"] },
    BuiltIn { name: "pdr", title: "Property-Directed Reachability", args: &["--analysis", "pdr"] },
    BuiltIn { name: "arrays", title: "Invariants about Elements", args: &["--analysis", "arrays"] },
    BuiltIn { name: "value", title: "Explicit Values", args: &["--analysis", "value"] },
    BuiltIn { name: "product", title: "A Domain per Variable", args: &["--analysis", "product"] },
    BuiltIn { name: "numeric", title: "Numeric Analysis", args: &["--analysis", "numeric"] },
    BuiltIn { name: "image", title: "Image Computation", args: &["--analysis", "image"] },
    BuiltIn { name: "summaries", title: "Procedure Summaries", args: &["--analysis", "summaries"] },
    BuiltIn { name: "slam", title: "Boolean Programs", args: &["--analysis", "slam"] },
    BuiltIn { name: "test", title: "Testing", args: &["--analysis", "test"] },
    BuiltIn { name: "impact", title: "Impact Algorithm", args: &["--analysis", "impact"] },
    BuiltIn { name: "predicate", title: "Predicate Abstraction", args: &["--analysis", "predicate", "--block", "lbe"] },
    BuiltIn { name: "explicit", title: "Explicit States", args: &["--analysis", "explicit"] },
    BuiltIn { name: "qbf", title: "SAT and QBF", args: &["--analysis", "qbf"] },
    BuiltIn { name: "universal", title: "Universal Summaries", args: &["--analysis", "universal"] },
    comparison!("bp-explicit", "explicit", "explicit"),
    comparison!("bp-bdd", "BDD", "bdd"),
    comparison!("bp-bdd-reverse", "BDD, reverse order", "bdd", "--order", "reverse"),
    comparison!("bp-bdd-random", "BDD, random order", "bdd", "--order", "random:1"),
    comparison!("bp-qbf", "QBF-summaries", "qbf"),
    comparison!("bp-universal", "univ. summ.", "universal"),
    comparison!("seed1-impact", "Impact Algorithm", "impact", "--block", "loops"),
    comparison!("seed1-predicate", "Predicate Abstraction", "predicate", "--block", "loops"),
    comparison!("seed1-bdd", "BDD-Based Analysis", "bdd"),
    blocks!("sbe", "SBE", "sbe"),
    blocks!("lbe", "LBE", "lbe"),
    blocks!("preprocessed", "Pre-proc. LBE", "preprocessed"),
    blocks!("loops", "Loop heads", "loops"),
    blocks!("lbe-k10", "k = 10", "lbe-k:10"),
    blocks!("lbe-k20", "k = 20", "lbe-k:20"),
    blocks!("lbe-k30", "k = 30", "lbe-k:30"),
    blocks!("lbe-k40", "k = 40", "lbe-k:40"),
    blocks!("lbe-k50", "k = 50", "lbe-k:50"),
    blocks!("lbe-k60", "k = 60", "lbe-k:60"),
    blocks!("lbe-k70", "k = 70", "lbe-k:70"),
    blocks!("lbe-k80", "k = 80", "lbe-k:80"),
    blocks!("lbe-k90", "k = 90", "lbe-k:90"),
    blocks!("lbe-k100", "k = 100", "lbe-k:100"),
    comparison!("sbe-cartesian", "SBE, cartesian", "predicate", "--block", "sbe", "--abstraction", "cartesian"),
    comparison!("lbe-cartesian", "LBE, cartesian", "predicate", "--block", "lbe", "--abstraction", "cartesian"),
    comparison!("seed3-bmc", "BMC", "bmc"),
    blocks!("k50", "k = 50", "k:50"),
    blocks!("k100", "k = 100", "k:100"),
    blocks!("k150", "k = 150", "k:150"),
    blocks!("k200", "k = 200", "k:200"),
    blocks!("k250", "k = 250", "k:250"),
    blocks!("k300", "k = 300", "k:300"),
    images!("image-mono", "monolithic", "--image", "mono"),
    images!("image-iwls95", "IWLS95", "--image", "iwls95"),
    images!("image-mlp", "MLP", "--image", "mlp"),
    images!("image-pervar", "per variable", "--image", "pervar"),
    images!("image-mlp-keep", "MLP, dead kept", "--image", "mlp", "--keep-dead"),
    images!("image-mlp-reset", "MLP, dead reset", "--image", "mlp-reset"),
    images!("image-keep", "disj, dead kept", "--keep-dead"),
    images!("image-relevant", "disj, relevant", "--locality", "relevant"),
    images!("image-off", "disj, all", "--locality", "off"),
    parts!("image-live-0", "liveVar, one block", "live-var", "0"),
    parts!("image-live-25", "liveVar, 25", "live-var", "25"),
    parts!("image-live-50", "liveVar, 50", "live-var", "50"),
    parts!("image-live-100", "liveVar, 100", "live-var", "100"),
    parts!("image-live-175", "liveVar, 175", "live-var", "175"),
    parts!("image-live-all", "liveVar, no limit", "live-var", "1000000"),
    parts!("image-asgn-0", "asgnVar, one block", "asgn-var", "0"),
    parts!("image-asgn-25", "asgnVar, 25", "asgn-var", "25"),
    parts!("image-asgn-50", "asgnVar, 50", "asgn-var", "50"),
    parts!("image-asgn-100", "asgnVar, 100", "asgn-var", "100"),
    parts!("image-asgn-175", "asgnVar, 175", "asgn-var", "175"),
    parts!("image-asgn-all", "asgnVar, no limit", "asgn-var", "1000000"),
    parts!("image-cfg-0", "cfgEdge, one block", "cfg-edge", "0"),
    parts!("image-cfg-25", "cfgEdge, 25", "cfg-edge", "25"),
    parts!("image-cfg-50", "cfgEdge, 50", "cfg-edge", "50"),
    parts!("image-cfg-100", "cfgEdge, 100", "cfg-edge", "100"),
    parts!("image-cfg-175", "cfgEdge, 175", "cfg-edge", "175"),
    parts!("image-cfg-all", "cfgEdge, no limit", "cfg-edge", "1000000"),
    combined!("numeric-one", "Numeric", "numeric", "--split", "none"),
    // The same engine without predicates, and without variables.
    combined!("np-numeric", "NEX, numbers alone", "nex", "--predicates", "/dev/null"),
    combined!("np-predicate", "Predicate", "nex", "--numeric-vars", ""),
    combined!("np-nexpoint", "NEXPOINT", "nexpoint"),
    combined!("np-nex", "NEX", "nex"),
    combined!("np-mtndd", "MTNDD", "mtndd"),
    combined!("np-ndd", "NDD", "ndd"),
];

/// What one table or figure of a seed needs.
#[derive(Debug)]
pub struct Group {
    /// The name, used like that of a preset.
    pub name: &'static str,
    /// One line for the help.
    pub about: &'static str,
    /// The columns.
    pub presets: &'static [&'static str],
    /// The language of the tasks.
    pub language: &'static str,
    /// The families of the tasks; none means all.
    pub families: &'static [&'static str],
    /// Patterns of the tasks' names.
    pub tasks: &'static [&'static str],
    /// If there is one: outside of this family, only tasks with a violation are wanted.
    pub safe_family: Option<&'static str>,
    /// The limit of CPU time of the publication.
    pub cpu: Duration,
    /// The memory limit of the publication, or what its machine had, or the usual one if it says nothing.
    pub memory: u64,
    /// What to print.
    pub table: Table,
}

/// The built-in groups.
pub const GROUPS: &[Group] = &[
    Group {
        name: "seed1-tables",
        about: "BDD-based analysis against Impact and predicate abstraction on RERS problems 1 to 6 (Beyer, Stahlbauer: \
            BDD-Based Software Model Checking with CPAchecker, Tables 1 and 2, Figure 2)",
        presets: &["seed1-impact", "seed1-predicate", "seed1-bdd"],
        language: "C",
        families: &["eca-rers2012"],
        tasks: &["Problem0[1-6]_*"],
        safe_family: None,
        cpu: Duration::from_secs(300),
        memory: 15_000_000_000,
        table: Table::Seed1,
    },
    Group {
        name: "seed2-table2",
        about: "Decision diagrams, at three orders of the variables, against summaries with QBF and universal summaries on \
                Boolean programs (Basler, Kroening, Weissenbacher: SAT-Based Summarization for Boolean Programs, Table 2)",
        presets: &["bp-bdd", "bp-bdd-reverse", "bp-bdd-random", "bp-qbf", "bp-universal"],
        language: "BP",
        families: &[],
        tasks: &[],
        safe_family: None,
        cpu: Duration::from_secs(7200),
        memory: 4_000_000_000,
        table: Table::Seed2,
    },
    Group {
        name: "seed3-table1",
        about: "Large blocks: made before the analysis, by the operator at loop heads and function heads, and at loop heads \
                alone (Beyer, Keremoglu, Wendler: Predicate Abstraction with Adjustable-Block Encoding, Table I)",
        presets: &["preprocessed", "lbe", "loops"],
        language: "C",
        families: BLOCK_FAMILIES,
        tasks: &[],
        safe_family: None,
        cpu: Duration::from_secs(1800),
        memory: 4_000_000_000,
        table: Table::Seed3Large,
    },
    Group {
        name: "seed3-table2",
        about: "Block sizes from single operations to large blocks (the same, Table II and Figure 5)",
        presets: &[
            "sbe", "lbe-k10", "lbe-k20", "lbe-k30", "lbe-k40", "lbe-k50", "lbe-k60", "lbe-k70", "lbe-k80", "lbe-k90",
            "lbe-k100", "lbe",
        ],
        language: "C",
        families: BLOCK_FAMILIES,
        tasks: &[],
        safe_family: None,
        cpu: Duration::from_secs(1800),
        memory: 4_000_000_000,
        table: Table::Seed3Between,
    },
    Group {
        name: "seed3-table3",
        about: "Block sizes beyond large blocks: times and numbers of abstractions, for bugs and for locks; bounded \
                model checking, which finds the bugs as well (the same, Table III and Section IV.C)",
        presets: &["seed3-bmc", "lbe", "k50", "k100", "k150", "k200", "k250", "k300"],
        language: "C",
        families: BLOCK_FAMILIES,
        tasks: &[],
        safe_family: Some("locks"),
        cpu: Duration::from_secs(1800),
        memory: 4_000_000_000,
        table: Table::Seed3Beyond,
    },
    Group {
        name: "seed3-abstraction",
        about: "Boolean and cartesian abstraction, with single operations and with large blocks (the same, Section IV, \
                Configurations)",
        presets: &["sbe", "sbe-cartesian", "lbe", "lbe-cartesian"],
        language: "C",
        families: BLOCK_FAMILIES,
        tasks: &[],
        safe_family: None,
        cpu: Duration::from_secs(1800),
        memory: 4_000_000_000,
        table: Table::Seed3Abstraction,
    },
    Group {
        name: "seed4-table3",
        about: "Conjunctive and disjunctive images (Wang, Yang, Ivančić, Gupta: Disjunctive Image Computation for Embedded \
                Software Verification, Table 3)",
        presets: &["image-mono", "image-iwls95", "image-mlp", "image-pervar", "image-live-175"],
        language: "C",
        families: IMAGE_FAMILIES,
        tasks: IMAGE_TASKS,
        safe_family: None,
        cpu: Duration::from_secs(7200),
        memory: 4_000_000_000,
        table: Table::Seed4,
    },
    Group {
        name: "seed4-partition",
        about: "Three criteria and six thresholds for clusters of blocks (the same, the table that Section 7 omits)",
        presets: &[
            "image-live-0",
            "image-live-25",
            "image-live-50",
            "image-live-100",
            "image-live-175",
            "image-live-all",
            "image-asgn-0",
            "image-asgn-25",
            "image-asgn-50",
            "image-asgn-100",
            "image-asgn-175",
            "image-asgn-all",
            "image-cfg-0",
            "image-cfg-25",
            "image-cfg-50",
            "image-cfg-100",
            "image-cfg-175",
            "image-cfg-all",
        ],
        language: "C",
        families: IMAGE_FAMILIES,
        tasks: IMAGE_TASKS,
        safe_family: None,
        cpu: Duration::from_secs(7200),
        memory: 4_000_000_000,
        table: Table::Seed4,
    },
    Group {
        name: "seed4-locality",
        about: "What variable locality gives: dead variables forgotten, kept, or reset by the relation, and which variables a \
                relation has (the same, Section 5)",
        presets: &[
            "image-mlp",
            "image-mlp-keep",
            "image-mlp-reset",
            "image-live-175",
            "image-keep",
            "image-relevant",
            "image-off",
        ],
        language: "C",
        families: IMAGE_FAMILIES,
        tasks: IMAGE_TASKS,
        safe_family: None,
        cpu: Duration::from_secs(7200),
        memory: 4_000_000_000,
        table: Table::Seed4,
    },
    Group {
        name: "seed5-table4",
        about: "Predicates and numbers, alone and together (Gurfinkel, Chaki: Combining Predicate and Numeric Abstraction for \
                Software Model Checking, Tables III and IV, Figure 9)",
        presets: &["numeric-one", "np-numeric", "np-predicate", "np-nexpoint", "np-nex", "np-mtndd", "np-ndd"],
        language: "C",
        families: COMBINED_FAMILIES,
        tasks: &[],
        safe_family: None,
        cpu: Duration::from_secs(60),
        memory: 4_000_000_000,
        table: Table::Seed5,
    },
    Group {
        name: "seed5-figure8",
        about: "Templates (a) and (b) of Figure 8 (the same), as scripts/figure8 writes them",
        presets: &["np-nex", "np-mtndd", "np-ndd"],
        language: "C",
        families: &["figure8"],
        tasks: &[],
        safe_family: None,
        cpu: Duration::from_secs(60),
        memory: 4_000_000_000,
        table: Table::Seed5,
    },
];

/// The families of seed 5: state machines, drivers and loops.
const COMBINED_FAMILIES: &[&str] = &[
    "loops",
    "loop-acceleration",
    "loop-crafted",
    "loop-industry-pattern",
    "loop-invariants",
    "loop-invgen",
    "loop-lit",
    "loop-new",
    "locks",
    "ssh-simplified",
    "ntdrivers-simplified",
    "systemc",
];

/// The families of seed 4.
const IMAGE_FAMILIES: &[&str] =
    &["locks", "ssh-simplified", "ntdrivers-simplified", "systemc", "psyco", "ssh", "seq-mthreaded", "product-lines"];

/// The programs of seed 4: of each family the first three by name whose models have at most 2,000 blocks. They were fixed before
/// anything was measured.
const IMAGE_TASKS: &[&str] = &[
    "test_locks_10",
    "test_locks_12",
    "test_locks_13",
    "s3_clnt_1.cil-1",
    "s3_clnt_2.cil-1",
    "s3_clnt_2.cil-2",
    "cdaudio_simpl1.cil-1",
    "diskperf_simpl1.cil",
    "floppy_simpl3.cil-1",
    "kundu2.cil",
    "mem_slave_tlm.1.cil",
    "mem_slave_tlm.3.cil",
    "psyco_security",
    "s3_clnt.blast.01.i.cil-1",
    "s3_clnt.blast.04.i.cil-2",
    "s3_srvr.blast.02.i.cil-1",
    "pals_STARTPALS_ActiveStandby.ufo.BOUNDED-10.pals",
    "pals_STARTPALS_Triplicated.ufo.BOUNDED-10.pals",
    "pals_floodmax.4.1.ufo.UNBOUNDED.pals",
    "email_spec0_product19.cil",
    "email_spec0_product36.cil",
    "email_spec27_product19.cil",
];

/// The families of the tables of seed 3.
const BLOCK_FAMILIES: &[&str] = &["locks", "ntdrivers-simplified", "ssh-simplified"];

impl Group {
    /// Whether the table has a line for the task.
    pub fn wants(&self, task: &Task) -> bool {
        self.safe_family.is_none_or(|family| task.family == family || task.expected.verdict == Some(false))
    }
}

/// What the options `--preset` ask for.
#[derive(Default, Debug)]
pub struct Selection {
    /// The presets, each name once.
    pub presets: Vec<Preset>,
    /// The groups among them.
    pub groups: Vec<&'static Group>,
}

/// Reads the values of `--preset`: names of presets, groups and engines, or `NAME=ARGS`.
pub fn select(values: &[String], engines: &[&str]) -> Result<Selection, String> {
    let mut selection = Selection::default();
    let default = [DEFAULT.to_owned()];
    for value in if values.is_empty() { &default[..] } else { values } {
        if let Some((name, args)) = value.split_once('=') {
            let args = words::split(args).ok_or_else(|| format!("a quote is not closed in the preset '{value}'"))?;
            selection.add(Preset { name: valid_name(name)?.to_owned(), title: name.to_owned(), args })?;
        } else if let Some(group) = GROUPS.iter().find(|group| group.name == value) {
            selection.groups.push(group);
            for name in group.presets {
                selection.add(named(name, engines)?)?;
            }
        } else {
            selection.add(named(value, engines)?)?;
        }
    }
    Ok(selection)
}

impl Selection {
    fn add(&mut self, preset: Preset) -> Result<(), String> {
        match self.presets.iter().find(|p| p.name == preset.name) {
            Some(known) if *known == preset => {}
            Some(_) => return Err(format!("two different presets are called '{}'", preset.name)),
            None => self.presets.push(preset),
        }
        Ok(())
    }
}

/// Checks the name of a column: it becomes part of file names.
pub fn valid_name(name: &str) -> Result<&str, String> {
    let valid = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    if name.is_empty() || name.starts_with('.') || !name.chars().all(valid) {
        return Err(format!("'{name}' is no good name: letters, digits and - _ + . are"));
    }
    Ok(name)
}

/// The preset of this name, else the engine with its defaults.
fn named(name: &str, engines: &[&str]) -> Result<Preset, String> {
    let preset = |title: &str, args: &[&str]| Preset {
        name: name.to_owned(),
        title: title.to_owned(),
        args: args.iter().map(|&arg| arg.to_owned()).collect(),
    };
    match PRESETS.iter().find(|built_in| built_in.name == name) {
        Some(BuiltIn { title, args, .. }) => Ok(preset(title, args)),
        None if engines.contains(&name) => Ok(preset(name, &["--analysis", name])),
        None => {
            let mut names: Vec<_> = PRESETS.iter().map(|p| p.name).collect();
            names.extend(engines.iter().filter(|name| !PRESETS.iter().any(|p| p.name == **name)));
            names.extend(GROUPS.iter().map(|g| g.name));
            Err(format!("there is no preset '{name}'; there are {}, or define one: NAME=ARGS", names.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(values: &[&str]) -> Result<Vec<String>, String> {
        let values: Vec<_> = values.iter().map(|&v| v.to_owned()).collect();
        Ok(select(&values, &["bdd", "toy"])?.presets.into_iter().map(|p| p.name).collect())
    }

    #[test]
    fn selections() {
        assert_eq!(names(&[]).unwrap(), ["auto"]);
        assert_eq!(names(&["seed3-table1", "seed3-table2"]).unwrap().len(), 14);
        assert_eq!(names(&["lbe", "seed3-table1"]).unwrap(), ["lbe", "preprocessed", "loops"]);
        assert_eq!(names(&["x=--analysis bdd", "bdd"]).unwrap(), ["x", "bdd"]);
        let toy = select(&["toy".to_owned()], &["bdd", "toy"]).unwrap();
        assert_eq!(toy.presets[0].args, ["--analysis", "toy"], "an engine needs no line here");
        for wrong in [&["no"][..], &["bdd=--other"], &["=x"], &["a/b=x"], &[".=x"], &["x='"]] {
            let both = [wrong, &["bdd"]].concat();
            assert!(names(&both).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn groups_name_presets() {
        for group in GROUPS {
            for name in group.presets {
                // The papers' times hold no check of certificates.
                let args = named(name, &[]).unwrap().args;
                assert!(args.contains(&"never".to_owned()), "{name}: {args:?}");
            }
        }
    }
}
