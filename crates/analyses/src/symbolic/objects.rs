//! Where allocated objects lie.
//!
//! A site that is executed at most once and asks for a constant size has a fixed address, so that its object is as good as a named one:
//! what lies in it are plain values, not elements of an array. (`ssh/s3_srvr.blast.08` of the corpus keeps its state in four such
//! objects: `pdr` proves it in 1.4 s, and gave up with a heap that grows.) Other objects lie one after the other.
//!
//! Where a program makes claims about memory, these ask for the object that an address belongs to. So allocated objects lie where an
//! address tells that, and each allocation site has a cell, its *extent*, that says how large its objects are:
//!
//! | class | address | extent |
//! |---|---|---|
//! | `Single`: executed at most once | fixed | one word |
//! | `Slot(k)`: others of constant size, and of any size with 64-bit pointers | a multiple of 2ᵏ | array, by the object's address |
//! | `Dense`: others | one after the other | array, by the object's address, which a second array has for each 16 bytes |
//!
//! An extent is the object's size plus one, 0 where no object of the site lives. An object of constant size has a slot of
//! at least twice its size, so that pointers that are off by less than that do not reach the next object.
//!
//! With 64-bit pointers an object of a size that is not constant has 256 MiB of addresses, of which there are 2¹⁷; an
//! execution that needs more has run out of memory.

use super::addresses::Addresses;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::analysis::points_to::{Base, SiteId};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{AllocKind, Builtin, Claim, DataModel, Expr, FuncId, IdxVec, LocId, ObjectKind, Op};
use rustc_hash::FxHashMap;

/// Least size of a slot, as a power of two.
const LEAST_SLOT: u32 = 5;

/// The slot of an object whose size is not constant, as a power of two.
const SLOT: u32 = 28;

/// The largest slot with 32-bit pointers.
const SHORT_SLOT: u32 = 24;

/// Most sites with fixed addresses.
const MOST_SINGLE: usize = 32;

/// The largest object of a constant size with a fixed address, as a power of two.
const LARGEST: u32 = 16;

/// Bytes before the first heap object.
const HEAP_START: u64 = 256;

/// How an allocation site's objects lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// There is at most one, here, in a slot of 2ᵏ bytes.
    Single(u64, u32),
    /// At multiples of 2ᵏ.
    Slot(u32),
    /// One after the other.
    Dense,
}

/// What claims about memory need to know.
#[derive(Debug, Default)]
pub(super) struct Objects {
    /// The classes of all sites; empty if the program makes no claims about allocated memory.
    pub classes: IdxVec<SiteId, Class>,
    /// The sites whose extents claims ask for.
    watched: IdxVec<SiteId, bool>,
    /// The functions whose pending calls claims ask for.
    active: FxHashMap<FuncId, ()>,
    /// The addresses of objects that are the only ones of their sites, if there are no classes.
    fixed: IdxVec<SiteId, Option<u64>>,
    /// Whether live heap objects are counted.
    pub counted: bool,
    /// Where the other heap objects begin.
    pub start: u64,
}

impl Objects {
    pub fn of(facts: &Facts, addresses: &Addresses) -> Self {
        let program = &facts.program;
        let mut objects = Self::default();
        let mut watched = IdxVec::filled(false, facts.points_to.sites().len());
        let mut any = false;
        for id in program.exprs.ids() {
            let Expr::Holds(claim, pointer, _) = program.exprs.get(id) else { continue };
            if matches!(claim, Claim::Tracked | Claim::Released) {
                objects.counted = true;
                continue;
            }
            for base in facts.points_to.of_expr(pointer).bases() {
                match base {
                    Base::Site(site) => {
                        watched[site] = true;
                        any = true;
                    }
                    Base::Object(object) => {
                        if let ObjectKind::Local(owner) = program.objects[object].kind {
                            objects.active.insert(owner, ());
                        }
                    }
                    _ => {}
                }
            }
        }
        // `realloc` asks how much there is to be kept.
        for edge in program.functions.iter().flat_map(|function| function.edges().iter()) {
            let Op::Builtin { builtin: Builtin::ObjectSize, ref args, .. } = edge.op else { continue };
            for base in args.iter().flat_map(|&pointer| facts.points_to.of_expr(pointer).bases()) {
                if let Base::Site(site) = base {
                    watched[site] = true;
                    any = true;
                }
            }
        }
        if any {
            objects.watched = watched;
            objects.classify(facts, addresses);
        } else {
            objects.place(facts, addresses);
        }
        objects
    }

    /// The address of the objects of a site, if there is one.
    pub fn fixed(&self, site: SiteId) -> Option<u64> {
        match self.classes.get(site) {
            Some(&Class::Single(address, _)) => Some(address),
            Some(_) => None,
            None => self.fixed.get(site).copied().flatten(),
        }
    }

    /// Gives addresses to the only objects of their sites.
    fn place(&mut self, facts: &Facts, addresses: &Addresses) {
        let first = addresses.heap().start + HEAP_START;
        let mut at = first;
        let sites = facts.points_to.sites();
        self.fixed = singles(facts)
            .enumerate()
            .map(|(id, &single)| {
                let size = sites[id].size.filter(|_| single)?;
                let address = at;
                at = (address + size + HEAP_START).next_multiple_of(HEAP_START);
                Some(address)
            })
            .collect();
        self.start = at;
    }

