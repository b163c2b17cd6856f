//! Memory as the program sees it: bytes at addresses.
//!
//! An address is a number as wide as the data model's pointers, and a pointer in memory is its bytes; so unions,
//! `memcpy` and casts between integers and pointers need no special care. Objects have red zones around them, dead
//! objects keep their addresses for a while, and every access is checked against the object that it hits.

mod fault;
pub(crate) mod heap;
pub(crate) mod layout;
mod outside;
mod pages;
mod region;
mod tracking;

pub use fault::{Access, InvalidAccess, Problem};

use crate::EdgeRef;
use heap::{Content, FreeLists, Large};
use layout::{HEAP, Layout, REGIONS, STACK, STATICS};
use outside::Outside;
use region::Region;
use robusto_cfa::ir::{AllocKind, ObjId, ObjectKind, Program, RelocTarget};
use rustc_hash::FxHashSet;

/// What a piece of memory is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Not an object.
    Nothing,
    /// A variable or constant of the program.
    Object(ObjId),
    /// A heap block, with the place that allocated it.
    Heap(EdgeRef),
    /// A variable-length array or `alloca` block, with the place that allocated it.
    Alloca(EdgeRef),
    /// Something that the environment provides, with its name.
    Environment(&'static str),
    /// Memory outside of the program's objects.
    Outside,
}

/// Where an address points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The object.
    pub what: What,
    /// Bytes from its start; may be outside of it.
    pub offset: i64,
    /// The object's size.
    pub size: u64,
    /// Whether its life has ended.
    pub dead: bool,
}

/// The data model's address space or the configured limit is exhausted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("out of memory")]
pub(crate) struct OutOfMemory;

/// A place on the stack to go back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StackMark {
    blocks: usize,
    end: u64,
    large: usize,
}

/// Bytes of stack from which on addresses of arrays that have ended come back.
const RESTING: u64 = 1 << 20;

/// All memory of an execution.
#[derive(Debug)]
pub struct Memory {
    pub(crate) layout: Layout,
    /// Region 2 stays empty: its blocks are in `large`.
    regions: [Region; REGIONS],
    free_lists: FreeLists,
    large: Large,
    /// The addresses of large blocks of the stack that is in use.
    large_arrays: Vec<u64>,
    /// The addresses of live heap blocks that are the library's.
    kept: FxHashSet<u64>,
    /// Where pointers from outside lead, if there is such memory.
    outside: Option<Outside>,
    limit: u64,
}

impl Memory {
    /// Memory at the start of the program, with at most `limit` bytes ever in use.
    pub(crate) fn new(program: &Program, layout: &Layout, limit: u64) -> Result<Self, OutOfMemory> {
        let regions = std::array::from_fn(|region| Region::new(layout.base(region)));
        let mut memory = Self {
            layout: layout.clone(),
            regions,
            free_lists: FreeLists::default(),
            large: Large::new(layout.large()),
            large_arrays: Vec::new(),
            kept: FxHashSet::default(),
            outside: None,
            limit,
        };
        if memory.layout.statics_end > limit.min(memory.layout.room(STATICS)) {
            return Err(OutOfMemory);
        }
        for (id, object) in program.objects.enumerate() {
            let Some(start) = memory.layout.offset(id) else { continue };
            let index = memory.regions[STATICS].push_at(start, object.size, What::Object(id));
            let (ObjectKind::Global(image) | ObjectKind::Constant(image)) = &object.kind else { continue };
            let width = usize::from(program.model.pointer_bits() / 8);
            let relocations = image.relocations.iter().map(|relocation| {
                let target = match relocation.target {
                    RelocTarget::Object(object) => memory.layout.object(object).unwrap_or(0),
                    RelocTarget::Function(function) => memory.layout.function(function),
                };
                (relocation.offset as usize, target.wrapping_add_signed(relocation.addend))
            });
            let bytes = &mut memory.regions[STATICS].bytes[start as usize..(start + object.size) as usize];
            bytes[..image.bytes.len()].copy_from_slice(&image.bytes);
            for (at, target) in relocations {
                bytes[at..at + width].copy_from_slice(&target.to_le_bytes()[..width]);
            }
            if matches!(object.kind, ObjectKind::Constant(_)) {
                memory.regions[STATICS].protect(index);
            }
        }
        Ok(memory)
    }

