//! Memory outside of the program's objects.
//!
//! A pointer from outside ([`Base::Unknown`]) is any number. Memory that it leads to lies in an area of addresses of its own
//! ([`robusto_interp::Layout`]), with a second one where numbers of the program are addresses, where everything may be accessed and holds anything at first; two such pointers may be equal, or lead
//! to bytes that overlap. That needs no objects: the area's part of a region is an array as any other, whose elements are symbols that
//! come into being where they are touched, and the interpreter gets them as the area's first content.
//!
//! | where an access through such a pointer goes | what follows |
//! |---|---|
//! | into the area | it takes place |
//! | into an object that points-to analysis names for the pointer | it takes place |
//! | into another object of the program | left out: the verdict lists that as an assumption |
//! | null, other numbers | the execution ends, as at any access to memory that is not there |
//!
//! So the guard of a step says that its accesses through such pointers are of the first two kinds. Where several objects are named, the
//! conditions are those of their regions: an execution of the third kind is found spurious by the replay then.
//!
//! Soundness: of the executions that the assumption allows, those that do not end at the access satisfy the condition. Exactness: a model
//! that satisfies it names addresses where the interpreter finds the area, or an object.

use super::expr::Scene;
use super::{Cell, Encoder};
use robusto_cfa::analysis::points_to::Base;
use robusto_cfa::ir::{Expr, ExprId, ObjectKind};
use robusto_limits::Stopped;
use robusto_logic::{Model, Term};
use std::ops::Range;

impl Encoder<'_> {
    /// Whether an address is in an area. Of one whose start is a multiple of its length, the upper bits tell.
    fn in_area(&mut self, address: Term, addresses: &Range<u64>) -> Term {
        let length = addresses.end - addresses.start;
        if !length.is_power_of_two() || !addresses.start.is_multiple_of(length) {
            return self.is_between(address, addresses.clone());
        }
        let low = length.trailing_zeros() as u16;
        let width = u16::from(self.facts.program.model.pointer_bits()) - low;
        let upper = self.terms.extract(address, low, width);
        let wanted = self.terms.constant(width, (addresses.start >> low).into());
        self.terms.eq(upper, wanted)
    }

    /// Whether that many bytes from an address on are outside of the program's objects, and may be accessed.
    pub(super) fn is_outside(&mut self, address: Term, size: Term) -> Term {
        let mut cases = Vec::new();
        for area in self.addresses.areas() {
            let most = self.pointer(area.longest);
            let (inside, few) = (self.in_area(address, &area.addresses), self.terms.ule(size, most));
            cases.push(self.terms.and(inside, few));
        }
        self.terms.or_all(&cases)
    }

    /// Where an access through a pointer takes place that may come from outside; `None` for other pointers. Of no bytes, it always does.
    pub(super) fn takes_place(&mut self, pointer: ExprId, address: Term, size: Term) -> Result<Option<Term>, Stopped> {
        let facts = self.facts;
        let targets = facts.points_to.of_expr(pointer);
        if !targets.may_be_unknown() {
            return Ok(None);
        }
        let zero = self.pointer(0);
        let mut cases = vec![self.terms.eq(size, zero), self.is_outside(address, size)];
        let (mut heap, mut stack) = (false, false);
        for base in targets.bases() {
            match base {
                Base::Object(object) => match facts.program.objects[object].kind {
                    ObjectKind::Local(_) => stack = true,
                    ObjectKind::Global(_) | ObjectKind::Constant(_) => {
                        let start = self.addresses.object(object, 0).unwrap_or(0);
                        let end = start + facts.program.objects[object].size;
                        cases.push(self.is_between(address, start..end));
                    }
                },
                Base::Site(_) => heap = true,
                Base::Function(_) | Base::Unknown | Base::Indeterminate => {}
            }
        }
        if heap {
            cases.push(self.is_between(address, self.addresses.heap()));
        }
        if heap || stack {
            cases.push(self.is_between(address, self.addresses.stack()));
        }
        Ok(Some(self.terms.or_all(&cases)))
    }

    fn is_between(&mut self, address: Term, range: Range<u64>) -> Term {
        let (start, length) = (self.pointer(range.start), self.pointer(range.end - range.start));
        let distance = self.terms.sub(address, start);
        self.terms.ult(distance, length)
    }

    /// The conditions under which the loads of an expression that has been evaluated take place.
    pub(super) fn loads_take_place(&mut self, scene: &Scene<'_>, root: ExprId) -> Result<Vec<Term>, Stopped> {
        let facts = self.facts;
        let mut conditions = Vec::new();
        for &load in facts.uses.loads(root) {
            if let Expr::Load(ty, pointer) = facts.program.exprs.get(load) {
                let size = self.pointer(ty.size(facts.program.model));
                conditions.extend(self.takes_place(pointer, scene.known(pointer), size)?);
            }
        }
        Ok(conditions)
    }

    /// What memory outside of the program's objects holds in a model when the program starts: bytes that matter, by address.
    pub fn outside_content(&self, model: &Model) -> Vec<(u64, u8)> {
        let areas = self.addresses.areas();
        // An access that begins in an area may end behind it.
        let near = |at: &u64| areas.iter().any(|a| (a.addresses.start..a.addresses.end + a.longest).contains(at));
        let mut content = Vec::new();
        for (id, region) in self.regions.regions.enumerate().filter(|(_, region)| region.outside) {
            let symbol = self.inputs.get(&Cell::Region(id)).and_then(|&input| self.terms.as_symbol(input));
            let elements = symbol.and_then(|symbol| model.array(symbol)).into_iter().flat_map(|array| &array.elements);
            for (&address, &element) in elements {
                if let Some(address) = u64::try_from(address).ok().filter(near) {
                    let bytes = element.to_le_bytes();
                    content.extend((address..).zip(bytes.into_iter().take(region.width as usize)));
                }
            }
        }
        content
    }
}