    /// Whether somebody asks for the extents of a site.
    pub fn watches(&self, site: SiteId) -> bool {
        self.watched.get(site).is_some_and(|&watched| watched)
    }

    /// Whether somebody asks whether a function has pending calls.
    pub fn watches_calls(&self, function: FuncId) -> bool {
        self.active.contains_key(&function)
    }

    fn classify(&mut self, facts: &Facts, addresses: &Addresses) {
        let once = Once::of(facts);
        let mut at = addresses.heap().start + HEAP_START;
        let short = facts.program.model == DataModel::Ilp32;
        let sites = facts.points_to.sites();
        let fixed = singles(facts);
        let singles = sites.ids().filter(|&s| self.watched[s] && once.site(facts, s)).count();
        self.classes = sites
            .enumerate()
            .map(|(id, site)| {
                let slot = site.size.map(|size| size.saturating_mul(2).max(1).next_power_of_two().trailing_zeros());
                let slot = slot.map(|slot| slot.max(LEAST_SLOT)).filter(|&slot| slot <= SHORT_SLOT);
                if fixed[id] || (singles <= MOST_SINGLE && self.watched[id] && once.site(facts, id)) {
                    let slot = slot.unwrap_or(if short { SHORT_SLOT } else { SLOT });
                    let address = at.next_multiple_of(1 << slot);
                    at = address + (1 << slot);
                    return Class::Single(address, slot);
                }
                match slot {
                    Some(slot) => Class::Slot(slot),
                    None if short => Class::Dense,
                    None => Class::Slot(SLOT),
                }
            })
            .collect();
        self.start = at.next_multiple_of(HEAP_START);
    }

    /// The watched sites that allocate on the stack in a function: their objects end with it.
    pub fn ending_with(&self, facts: &Facts, function: FuncId) -> Vec<SiteId> {
        let sites = facts.points_to.sites().enumerate();
        let of_function = sites.filter(|(_, site)| site.function == function && site.kind == AllocKind::Stack);
        of_function.map(|(id, _)| id).filter(|&id| self.watches(id)).collect()
    }
}

/// The sites that are executed at most once, for a constant size, if these are few.
pub(super) fn singles(facts: &Facts) -> IdxVec<SiteId, bool> {
    let sites = facts.points_to.sites();
    let none = IdxVec::filled(false, sites.len());
    let is_small = |size: u64| 0 < size && size <= 1 << LARGEST;
    let may_be = |id: SiteId| sites[id].size.is_some_and(is_small) && facts.points_to.reached(sites[id].function);
    if !sites.ids().any(may_be) {
        return none;
    }
    let once = Once::of(facts);
    let found: IdxVec<SiteId, bool> = sites.ids().map(|id| may_be(id) && once.site(facts, id)).collect();
    if found.iter().filter(|&&single| single).count() <= MOST_SINGLE { found } else { none }
}

/// Which locations an execution visits at most once.
struct Once {
    loops: IdxVec<FuncId, Option<LoopForest>>,
    functions: IdxVec<FuncId, bool>,
}

impl Once {
    fn of(facts: &Facts) -> Self {
        let program = &facts.program;
        let loops: IdxVec<FuncId, Option<LoopForest>> = program
            .functions
            .enumerate()
            .map(|(id, body)| facts.calls.is_reachable(id).then(|| LoopForest::of(body)))
            .collect();
        let mut calls: IdxVec<FuncId, Vec<(FuncId, LocId)>> = IdxVec::filled(Vec::new(), program.functions.len());
        for caller in program.functions.ids().filter(|&f| facts.calls.is_reachable(f)) {
            for site in facts.calls.sites(caller) {
                for &callee in &site.callees {
                    calls[callee].push((caller, program.functions[caller].edge(site.edge).src));
                }
            }
        }
        let mut functions = IdxVec::filled(false, program.functions.len());
        // Callers come before their callees.
        for &function in facts.calls.bottom_up().iter().rev() {
            functions[function] = !facts.calls.is_recursive(function)
                && match calls[function][..] {
                    [] => program.main == Some(function),
                    [(caller, loc)] => functions[caller] && in_no_loop(&loops, caller, loc),
                    _ => false,
                };
        }
        Self { loops, functions }
    }

    fn site(&self, facts: &Facts, site: SiteId) -> bool {
        let site = &facts.points_to.sites()[site];
        let edge = facts.program.functions[site.function].edge(site.edge);
        debug_assert!(matches!(edge.op, Op::Alloc { .. }));
        self.functions[site.function] && in_no_loop(&self.loops, site.function, edge.src)
    }
}

fn in_no_loop(loops: &IdxVec<FuncId, Option<LoopForest>>, function: FuncId, loc: LocId) -> bool {
    loops[function].as_ref().is_some_and(|forest| forest.depth(loc) == 0)
}