    /// From now on there is memory outside of the program's objects, with these bytes at first.
    pub(crate) fn open_outside(&mut self, content: impl IntoIterator<Item = (u64, u8)>) {
        self.outside = Some(Outside::new(&self.layout, content));
    }

    /// Whether so many bytes from an address on lie outside of the program's objects, and may be accessed.
    pub(crate) fn is_outside(&self, addr: u64, size: u64) -> bool {
        self.outside.as_ref().is_some_and(|outside| outside.has(addr, size))
    }

    fn region(&self, addr: u64) -> Option<&Region> {
        self.regions.get((addr >> self.layout.shift) as usize)
    }

    /// The bytes at an address, if all of them may be read. (Of memory outside, and of very large objects, those that lie on one page.)
    pub fn bytes(&self, addr: u64, size: u64) -> Option<&[u8]> {
        if size == 0 {
            return Some(&[]);
        }
        self.own_bytes(addr, size).or_else(|| self.outside.as_ref()?.slice(addr, size))
    }

    /// The bytes at an address of an object.
    fn own_bytes(&self, addr: u64, size: u64) -> Option<&[u8]> {
        if let Some(region) = self.region(addr)
            && let Some(at) = region.readable(addr, size)
        {
            return region.bytes.get(at..at + size as usize);
        }
        let block = self.large.at(addr, size)?;
        let at = addr - block.addr;
        match &block.content {
            Content::Dead => None,
            Content::Whole(bytes) => bytes.get(at as usize..(at + size) as usize),
            Content::Sparse(pages) => pages.slice(at, size),
        }
    }

    /// Whether all bytes at an address may be read.
    pub(crate) fn is_readable(&self, addr: u64, size: u64) -> bool {
        let in_region = || self.region(addr).is_some_and(|region| region.readable(addr, size).is_some());
        size == 0 || in_region() || self.large.at(addr, size).is_some() || self.is_outside(addr, size)
    }

    /// Lets somebody write all bytes at an address, if that may be and there is memory for it.
    pub(crate) fn update(&mut self, addr: u64, size: u64, set: impl FnOnce(&mut [u8])) -> Option<()> {
        if self.bytes_mut(addr, size).is_none() {
            let mut bytes = self.copy_of(addr, size).filter(|_| self.is_writable(addr, size))?;
            set(&mut bytes);
            return self.put(addr, &bytes);
        }
        self.bytes_mut(addr, size).map(set)
    }

    /// A copy of the bytes at an address, if they may be read and there is memory for them.
    fn copy_of(&self, addr: u64, size: u64) -> Option<Vec<u8>> {
        if size > self.left() {
            return None;
        }
        if let Some(bytes) = self.own_bytes(addr, size) {
            return Some(bytes.to_vec());
        }
        match self.large.at(addr, size).map(|block| (block.addr, &block.content)) {
            Some((start, Content::Sparse(pages))) => Some(pages.get(addr - start, size)),
            _ => self.outside.as_ref()?.get(addr, size),
        }
    }

    /// Writes bytes to pages, of a very large object or of memory outside.
    fn put(&mut self, addr: u64, bytes: &[u8]) -> Option<()> {
        if bytes.len() as u64 > self.left() {
            return None;
        }
        if self.large.at(addr, bytes.len() as u64).is_some() {
            return self.large.put(addr, bytes);
        }
        self.outside.as_mut()?.put(addr, bytes)
    }

    /// The bytes at an address of an object, if all of them may be written and lie in one buffer.
    pub(crate) fn bytes_mut(&mut self, addr: u64, size: u64) -> Option<&mut [u8]> {
        if size == 0 {
            return Some(&mut []);
        }
        if let Some(region) = self.regions.get_mut((addr >> self.layout.shift) as usize)
            && let Some(at) = region.writable(addr, size)
        {
            return region.bytes.get_mut(at..at + size as usize);
        }
        let index = self.large.find(addr)?;
        let block = &mut self.large.blocks[index];
        let at = block.offset(addr, size)?;
        match &mut block.content {
            Content::Whole(bytes) => bytes.get_mut(at as usize..(at + size) as usize),
            Content::Dead | Content::Sparse(_) => None,
        }
    }

