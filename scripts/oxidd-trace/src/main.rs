//! Runs a list of operations with OxiDD and says what they cost, as JSON; see `crates/diagram/examples/trace.rs`. Sizes of the
//! store and the cache are those of `robusto_diagram::StoreSize::default()`, complement edges, one thread.

use oxidd::bcdd::{BCDDFunction, new_manager};
use oxidd::util::OutOfMemory;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, Manager, ManagerRef, Subst,
};

fn main() -> Result<(), OutOfMemory> {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let program: Vec<(&str, Vec<&str>)> = text
        .lines()
        .map(|line| {
            let mut words = line.split(' ');
            (words.next().unwrap_or_default(), words.collect())
        })
        .collect();
    let before = memory("VmRSS:");
    let start = cpu();
    let manager = new_manager(1 << 24, 1 << 20, 1);
    let bottom = manager.with_manager_shared(|manager| BCDDFunction::f(manager));
    let mut vars: Vec<BCDDFunction> = Vec::new();
    let mut registers: Vec<BCDDFunction> = Vec::new();
    let mut renamings: Vec<Subst<BCDDFunction>> = Vec::new();
    let (mut operations, mut results, mut label, mut next) = (0, Vec::new(), 0, 0);
    while let Some((name, words)) = program.get(next) {
        next += 1;
        operations += 1;
        let number = |place: usize| words[place].parse::<usize>().expect("a number");
        let register = |place: usize| &registers[number(place)];
        let value = match *name {
            "vars" => {
                manager.with_manager_exclusive(|manager| {
                    manager.add_vars(number(0) as u32);
                });
                manager.with_manager_shared(|manager| {
                    for var in 0..number(0) {
                        vars.push(BCDDFunction::var(manager, var as u32)?);
                    }
                    Ok::<_, OutOfMemory>(())
                })?;
                operations -= 1;
                continue;
            }
            "var" => vars[number(1)].clone(),
            "const" => if number(1) == 0 { bottom.clone() } else { bottom.not()? },
            "cube" => {
                let mut cube = bottom.not()?;
                let mut cubed: Vec<usize> = (1..words.len()).map(number).collect();
                cubed.sort_unstable();
                for &var in cubed.iter().rev() {
                    cube = vars[var].and(&cube)?;
                }
                cube
            }
            "and" => register(1).and(register(2))?,
            "or" => register(1).or(register(2))?,
            "xor" => register(1).xor(register(2))?,
            "not" => register(1).not()?,
            "ite" => register(1).ite(register(2), register(3))?,
            "exists" => register(1).exists(register(2))?,
            "andexists" => register(1).apply_exists(BooleanOperator::And, register(2), register(3))?,
            "rename" => register(1).substitute(&renamings[number(2)])?,
            "copy" => register(1).clone(),
            "drop" => bottom.clone(),
            "renaming" => {
                let pairs = words[1..].iter().filter_map(|pair| pair.split_once(':'));
                let (old, new): (Vec<u32>, Vec<BCDDFunction>) = pairs
                    .map(|(old, new)| {
                        let [old, new] = [old, new].map(|var| var.parse::<u32>().expect("a variable"));
                        (old, vars[new as usize].clone())
                    })
                    .unzip();
                renamings.push(Subst::new(old, new));
                continue;
            }
            "label" => {
                label = next;
                continue;
            }
            "until" => {
                if register(0) != register(1) {
                    next = label;
                }
                continue;
            }
            "result" => {
                // The terminal does not count.
                results.push(register(0).node_count() - 1);
                continue;
            }
            "group" => continue,
            other => panic!("OxiDD has no {other}"),
        };
        let register = number(0);
        if registers.len() <= register {
            registers.resize(register + 1, bottom.clone());
        }
        registers[register] = value;
    }
    println!(
        "{{\"seconds\": {:.4}, \"operations\": {operations}, \"memory\": {:.1}, \"results\": {results:?}}}",
        cpu() - start,
        memory("VmHWM:") - before,
    );
    Ok(())
}

/// A line of `/proc/self/status` in megabytes.
fn memory(what: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(what));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

/// Processor time so far, in seconds.
fn cpu() -> f64 {
    let times = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    times.split(' ').next().and_then(|time| time.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}
