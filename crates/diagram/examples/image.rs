//! How fast images are computed: `cargo run --release -p robusto-diagram --example image [log2 nodes] [log2 cache]`.

use std::time::{Duration, Instant};

use robusto_diagram::{Assignment, Bdd, Diagrams, Full, StoreSize, VarIndex};
use robusto_testing::Random;

fn main() -> Result<(), Full> {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse::<u32>().expect("a number"));
    let default = StoreSize::default();
    let size = StoreSize {
        nodes: arguments.next().map_or(default.nodes, |log| 1 << log),
        cache: arguments.next().map_or(default.cache, |log| 1 << log),
    };
    start_up(size);
    for cells in [20, 40, 60] {
        scheduler(cells, size)?;
    }
    events(40, size)
}

/// Resident memory in megabytes, where the system tells.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// What it costs to have diagrams at all.
fn start_up(size: StoreSize) {
    let (before, start) = (resident(), Instant::now());
    let diagrams = Diagrams::new(64, size);
    let cube = diagrams.cube(&[VarIndex::new(3), VarIndex::new(9)]);
    println!(
        "start-up             {:8.2} ms  {:6.1} MB resident ({} nodes, {} cache entries)",
        ms(start.elapsed()),
        resident() - before,
        size.nodes,
        size.cache,
    );
    drop(cube);
}

/// Reachability in Milner's scheduler (a ring of cells that start in turn and end in any order), a relational product
/// per cell and round; current and next variables alternate.
fn scheduler(cells: u32, size: StoreSize) -> Result<(), Full> {
    let diagrams = Diagrams::new(6 * cells, size);
    let d = &diagrams;
    let start = Instant::now();
    // Per cell: it has the token (0), it may pass the token on (1), its task runs (2).
    let now = |cell: u32, part: u32| VarIndex::new(6 * (cell % cells) + 2 * part);
    let next = |cell: u32, part: u32| VarIndex::new(6 * (cell % cells) + 2 * part + 1);
    let is = |var, value| d.literal(var, value);
    let all = |literals: &[Result<Bdd, Full>]| {
        literals.iter().try_fold(d.top(), |all, literal| d.and(&all, literal.as_ref().map_err(|&full| full)?))
    };
    struct Step {
        relation: Bdd,
        old: Bdd,
        renaming: robusto_diagram::Renaming,
    }
    let step = |relation: Result<Bdd, Full>, vars: &[(u32, u32)]| {
        let old: Vec<_> = vars.iter().map(|&(cell, part)| now(cell, part)).collect();
        let pairs: Vec<_> = vars.iter().map(|&(cell, part)| (next(cell, part), now(cell, part))).collect();
        Ok(Step { relation: relation?, old: d.cube(&old)?, renaming: d.renaming(&pairs)? })
    };
    let mut steps = Vec::new();
    for cell in 0..cells {
        let [token, pass, task] = [0, 1, 2].map(|part| (now(cell, part), next(cell, part)));
        let neighbour = (now(cell + 1, 0), next(cell + 1, 0));
        steps.push(step(
            all(&[is(token.0, true), is(task.0, false), is(token.1, false), is(pass.1, true), is(task.1, true)]),
            &[(cell, 0), (cell, 1), (cell, 2)],
        )?);
        steps.push(step(
            all(&[is(pass.0, true), is(pass.1, false), is(neighbour.1, true)]),
            &[(cell, 1), (cell + 1, 0)],
        )?);
        steps.push(step(all(&[is(task.0, true), is(task.1, false)]), &[(cell, 2)])?);
    }
    let initial: Vec<_> =
        (0..cells).flat_map(|cell| (0..3).map(move |part| (now(cell, part), cell == 0 && part == 0))).collect();
    let mut reached = d.literals(&initial)?;
    let mut images = 0;
    loop {
        let mut round = reached.clone();
        for step in &steps {
            let image = d.rename(&d.and_exists(&round, &step.relation, &step.old)?, &step.renaming)?;
            round = d.or(&round, &image)?;
            images += 1;
        }
        if round == reached {
            break;
        }
        reached = round;
    }
    let vars: Vec<_> = initial.iter().map(|&(var, _)| var).collect();
    println!(
        "scheduler {cells:3}        {:8.2} ms  {images} images, {:e} states in {} nodes, {} nodes in store",
        ms(start.elapsed()),
        d.count(&reached, &vars),
        d.node_count(&reached),
        d.statistics().nodes,
    );
    Ok(())
}