    /// Whether all bytes at an address may be written.
    pub(crate) fn is_writable(&self, addr: u64, size: u64) -> bool {
        let in_region = || self.region(addr).is_some_and(|region| region.writable(addr, size).is_some());
        size == 0 || in_region() || self.large.at(addr, size).is_some() || self.is_outside(addr, size)
    }

    /// The little-endian number in 1 to 8 bytes at an address.
    #[inline]
    pub(crate) fn read(&self, addr: u64, size: u8) -> Option<u64> {
        if let Some(region) = self.region(addr)
            && let Some(at) = region.readable(addr, size.into())
        {
            return number(&region.bytes, at, size);
        }
        if let Some(bytes) = self.own_bytes(addr, size.into()) {
            return number(bytes, 0, size);
        }
        match self.large.at(addr, size.into()).map(|block| (block.addr, &block.content)) {
            Some((start, Content::Sparse(pages))) => Some(pages.read(addr - start, size)),
            _ => self.outside.as_ref()?.read(addr, size),
        }
    }

    /// Writes a number to 1 to 8 bytes at an address.
    #[inline]
    pub(crate) fn write(&mut self, addr: u64, size: u8, value: u64) -> Option<()> {
        if let Some(region) = self.regions.get_mut((addr >> self.layout.shift) as usize)
            && let Some(at) = region.writable(addr, size.into())
        {
            return set_number(&mut region.bytes, at, size, value);
        }
        if let Some(bytes) = self.bytes_mut(addr, size.into()) {
            return set_number(bytes, 0, size, value);
        }
        self.put(addr, value.to_le_bytes().get(..size.into())?)
    }

    /// The little-endian number in 16 bytes at an address.
    pub(crate) fn read_wide(&self, addr: u64) -> Option<u128> {
        let halves =
            || Some((self.read(addr, 8)?, self.read(addr.checked_add(8)?, 8)?)).filter(|_| self.is_readable(addr, 16));
        match self.own_bytes(addr, 16).and_then(<[u8]>::first_chunk) {
            Some(&bytes) => Some(u128::from_le_bytes(bytes)),
            None => halves().map(|(low, high)| u128::from(low) | u128::from(high) << 64),
        }
    }

    /// A number at an offset of the globals, which the caller knows to be valid.
    #[inline]
    pub(crate) fn read_static(&self, offset: u32, size: u8) -> Option<u64> {
        number(&self.regions[STATICS].bytes, offset as usize, size)
    }

    /// A number at an offset of the stack, which the caller knows to be valid.
    #[inline]
    pub(crate) fn read_stack(&self, offset: u64, size: u8) -> Option<u64> {
        number(&self.regions[STACK].bytes, offset as usize, size)
    }

    /// Writes at an offset of the globals, which the caller knows to be valid.
    #[inline]
    pub(crate) fn write_static(&mut self, offset: u32, size: u8, value: u64) -> Option<()> {
        set_number(&mut self.regions[STATICS].bytes, offset as usize, size, value)
    }

    /// Writes at an offset of the stack, which the caller knows to be valid.
    #[inline]
    pub(crate) fn write_stack(&mut self, offset: u64, size: u8, value: u64) -> Option<()> {
        set_number(&mut self.regions[STACK].bytes, offset as usize, size, value)
    }

    /// Copies bytes; the ranges may overlap. Gives the access that is invalid, if one is.
    pub(crate) fn copy(&mut self, dst: u64, src: u64, size: u64) -> Result<(), Access> {
        if !self.is_readable(src, size) {
            return Err(Access::Read);
        }
        if !self.is_writable(dst, size) {
            return Err(Access::Write);
        }
        let region = (dst >> self.layout.shift) as usize;
        if region == (src >> self.layout.shift) as usize
            && let Some(from) = self.region(src).and_then(|region| region.readable(src, size))
            && let Some(to) = self.region(dst).and_then(|region| region.writable(dst, size))
        {
            self.regions[region].bytes.copy_within(from..from + size as usize, to);
            return Ok(());
        }
        let content = self.copy_of(src, size).ok_or(Access::Write)?;
        self.update(dst, size, |bytes| bytes.copy_from_slice(&content)).ok_or(Access::Write)
    }

