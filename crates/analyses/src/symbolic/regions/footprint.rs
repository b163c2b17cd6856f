//! Sets of bytes that an access may touch, and how two of them can meet.

use super::Cells;
use robusto_cfa::analysis::points_to::{Base, Offset, gcd};

/// The bytes of a cell, or of a range, at some offsets of a base.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Footprint {
    pub base: Base,
    pub offset: Offset,
    pub extent: Extent,
}

/// How many bytes, and as what.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Extent {
    /// A value of this many bytes.
    Cell(u64),
    /// A range. It has `size` bytes, or, if that is not known, any multiple of `unit`.
    Range { size: Option<u64>, unit: u64 },
}

/// Longest range that is told from an unbounded one.
const UNBOUNDED: u64 = 1 << 40;

impl Extent {
    pub fn bytes(self) -> u64 {
        match self {
            Extent::Cell(size) | Extent::Range { size: Some(size), .. } => size,
            Extent::Range { size: None, .. } => UNBOUNDED,
        }
    }
}

/// Whether the base stands for memory that no object of the program owns.
pub(super) fn is_outside(base: Base) -> bool {
    matches!(base, Base::Unknown | Base::Indeterminate)
}

impl Footprint {
    /// Whether both can have a byte in common.
    pub fn may_overlap(&self, other: &Self) -> bool {
        self.base == other.base && self.offset.may_overlap(self.extent.bytes(), other.offset, other.extent.bytes())
    }

    /// Whether both, in elements of `width` bytes, begin only at multiples of the width apart from each other. Memory
    /// outside of all objects is taken to be accessed at aligned addresses.
    pub fn is_aligned_with(&self, other: &Self, width: u64) -> bool {
        let step = gcd(self.offset.stride(), other.offset.stride());
        is_outside(self.base)
            || (step.is_multiple_of(width) && self.offset.base().abs_diff(other.offset.base()).is_multiple_of(width))
    }

    /// For cells of the same `width`: whether they can overlap without being the same.
    pub fn may_cross(&self, other: &Self, width: u64) -> bool {
        if is_outside(self.base) {
            return false;
        }
        let (step, width) = (gcd(self.offset.stride(), other.offset.stride()) as i64, width as i64);
        let difference = self.offset.base() - other.offset.base();
        match step {
            0 => difference != 0 && difference.abs() < width,
            // The differences that can occur are those with this remainder; the nearest to 0 on either side count.
            step => {
                let above = difference.rem_euclid(step);
                let above = if above == 0 { step } else { above };
                let below = difference.rem_euclid(step) - step;
                above < width || -below < width
            }
        }
    }

    /// Whether a cell can lie across an edge of a range.
    pub fn is_cut_by(&self, range: &Self) -> bool {
        let Extent::Range { size, unit } = range.extent else { return false };
        let width = self.extent.bytes();
        if is_outside(self.base) {
            return !unit.is_multiple_of(width);
        }
        let step = gcd(self.offset.stride(), range.offset.stride());
        let difference = self.offset.base() - range.offset.base();
        // Whether some difference that can occur lies in `low..=high`.
        let occurs = |low: i64, high: i64| match step as i64 {
            0 => (low..=high).contains(&difference),
            step => low <= high && low + (difference - low).rem_euclid(step) <= high,
        };
        let width = width as i64;
        if occurs(1 - width, -1) {
            return true;
        }
        match size {
            Some(size) => {
                let size = size.min(UNBOUNDED) as i64;
                occurs((size - width + 1).max(0), size - 1)
            }
            None => {
                let unit = unit as i64;
                let step = gcd(step, unit as u64) as i64;
                let last = unit - width;
                // The largest remainder modulo `unit` that a difference has.
                last < 0 || unit - step + difference.rem_euclid(step) > last
            }
        }
    }

    /// Where a cell can begin relative to a range of `size` bytes that it meets; `None` if there are too many places or
    /// an edge cuts it.
    pub fn places_in(&self, range: &Self, size: u64, limit: u64) -> Option<Vec<u64>> {
        let (width, size) = (self.extent.bytes() as i64, size as i64);
        let step = gcd(self.offset.stride(), range.offset.stride()) as i64;
        let difference = self.offset.base() - range.offset.base();
        let first = match step {
            0 if difference <= -width || difference >= size => return Some(Vec::new()),
            0 => difference,
            step => 1 - width + (difference - (1 - width)).rem_euclid(step),
        };
        let count = if step == 0 { 1 } else { (size - first + step - 1).max(0) / step };
        if count as u64 > limit {
            return None;
        }
        let places = (0..count).map(|k| first + k * step);
        places.map(|at| (at >= 0 && at + width <= size).then_some(at as u64)).collect()
    }
}

