//! `robusto help`: pages for what does not fit into an option's line.

use crate::args::Cli;
use crate::engines::help_page;
use crate::exit::Exit;
use crate::output;
use anyhow::{Result, bail};
use clap::{Args, CommandFactory as _};
use robusto_engine::registry::Registry;

/// Arguments of `robusto help`.
#[derive(Args, Debug)]
pub struct HelpArgs {
    /// A command, or engines, properties, formats, library
    topic: Option<String>,
    /// The page `library` as Markdown
    #[arg(long)]
    markdown: bool,
}

const PAGES: [(&str, fn() -> String); 3] =
    [("engines", engines), ("properties", || PROPERTIES.to_owned()), ("formats", || FORMATS.to_owned())];

fn engines() -> String {
    format!("{}\n{OF_ALL_ENGINES}", help_page(&Registry::standard()))
}

/// Prints a page.
pub fn command(args: &HelpArgs) -> Result<Exit> {
    let mut cli = Cli::command();
    let text = match args.topic.as_deref() {
        None => cli.render_long_help().to_string(),
        Some("library") if args.markdown => robusto_cfa::library_page(),
        Some("library") => robusto_cfa::library_text(),
        Some(topic) => match PAGES.iter().find(|(name, _)| *name == topic) {
            Some((_, page)) => page(),
            None => match cli.find_subcommand_mut(topic) {
                Some(command) => {
                    let mut command = command.clone().bin_name(format!("robusto {topic}"));
                    command.render_long_help().to_string()
                }
                None => {
                    let pages = PAGES.map(|(name, _)| name).join(", ");
                    bail!("there is no page '{topic}'; there are {pages}, library, and one for each command");
                }
            },
        },
    };
    output::write_to(None, |out| out.write_all(text.as_bytes()))?;
    Ok(Exit::OK)
}

/// What holds of all engines.
const OF_ALL_ENGINES: &str = "\
predicate, impact, bmc and kind are bit-precise, with memory; --smt2 DIR writes the queries of their
solvers as SMT-LIB 2 scripts. Whatever the engine:
  - `false` is said only after the interpreter has replayed the counterexample;
  - `true` comes with a certificate, which is checked with new solver calls (`certified: yes`);
  - what a verdict takes for granted is listed with it (`assumptions:`);
  - a limit or Ctrl-C ends with `RESULT: unknown(…)` and what is known so far.
";

const PROPERTIES: &str = "\
Properties (robusto check --property NAME; may be given several times)

unreach-call   reach_error() and __VERIFIER_error() are never called
assert         no assert() fails, nor __CPROVER_assert, __ESBMC_assert, klee_assert or __VERIFIER_assert
label:NAME     no label NAME is reached
no-overflow    signed arithmetic stays in the range of its promoted type: + - * / % << ++ -- and unary
               minus, as C11 says (INT_MIN / -1, INT_MIN % -1, and left shifts of negative values or
               beyond the range included). Conversions to narrower types are not overflows.
               abs(INT_MIN), div(INT_MIN, -1) and their kin count, other library functions do not;
               so do constant expressions that an execution evaluates.
div-by-zero    no / or % on integers has a zero divisor
bad-shift      no shift is by a negative amount, or by the width of its type or more
valid-deref    every access is to a live object, every call through a pointer to a function
valid-free     only null and live heap objects are freed
valid-memtrack pointers lead to every live heap object
memcleanup     no heap object is live when the program ends; under --function, none that neither the result,
               the arguments nor globals lead to
valid-memsafety  the first three of these; `false` says which one: false(valid-deref)
memory         all four of them
uninit         no value that was never set decides a branch: of a local variable or of memory, also after
               it has been copied, passed or computed with (docs/memory.md)
default        error calls, assertions, valid-memsafety, division by zero, overflow, bad shifts: what is
               checked without a task file and without --property
all            each of the above but uninit, and labels that begin with `error`, as a property of its own

A property file (.prp) does as well: CHECK( init(main()), LTL(G ! call(reach_error())) ), with
G ! overflow for no-overflow, and G ! label(NAME). From a task file (.yml) comes the first property
that is supported, one of memory if there is no other; the verdict that it expects is compared with ours (`expected: …`).

An execution ends at its first invalid access to memory, whatever is asked for. Without a check of
memory, a `true` tells how many accesses were not shown to be valid, and if an execution is found that
makes one invalid, the answer is unknown(undefined behaviour: ...); --undefined ends, the default for a
task file that knows the verdict, lets such executions count as ended. Where several properties are checked at
once, it goes on behind overflows, divisions by zero, bad shifts, labels and a `reach_error` that
returns; a failed `assert` and a violation of memory end it. What lies behind an
assert counts as true; what every path reaches through an invalid access was not checked, and says so.

Without no-overflow, signed arithmetic wraps around. Without div-by-zero, a division by zero gives any
value. Uninitialised local variables have any value.
";

const FORMATS: &str = "\
Input
  .c            C17 with GNU extensions; files with #include go through a C compiler's preprocessor
  .i            preprocessed C
  .yml          task file of SV-COMP, format 1.0 or 2.0: program, properties, data model
  .prp          property file of SV-COMP
  .bp           Boolean program, for `robusto bp` (docs/boolprog.md)

Output of robusto check
  text          for people; the last line is `RESULT: true`, `RESULT: false(PROPERTY)` or
                `RESULT: unknown(REASON)`
  --json FILE   the outcome for programs (docs/json.md); with `-`, to standard output
  --witness FILE   a verification witness, YAML format 2.0, or 2.1 with --witness-format (docs/witness.md);
                `robusto witness check` validates witnesses, those of other tools too
  --certificate FILE   why a `true` holds (docs/certificates.md); `robusto certify` checks it again
  --harness FILE.c   a C file with the inputs; compiled together with the program it reaches the error
  --arg FILE    the abstract reachability graph as .svg or .dot

Sizes and times
  4GB is 4,000,000,000 bytes, 4GiB is 4,294,967,296; 90s, 1.5min, 500ms, 1h
";
