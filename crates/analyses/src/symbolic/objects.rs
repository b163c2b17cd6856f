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
//! | `Alone`: the same, of any size with 32-bit pointers | behind what was allocated before, in a second word | one word |
//! | `Slot(k)`: others of constant size | a multiple of 2ᵏ | array, by the object's address |
//! | `Sized`: others of any size with 64-bit pointers | in the room for its size, a multiple of the room's slot | array, by the object's address |
//! | `Dense`: others of any size with 32-bit pointers | one after the other | array, by the object's address, which a second array has for each 16 bytes |
//!
//! An extent is the object's size plus one, 0 where no object of the site lives. A slot is at least twice as large as its object, so that
//! pointers that are off by less than that do not reach the next object.
//!
//! A size is any that an implementation can give ([`DataModel::largest_object`], beyond which the lowering lets an allocation fail):
//!
//! - With 64-bit pointers, an object of a `Single` site that may be large has 2⁵⁷ addresses in the upper half of the heap. `Sized` objects
//!   lie in one of three [`Room`]s of 2⁶⁰ addresses each, the number of which stands in the upper bits of their addresses, so that an address
//!   tells the slot that it is in. A room is full when its objects have asked for more than 2⁵¹ bytes in all: 2³⁶ of at most 8 MiB,
//!   2²⁰ of at most 512 GiB, 8 of more. No machine has that much; an execution that would need it has run out of memory.
//! - With 32-bit pointers the addresses themselves are few. Objects lie one after the other, and an execution that needs more than there are
//!   has run out of memory, as in reality.

use super::addresses::Addresses;
use robusto_cfa::analysis::loops::LoopForest;
use robusto_cfa::analysis::points_to::{Base, SiteId};
use robusto_cfa::facts::Facts;
use robusto_cfa::ir::{AllocKind, Builtin, Claim, DataModel, Expr, FuncId, IdxVec, LocId, ObjectKind, Op};
use rustc_hash::FxHashMap;

/// Least size of a slot, as a power of two.
const LEAST_SLOT: u32 = 5;

/// The slot of an object of any size, as a power of two.
const LARGEST_SLOT: u32 = 57;

/// The largest slot with 32-bit pointers.
const SHORT_SLOT: u32 = 24;

/// The largest slot that objects of a constant size have in common with others.
const LARGEST_COMMON: u32 = 40;

/// Most sites with fixed addresses.
const MOST_SINGLE: usize = 32;

/// The largest object of a constant size with a fixed address, as a power of two.
const LARGEST: u32 = 16;

/// Bytes before the first heap object.
const HEAP_START: u64 = 256;

/// Where the objects of any size of `Single` sites begin with 64-bit pointers; each has a slot of its own up to the heap's end.
const LARGE_SINGLES: u64 = 1 << 62;

/// Addresses for `Sized` objects of like sizes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Room {
    /// Of at most 8 MiB.
    Small,
    /// Of at most 512 GiB.
    Medium,
    /// Of any size.
    Large,
}

impl Room {
    /// All of them, from the smallest slots to the largest.
    pub const ALL: [Room; 3] = [Room::Small, Room::Medium, Room::Large];

    /// Number of addresses of a room, as a power of two.
    pub(super) const ADDRESSES: u32 = 60;

    /// A slot, as a power of two.
    pub(super) fn slot(self) -> u32 {
        match self {
            Room::Small => 24,
            Room::Medium => 40,
            Room::Large => LARGEST_SLOT,
        }
    }

    /// The largest object.
    pub(super) fn most(self) -> u64 {
        1 << (self.slot() - 1)
    }

    /// The first address.
    pub(super) fn start(self) -> u64 {
        (self as u64 + 1) << Self::ADDRESSES
    }

    /// The address behind the last one.
    pub(super) fn end(self) -> u64 {
        self.start() + (1 << Self::ADDRESSES)
    }
}

/// How an allocation site's objects lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    /// There is at most one, here, in a slot of 2ᵏ bytes.
    Single(u64, u32),
    /// There is at most one, behind what was allocated before.
    Alone,
    /// At multiples of 2ᵏ.
    Slot(u32),
    /// In the room for their sizes.
    Sized,
    /// One after the other.
    Dense,
}

impl Class {
    /// Whether there is at most one object.
    pub fn has_one(self) -> bool {
        matches!(self, Class::Single(..) | Class::Alone)
    }
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
        let (mut at, mut at_large) = (addresses.heap().start + HEAP_START, LARGE_SINGLES);
        let short = facts.program.model == DataModel::Ilp32;
        let sites = facts.points_to.sites();
        let fixed = singles(facts);
        let singles = sites.ids().filter(|&s| self.watched[s] && once.site(facts, s)).count();
        self.classes = sites
            .enumerate()
            .map(|(id, site)| {
                let slot = site.size.map(|size| size.saturating_mul(2).max(1 << LEAST_SLOT));
                let slot = slot.and_then(|size| Some(size.checked_next_power_of_two()?.trailing_zeros()));
                let slot = slot.filter(|&slot| slot <= if short { SHORT_SLOT } else { LARGEST_COMMON });
                let is_single = fixed[id] || (singles <= MOST_SINGLE && self.watched[id] && once.site(facts, id));
                match slot {
                    Some(slot) if is_single => {
                        let address = at.next_multiple_of(1 << slot);
                        at = address + (1 << slot);
                        Class::Single(address, slot)
                    }
                    None if is_single && short => Class::Alone,
                    None if is_single => {
                        let address = at_large;
                        at_large += 1 << LARGEST_SLOT;
                        Class::Single(address, LARGEST_SLOT)
                    }
                    Some(slot) => Class::Slot(slot),
                    None if short => Class::Dense,
                    None => Class::Sized,
                }
            })
            .collect();
        self.start = at.next_multiple_of(HEAP_START);
    }

    /// The rooms that have objects.
    pub fn rooms(&self) -> &'static [Room] {
        if self.classes.iter().any(|class| *class == Class::Sized) { &Room::ALL } else { &[] }
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