/// An event-condition-action program as the analysis of such C programs sees it: twenty variables of two to four bits, a
/// loop of rules `if (v == c && (w == d || u != e)) { v = c'; w = d'; }`, each of which constrains, assigns and joins.
fn events(rules: usize, size: StoreSize) -> Result<(), Full> {
    let widths: Vec<u32> = (0..20).map(|var| 2 + var % 3).collect();
    let first: Vec<u32> = widths.iter().scan(0, |sum, width| Some(std::mem::replace(sum, *sum + width))).collect();
    let diagrams = Diagrams::new(widths.iter().sum(), size);
    let d = &diagrams;
    let mut random = Random::new(42);
    let vars = |var: usize| (first[var]..first[var] + widths[var]).map(VarIndex::new).collect::<Vec<_>>();
    let equals = |var: usize, value: u64| {
        let literals: Vec<_> =
            vars(var).into_iter().enumerate().map(|(bit, var)| (var, value >> bit & 1 == 1)).collect();
        d.literals(&literals)
    };
    struct Rule {
        condition: Bdd,
        actions: Vec<Assignment>,
    }
    let mut program = Vec::new();
    for _ in 0..rules {
        let mut choose = || {
            let var = random.below(20) as usize;
            (var, random.below(1 << widths[var]))
        };
        let [(v, c), (w, x), (u, e), (a, y), (b, z)] = [(); 5].map(|()| choose());
        let either = d.or(&equals(w, x)?, &d.not(&equals(u, e)?)?)?;
        let condition = d.and(&equals(v, c)?, &either)?;
        let assign = |var: usize, value: u64| {
            d.assignment(&vars(var), &d.circuits(1000).constant(widths[var] as usize, value.into()), &[])
        };
        program.push(Rule { condition, actions: vec![assign(a, y)?, assign(b, z)?] });
    }
    let (mut operations, mut restarts, mut largest, mut total_nodes, mut samples) = (0u32, 0, 0, 0, 0);
    d.set_timing(true);
    let base = d.statistics();
    let start = Instant::now();
    'search: loop {
        // A state in which half of the variables are unknown.
        let mut new = d.top();
        for var in (0..20).step_by(2) {
            new = d.and(&new, &equals(var + random.below(2) as usize, random.below(4))?)?;
        }
        restarts += 1;
        'restart: loop {
            let reached = new.clone();
            for rule in &program {
                let mut image = d.and(&new, &rule.condition)?;
                let rest = d.diff(&new, &rule.condition)?;
                for action in &rule.actions {
                    image = d.assign(&image, action)?;
                }
                operations += 8;
                if operations > 200_000 {
                    break 'search;
                }
                if d.leq(&image, &new) {
                    continue;
                }
                new = d.or(&d.or(&rest, &image)?, &reached)?;
                let nodes = d.node_count(&new);
                (largest, total_nodes, samples) = (largest.max(nodes), total_nodes + nodes, samples + 1);
                // Such programs have sets of a few hundred to a few thousand nodes.
                if nodes > 3000 {
                    break 'restart;
                }
            }
            if new == reached {
                break;
            }
        }
    }
    let elapsed = start.elapsed();
    let statistics = d.statistics();
    println!(
        "events {rules:3} rules     {:8.2} ms  {:.0} operations/s, {:.0} % in diagrams, {restarts} restarts, sets of {} nodes \
         (at most {largest}), {} nodes in store, {} collections, {:.0} MB resident",
        ms(elapsed),
        (statistics.operations - base.operations) as f64 / elapsed.as_secs_f64(),
        100.0 * statistics.time.as_secs_f64() / elapsed.as_secs_f64(),
        total_nodes / samples.max(1),
        statistics.nodes,
        statistics.collections,
        resident(),
    );
    Ok(())
}
