//! From sets of footprints to regions and plans.

use super::build::{Builder, Copy, MAX_PLACES, Node, Range};
use super::footprint::{Extent, Footprint, is_outside};
use super::{Cells, CopyCell, CopyPlan, RangePart, Region, RegionId, Regions, has_one_address};
use robusto_cfa::analysis::points_to::{Base, Offset};
use robusto_cfa::ir::{EdgeId, FuncId, Idx, IdxVec, ObjectKind};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

impl Builder<'_> {
    pub(super) fn assemble(self, region_of: Vec<usize>, widths: &[u64], copies: &[Copy]) -> Regions {
        let id = |node: Node| RegionId::new(region_of[node]);
        let mut members: Vec<Vec<Node>> = vec![Vec::new(); widths.len()];
        for node in 0..self.nodes.len() {
            members[region_of[node]].push(node);
        }
        let mut regions: IdxVec<RegionId, Region> =
            members.iter().zip(widths).map(|(members, &width)| self.describe(members, width)).collect();
        for &node in &self.read {
            regions[id(node)].read = true;
        }
        let find = |(base, offset): (Base, Offset), at: u64, extent: Extent| {
            let offset = if is_outside(base) { offset } else { offset.plus(at as i64) };
            id(self.index[&Footprint { base, offset, extent }])
        };
        let mut plans = FxHashMap::default();
        for copy in copies {
            let plan = match &copy.cells {
                None => {
                    CopyPlan::Range { dst: find(copy.dst[0], 0, copy.extent), src: find(copy.src[0], 0, copy.extent) }
                }
                Some(cells) => {
                    let cell = |&(offset, size): &(u64, u64)| {
                        let extent = Extent::Cell(size);
                        let (dst, src) = (find(copy.dst[0], offset, extent), find(copy.src[0], offset, extent));
                        CopyCell { offset, size, dst, src }
                    };
                    CopyPlan::Cells(cells.iter().map(cell).collect())
                }
            };
            match &plan {
                CopyPlan::Range { src, .. } => regions[*src].read = true,
                CopyPlan::Cells(cells) => cells.iter().for_each(|c| regions[c.src].read = true),
            }
            plans.insert(copy.at, plan);
        }
        let mut ranges: FxHashMap<(FuncId, EdgeId), Vec<RangePart>> = FxHashMap::default();
        for range in &self.ranges {
            ranges.entry(range.at).or_default().extend(self.parts(range, &region_of, widths));
        }
        let mut bases: FxHashMap<Base, Vec<RangePart>> = FxHashMap::default();
        for &base in &self.bases {
            let size = match base {
                Base::Object(object) => Some(self.facts.program.objects[object].size).filter(|&size| size > 0),
                Base::Site(site) => self.facts.points_to.sites()[site].size,
                _ => None,
            };
            let extent = Extent::Range { size, unit: 1 };
            let all = Range {
                at: (FuncId::FIRST, EdgeId::FIRST),
                targets: vec![(base, Offset::exact(0))],
                extent,
                open: false,
            };
            bases.insert(base, self.parts(&all, &region_of, widths));
        }
        let accesses = self.accesses.iter().map(|(key, nodes)| (*key, id(nodes[0]))).collect();
        Regions { regions, accesses, copies: plans, ranges, bases }
    }

    /// The parts of a range.
    fn parts(&self, range: &Range, region_of: &[usize], widths: &[u64]) -> Vec<RangePart> {
        let mut parts: BTreeMap<usize, (Option<BTreeSet<u64>>, BTreeSet<Cells>)> = BTreeMap::new();
        self.for_each_meeting(range, |builder, node, footprint| {
            let (region, node) = (region_of[node], &builder.nodes[node]);
            let (places, cells) = parts.entry(region).or_insert_with(|| (Some(BTreeSet::new()), BTreeSet::new()));
            let found = match (range.extent, node.extent) {
                (Extent::Range { size: Some(size), .. }, Extent::Cell(bytes)) if !is_outside(footprint.base) => {
                    let (elements, width) = (bytes / widths[region], widths[region]);
                    let begins = node.places_in(footprint, size, MAX_PLACES / elements.max(1));
                    begins.map(|b| b.into_iter().flat_map(move |at| (0..elements).map(move |k| at + k * width)))
                }
                _ => None,
            };
            cells.extend(node.cells_in(footprint));
            match (&mut *places, found) {
                (Some(places), Some(found)) => places.extend(found),
                _ => *places = None,
            }
        });
        let few = |places: &BTreeSet<u64>| places.len() as u64 <= MAX_PLACES;
        let part = |(region, (places, cells)): (usize, (Option<BTreeSet<u64>>, BTreeSet<Cells>))| RangePart {
            region: RegionId::new(region),
            places: places.filter(few).map(|p| p.into_iter().collect()),
            cells: cells.into_iter().collect(),
        };
        parts.into_iter().map(part).collect()
    }

    fn describe(&self, members: &[Node], width: u64) -> Region {
        let program = &self.facts.program;
        let mut region =
            Region { width, single: None, only: None, statics: Vec::new(), others: false, outside: false, read: false };
        for &node in members {
            let Footprint { base, offset, .. } = self.nodes[node];
            let object = match base {
                Base::Object(object) => object,
                _ => {
                    region.others = true;
                    region.outside |= base == Base::Unknown;
                    continue;
                }
            };
            if matches!(program.objects[object].kind, ObjectKind::Local(_)) {
                region.others = true;
                continue;
            }
            let steps = if offset.as_exact().is_some() { 1 } else { width };
            let phases = (0..steps).map(|k| (offset.base() as u64).wrapping_add(k * offset.stride()) % width);
            match region.statics.iter_mut().find(|(o, _)| *o == object) {
                Some((_, known)) => known.extend(phases),
                None => region.statics.push((object, phases.collect())),
            }
        }
        for (_, phases) in &mut region.statics {
            phases.sort_unstable();
            phases.dedup();
        }
        region.statics.sort_unstable();
        let first = self.nodes[members[0]];
        // A cell that a fill cuts is not one value.
        let alone = members.len() == 1 && first.extent == Extent::Cell(width);
        let at = first.offset.as_exact().filter(|_| alone);
        region.only = at.and_then(|at| u64::try_from(at).ok()).map(|at| (first.base, at));
        let has_one_address = match first.base {
            Base::Object(object) => has_one_address(self.facts, object),
            Base::Site(site) => self.singles[site],
            Base::Function(_) | Base::Unknown | Base::Indeterminate => false,
        };
        if let (true, Some(at)) = (has_one_address, at) {
            region.single = Some((first.base, at as u64));
        }
        region
    }
}