    /// The bytes from an address to the end of its object.
    pub fn rest(&self, addr: u64) -> Option<&[u8]> {
        if let Some(rest) = self.outside.as_ref().and_then(|outside| outside.rest(addr)) {
            return Some(rest);
        }
        let target = self.locate(addr).filter(|target| !target.dead)?;
        let left = target.size.checked_sub(u64::try_from(target.offset).ok()?)?;
        if let Some((start, Content::Sparse(pages))) = self.large.at(addr, 1).map(|b| (b.addr, &b.content)) {
            let rest = pages.rest(addr - start);
            return rest.get(..rest.len().min(left as usize));
        }
        self.bytes(addr, left).filter(|bytes| !bytes.is_empty())
    }

    /// Memory that may still be used.
    fn left(&self) -> u64 {
        let regions = self.regions.iter().map(|region| region.bytes.len() as u64).sum::<u64>();
        self.limit.saturating_sub(regions + self.large.bytes_in_use())
    }

    /// Address of a new zeroed heap block.
    pub(crate) fn alloc_heap(&mut self, size: u64, site: EdgeRef, kind: AllocKind) -> Result<u64, OutOfMemory> {
        let addr = self.alloc_block(size, site)?;
        if kind == AllocKind::Library {
            self.kept.insert(addr);
        }
        Ok(addr)
    }

    fn alloc_block(&mut self, size: u64, site: EdgeRef) -> Result<u64, OutOfMemory> {
        let left = self.left();
        let what = What::Heap(site);
        if size <= heap::SMALL {
            let room = self.layout.room(HEAP).min(self.regions[HEAP].bytes.len() as u64 + left);
            let index = self.free_lists.alloc(&mut self.regions[HEAP], size, what, room)?;
            return Ok(self.regions[HEAP].base + self.regions[HEAP].blocks[index].start);
        }
        self.alloc_large(size, what)
    }

    fn alloc_large(&mut self, size: u64, what: What) -> Result<u64, OutOfMemory> {
        if heap::is_whole(size) && size > self.left() {
            return Err(OutOfMemory);
        }
        self.large.alloc(size, what)
    }

    /// Ends a heap block of this kind.
    pub(crate) fn free_heap(&mut self, addr: u64, kind: AllocKind) -> Option<()> {
        if self.kept.contains(&addr) != (kind == AllocKind::Library) {
            return None;
        }
        self.kept.remove(&addr);
        self.free_block(addr)
    }

    fn free_block(&mut self, addr: u64) -> Option<()> {
        let region = &mut self.regions[HEAP];
        if let Some(index) = region.block_at(addr) {
            let block = &region.blocks[index];
            if block.dead {
                return None;
            }
            let size = block.size;
            region.kill(index);
            self.free_lists.release(index, size);
            return Some(());
        }
        self.large.at(addr, 1).filter(|block| matches!(block.what, What::Heap(_)))?;
        self.large.kill(addr)
    }

    /// Where the stack is now.
    pub(crate) fn stack_mark(&self) -> StackMark {
        let stack = &self.regions[STACK];
        StackMark { blocks: stack.blocks.len(), end: stack.end, large: self.large_arrays.len() }
    }

    /// Bytes on the stack.
    pub(crate) fn stack_size(&self) -> u64 {
        self.regions[STACK].end
    }

    /// Address of a new zeroed object on top of the stack.
    pub(crate) fn push_stack(&mut self, size: u64, align: u64, what: What) -> Result<u64, OutOfMemory> {
        let start = layout::place(self.stack_size(), align, 0);
        self.push_stack_at(start, size, what)
    }

    /// Address of a new zeroed object at an offset beyond all others on the stack.
    pub(crate) fn push_stack_at(&mut self, start: u64, size: u64, what: What) -> Result<u64, OutOfMemory> {
        let left = self.left();
        let stack = &mut self.regions[STACK];
        // The new object, its red zone, and the gap before it for its alignment.
        let end = start.saturating_add(size).saturating_add(1024);
        if end > self.layout.stack().end - stack.base || end.saturating_sub(stack.bytes.len() as u64) > left {
            return Err(OutOfMemory);
        }
        stack.push_at(start, size, what);
        Ok(stack.base + start)
    }