impl Footprint {
    /// The cells relative to the start of a range, if they are cells.
    pub fn cells_in(&self, range: &Self) -> Option<Cells> {
        let Extent::Cell(size) = self.extent else { return None };
        let stride = gcd(self.offset.stride(), range.offset.stride());
        let difference = self.offset.base() - range.offset.base();
        let first = if stride == 0 { difference } else { difference.rem_euclid(stride as i64) };
        Some(Cells { first: u64::try_from(first).ok()?, stride, size })
    }
}

/// The offsets at which `bytes` bytes fit into an object of a size, if that is known.
pub(super) fn clip(offset: Offset, object: Option<u64>, bytes: u64) -> Option<Offset> {
    let (base, stride) = (offset.base(), offset.stride());
    let Some(size) = object else { return Some(offset).filter(|o| o.as_exact().is_none_or(|at| at >= 0)) };
    let fits = |at: i64| at >= 0 && (at as u64).saturating_add(bytes) <= size;
    match offset.as_exact() {
        Some(at) => Some(offset).filter(|_| fits(at)),
        None if !fits(base) => None,
        None if !fits(base.saturating_add_unsigned(stride)) => Some(Offset::exact(base)),
        None => Some(offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use robusto_cfa::ir::{Idx, ObjId};

    fn cell(base: i64, stride: u64, bytes: u64) -> Footprint {
        let object = Base::Object(ObjId::new(0));
        Footprint { base: object, offset: Offset::strided(base, stride), extent: Extent::Cell(bytes) }
    }

    fn offsets(f: &Footprint) -> Vec<i64> {
        match f.offset.as_exact() {
            Some(at) => vec![at],
            None => (-40..40).map(|k| f.offset.base() + k * f.offset.stride() as i64).collect(),
        }
    }

    /// Every relation against enumeration.
    #[test]
    fn relations_agree_with_enumeration() {
        let shapes = [(0, 0), (4, 0), (5, 0), (8, 0), (0, 4), (2, 4), (1, 6), (4, 8), (0, 12), (0, 1), (3, 3)];
        for (b1, s1) in shapes {
            for (b2, s2) in shapes {
                for width in [1, 2, 4, 8] {
                    let (x, y) = (cell(b1, s1, width), cell(b2, s2, width));
                    let differences = || {
                        let ys = offsets(&y);
                        offsets(&x).into_iter().flat_map(move |a| ys.clone().into_iter().map(move |b| a - b))
                    };
                    let crossing = differences().any(|d| d != 0 && d.abs() < width as i64);
                    assert_eq!(x.may_cross(&y, width), crossing, "{x:?} {y:?}");
                    for size in [4, 8, 12] {
                        let range = Footprint { extent: Extent::Range { size: Some(size), unit: size }, ..y };
                        let (w, n) = (width as i64, size as i64);
                        let meets = |d: i64| d > -w && d < n;
                        let cut = differences().any(|d| meets(d) && (d < 0 || d + w > n));
                        assert_eq!(x.is_cut_by(&range), cut, "{x:?} in {range:?}");
                        let mut places: Vec<i64> = differences().filter(|&d| meets(d)).collect();
                        places.sort_unstable();
                        places.dedup();
                        let found = x.places_in(&range, size, 100);
                        assert_eq!(found.is_none(), cut);
                        if let Some(found) = found {
                            assert_eq!(found, places.iter().map(|&d| d as u64).collect::<Vec<_>>());
                        }
                    }
                    for unit in [1u64, 2, 4, 6, 8] {
                        let range = Footprint { extent: Extent::Range { size: None, unit }, ..y };
                        let w = width as i64;
                        let cut = differences().any(|d| {
                            (d < 0 && d > -w)
                                || (d >= 0 && (1..60).map(|k| k * unit as i64).any(|n| d < n && d + w > n))
                        });
                        // A single place before the range is not cut by its end.
                        assert!(x.is_cut_by(&range) || !cut, "{x:?} in {range:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn clipping_finds_the_only_place() {
        assert_eq!(clip(Offset::ANY, Some(4), 4), Some(Offset::exact(0)));
        assert_eq!(clip(Offset::strided(2, 4), Some(8), 4), Some(Offset::exact(2)));
        assert_eq!(clip(Offset::exact(4), Some(4), 4), None);
        assert_eq!(clip(Offset::exact(-4), None, 4), None);
        assert_eq!(clip(Offset::strided(0, 4), Some(12), 4), Some(Offset::strided(0, 4)));
    }
}
