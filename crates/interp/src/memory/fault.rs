//! Invalid accesses, in words.

use super::{Memory, Target, What};
use crate::show;
use robusto_cfa::ir::Program;
use std::fmt;

/// What an access wanted to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// Read bytes.
    Read,
    /// Write bytes.
    Write,
    /// End an object.
    Free,
}

/// What is wrong with an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The pointer is null, or null plus a small offset.
    Null,
    /// The address belongs to no object.
    Wild,
    /// It belongs to a function.
    Function,
    /// The object's life has ended.
    Dead,
    /// Some of the bytes are outside of the object.
    OutOfBounds,
    /// The object is a constant.
    Constant,
    /// `free` of something that is not the start of a heap block.
    NotAllocated,
}

/// An invalid access.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct InvalidAccess {
    /// What it wanted to do.
    pub access: Access,
    /// Why it may not.
    pub problem: Problem,
    /// The address.
    pub addr: u64,
    /// Number of bytes.
    pub size: u64,
    /// The object that it hits, or nearly hits, with its description.
    pub object: Option<(Target, Box<str>)>,
}

impl fmt::Display for InvalidAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.size == 1 { "" } else { "s" };
        match self.access {
            Access::Read => write!(f, "read of {} byte{plural}", self.size)?,
            Access::Write => write!(f, "write of {} byte{plural}", self.size)?,
            Access::Free => f.write_str("free")?,
        }
        let at = if self.access == Access::Free { "of" } else { "at" };
        match &self.object {
            Some((target, name)) => write!(f, " {at} {name} {:+}", target.offset)?,
            None if self.problem == Problem::Null => {}
            None => write!(f, " {at} {:#x}", self.addr)?,
        }
        match self.problem {
            Problem::Null if self.addr == 0 => f.write_str(" through a null pointer"),
            Problem::Null => write!(f, " through a null pointer plus {}", self.addr),
            Problem::Wild => f.write_str(", where no object is"),
            Problem::Function => f.write_str(", where a function is"),
            Problem::Dead => f.write_str(", whose life has ended"),
            Problem::OutOfBounds => match &self.object {
                Some((target, _)) => write!(f, ", out of bounds: it has {} bytes", target.size),
                None => f.write_str(", out of bounds"),
            },
            Problem::Constant => f.write_str(", which is constant"),
            Problem::NotAllocated => f.write_str(", which is not the start of an allocated block"),
        }
    }
}

impl Memory {
    /// Why an access that was refused is invalid.
    pub(crate) fn explain(&self, program: &Program, access: Access, addr: u64, size: u64) -> InvalidAccess {
        let target = self.locate(addr).filter(|target| target.what != What::Nothing);
        let problem = match target {
            _ if addr < 4096 => Problem::Null,
            None if self.layout.function_at(addr).is_some() => Problem::Function,
            None => Problem::Wild,
            Some(target) if target.dead => Problem::Dead,
            Some(_) if access == Access::Free => Problem::NotAllocated,
            Some(target) if target.offset < 0 || (target.offset as u64).saturating_add(size) > target.size => {
                Problem::OutOfBounds
            }
            Some(_) => Problem::Constant,
        };
        let object = target.map(|target| (target, show::object(program, target.what).into()));
        InvalidAccess { access, problem, addr, size, object }
    }
}