    /// Address of a new zeroed array whose size is computed. A large one lies among the large blocks of the heap.
    pub(crate) fn push_array(&mut self, size: u64, site: EdgeRef) -> Result<u64, OutOfMemory> {
        if size <= heap::SMALL {
            return self.push_stack(size, 16, What::Alloca(site));
        }
        let addr = self.alloc_large(size, What::Alloca(site))?;
        self.large_arrays.push(addr);
        Ok(addr)
    }

    /// Bytes of the large arrays on the stack.
    pub(crate) fn large_arrays_size(&self) -> u64 {
        self.large_arrays.iter().filter_map(|&addr| self.large.at(addr, 1)).map(|block| block.size).sum()
    }

    /// Address of a stack offset.
    #[inline]
    pub(crate) fn stack_address(&self, offset: u64) -> u64 {
        self.regions[STACK].base + offset
    }

    /// Ends a variable-length array. Its addresses rest as long as the stack is small, so that later uses are found.
    pub(crate) fn free_stack(&mut self, addr: u64) -> Option<()> {
        if self.large_arrays.contains(&addr) {
            return self.large.kill(addr);
        }
        let stack = &mut self.regions[STACK];
        let index = stack.block_at(addr)?;
        if !matches!(stack.blocks[index].what, What::Alloca(_)) {
            return None;
        }
        if index + 1 == stack.blocks.len() && stack.end > RESTING {
            let end = stack.blocks[index].start;
            stack.truncate(index, end);
        } else {
            stack.kill(index);
        }
        Some(())
    }

    /// Removes everything that was put on the stack since a mark.
    pub(crate) fn pop_stack(&mut self, mark: StackMark) {
        for addr in self.large_arrays.drain(mark.large..) {
            // One whose block has ended is dead already.
            self.large.kill(addr);
        }
        self.regions[STACK].truncate(mark.blocks, mark.end);
    }

    /// Address of a new zeroed object that lives as long as the program.
    pub(crate) fn push_static(&mut self, size: u64, name: &'static str) -> u64 {
        let statics = &mut self.regions[STATICS];
        let index = statics.push(size, 16, What::Environment(name));
        statics.base + statics.blocks[index].start
    }

    /// What an address points to, or near to.
    pub fn locate(&self, addr: u64) -> Option<Target> {
        if let Some(block) = self.large.near(addr) {
            let offset = (addr - block.addr) as i64;
            return Some(Target { what: block.what, offset, size: block.size, dead: block.is_dead() });
        }
        if self.is_outside(addr, 1) {
            return Some(Target { what: What::Outside, offset: addr as i64, size: u64::MAX, dead: false });
        }
        let region = self.region(addr)?;
        let block = region.block_near(addr)?;
        let offset = addr.wrapping_sub(region.base + block.start) as i64;
        Some(Target { what: block.what, offset, size: block.size, dead: block.dead })
    }
}

#[inline]
fn number(bytes: &[u8], at: usize, size: u8) -> Option<u64> {
    let bytes = bytes.get(at..)?;
    Some(match size {
        1 => (*bytes.first()?).into(),
        2 => u16::from_le_bytes(*bytes.first_chunk()?).into(),
        4 => u32::from_le_bytes(*bytes.first_chunk()?).into(),
        8 => u64::from_le_bytes(*bytes.first_chunk()?),
        _ => {
            let mut word = [0; 8];
            word[..size.into()].copy_from_slice(bytes.get(..size.into())?);
            u64::from_le_bytes(word)
        }
    })
}

#[inline]
fn set_number(bytes: &mut [u8], at: usize, size: u8, value: u64) -> Option<()> {
    let bytes = bytes.get_mut(at..)?;
    let word = value.to_le_bytes();
    match size {
        1 => *bytes.first_mut()? = word[0],
        2 => *bytes.first_chunk_mut()? = [word[0], word[1]],
        4 => *bytes.first_chunk_mut()? = (value as u32).to_le_bytes(),
        8 => *bytes.first_chunk_mut()? = word,
        _ => bytes.get_mut(..size.into())?.copy_from_slice(&word[..size.into()]),
    }
    Some(())
}
