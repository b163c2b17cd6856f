//! The loop that executes arithmetic, branches, and plain loads and stores.
//!
//! It touches no part of the machine but slots and memory, so that the compiler keeps its state in registers; calls,
//! library functions and everything that may end the execution leave it.

use crate::code::{Action, Code, Element, Instr, Rare, Slot};
use crate::eval;
use crate::memory::{Access, Memory};
use robusto_cfa::ir::{Claim, Ty, fold};

/// Where execution is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor {
    /// The step.
    pub pc: u32,
    /// Number of its instructions that are done.
    pub done: u32,
    /// Position of the frame's slots.
    pub base: usize,
    /// Offset of the frame's memory on the stack.
    pub frame_memory: u64,
    /// Truth of the last branch's condition.
    pub taken: bool,
}

/// Why the loop was left.
#[derive(Clone, Copy, Debug)]
pub(super) enum Exit {
    /// All wanted steps are done.
    Budget,
    /// The action is not executed here.
    Rare(Rare),
    /// A load or store is invalid; the cursor is after it.
    Invalid { access: Access, addr: u64, size: u8, dst: Option<(Slot, Ty)> },
}

/// Executes steps until the budget is used up or the loop must be left.
pub(super) fn run(code: &Code, slots: &mut [u64], memory: &mut Memory, at: &mut Cursor, budget: &mut u64) -> Exit {
    let Cursor { base, frame_memory, .. } = *at;
    let mut pc = at.pc;
    let mut done = std::mem::take(&mut at.done);
    let mut left = *budget;
    macro_rules! get {
        ($slot:expr) => {
            slots[$slot.at(base)]
        };
    }
    let pointer_bits = code.model.pointer_bits();
    macro_rules! element {
        ($element:expr) => {{
            let Element { bits, scale, base: array, index } = $element;
            let offset = fold::signed(bits.into(), get!(index)).wrapping_mul(scale.into());
            fold::mask(pointer_bits.into(), get!(array).wrapping_add(offset as u64))
        }};
    }
    macro_rules! leave {
        ($exit:expr) => {{
            at.pc = pc;
            *budget = left;
            return $exit;
        }};
    }
    macro_rules! load {
        ($step:expr, $instrs:expr, $bits:expr, $dst:expr, $addr:expr) => {{
            let (addr, size) = ($addr, $bits.div_ceil(8));
            match memory.read(addr, size) {
                Some(value) => get!($dst) = fold::mask($bits.into(), value),
                None => {
                    at.done = $step.to - $step.from - $instrs.len() as u32;
                    let dst = Some(($dst, Ty::Int($bits)));
                    leave!(Exit::Invalid { access: Access::Read, addr, size, dst })
                }
            }
        }};
    }
    macro_rules! store {
        ($size:expr, $addr:expr, $value:expr, $next:expr) => {{
            let (addr, size) = ($addr, $size);
            match memory.write(addr, size, get!($value)) {
                Some(()) => $next,
                None => leave!(Exit::Invalid { access: Access::Write, addr, size, dst: None }),
            }
        }};
    }
    while left > 0 {
        let step = &code.steps[pc as usize];
        let mut instrs = code.instrs[(step.from + done) as usize..step.to as usize].iter();
        while let Some(instr) = instrs.next() {
            match *instr {
                Instr::Int { op, bits, dst, a, b } => {
                    get!(dst) = fold::binary(op, Ty::Int(bits), bits.into(), get!(a), get!(b));
                }
                Instr::Inside { addr, dst } => {
                    let addr = get!(addr);
                    if memory.is_outside(addr, 1) {
                        at.done = step.to - step.from - instrs.len() as u32;
                        let dst = Some((dst, Ty::Ptr));
                        leave!(Exit::Invalid { access: Access::Read, addr, size: 1, dst })
                    }
                }
                Instr::Within { addr, base, last, dst } => {
                    let addr = get!(addr);
                    if addr.wrapping_sub(get!(base)) > u64::from(last) {
                        at.done = step.to - step.from - instrs.len() as u32;
                        let dst = Some((dst, Ty::Ptr));
                        leave!(Exit::Invalid { access: Access::Read, addr, size: 1, dst })
                    }
                }
                Instr::Index { index, bits, last, dst } => {
                    let index = fold::signed(bits.into(), get!(index));
                    if !(0..=i64::from(last)).contains(&index) {
                        at.done = step.to - step.from - instrs.len() as u32;
                        let dst = Some((dst, Ty::Ptr));
                        leave!(Exit::Invalid { access: Access::Read, addr: index as u64, size: 1, dst })
                    }
                }
                Instr::LoadStatic { bits, dst, offset } => {
                    let value = memory.read_static(offset, bits.div_ceil(8)).unwrap_or(0);
                    get!(dst) = fold::mask(bits.into(), value);
                }
                Instr::LoadFrame { bits, dst, offset } => {
                    let offset = frame_memory + u64::from(offset);
                    let value = memory.read_stack(offset, bits.div_ceil(8)).unwrap_or(0);
                    get!(dst) = fold::mask(bits.into(), value);
                }
                Instr::Load { bits, dst, addr } => load!(step, instrs, bits, dst, get!(addr)),
                Instr::LoadElement { bits, dst, element } => load!(step, instrs, bits, dst, element!(element)),
                Instr::Element { dst, element } => get!(dst) = element!(element),
                Instr::Trunc { bits, dst, a } => get!(dst) = fold::mask(bits.into(), get!(a)),
                Instr::SExt { from, to, dst, a } => {
                    get!(dst) = fold::mask(to.into(), fold::signed(from.into(), get!(a)) as u64);
                }
                Instr::Unary { op, ty, bits, dst, a } => {
                    get!(dst) = fold::mask(bits.into(), fold::unary(op, ty, get!(a)));
                }
                Instr::Float { op, ty, dst, a, b } => get!(dst) = fold::binary(op, ty, 64, get!(a), get!(b)),
                Instr::Cast { op, from, to, dst, a } => get!(dst) = fold::cast(op, from, to, code.model, get!(a)),
                Instr::WideLoad { ty, dst, addr } => match memory.read_wide(get!(addr), wide_size(ty)) {
                    Some(value) => set_wide(slots, dst.at(base), value),
                    None => {
                        at.done = step.to - step.from - instrs.len() as u32;
                        let addr = get!(addr);
                        leave!(Exit::Invalid { access: Access::Read, addr, size: wide_size(ty), dst: Some((dst, ty)) })
                    }
                },
                Instr::Holds { claim, own, dst, addr, size } => {
                    let (addr, size) = (get!(addr), get!(size));
                    let holds = match claim {
                        Claim::Readable => memory.is_readable(addr, size),
                        Claim::Writable => memory.is_writable(addr, size),
                        Claim::Freeable => addr == 0 || memory.is_heap_block(addr) || memory.is_outside(addr, 1),
                        Claim::Released => !memory.has_heap_blocks(),
                        Claim::Tracked => {
                            let roots = if size == 0 { code.statics.len() } else { slots.len() };
                            memory.is_tracked(&slots[..roots], size != 0)
                        }
                    };
                    get!(dst) = (holds && !(own && memory.is_outside(addr, 1))).into();
                }
                Instr::Wide { .. } | Instr::WideUnary { .. } | Instr::WideCast { .. } => {
                    wide(code, slots, base, *instr);
                }
            }
        }
        done = 0;
        pc = match step.action {
            Action::Goto { next } => next,
            Action::Compare { op, bits, a, b, then, other } => {
                at.taken = fold::binary(op, Ty::Int(bits), bits.into(), get!(a), get!(b)) != 0;
                if at.taken { then } else { other }
            }
            Action::Branch { cond, then, other } => {
                at.taken = get!(cond) != 0;
                if at.taken { then } else { other }
            }
            Action::Move { dst, src, next } => {
                get!(dst) = get!(src);
                next
            }
            Action::WideMove { dst, src, next } => {
                let value = get_wide(slots, src.at(base));
                set_wide(slots, dst.at(base), value);
                next
            }
            Action::StoreStatic { size, offset, value, next } => {
                memory.write_static(offset, size, get!(value));
                next
            }
            Action::StoreFrame { size, offset, value, next } => {
                memory.write_stack(frame_memory + u64::from(offset), size, get!(value));
                next
            }
            Action::Store { size, addr, value, next } => store!(size, get!(addr), value, next),
            Action::StoreElement { size, element, value, next } => store!(size, element!(element), value, next),
            Action::Other(rare) => leave!(Exit::Rare(rare)),
        };
        left -= 1;
    }
    leave!(Exit::Budget)
}

fn wide(code: &Code, slots: &mut [u64], base: usize, instr: Instr) {
    let at = |slot: Slot| slot.at(base);
    match instr {
        Instr::Wide { op, ty, dst, a, b } => {
            let value = fold::binary_wide(op, ty, get_wide(slots, at(a)), get_wide(slots, at(b)));
            if op.is_comparison() {
                slots[at(dst)] = value as u64;
            } else {
                set_wide(slots, at(dst), value);
            }
        }
        Instr::WideUnary { op, ty, dst, a } => {
            let value = eval::unary(op, ty, code.model, get_wide(slots, at(a)));
            set_wide(slots, at(dst), value);
        }
        Instr::WideCast { op, from, to, dst, a } => {
            let value = if from.is_wide() { get_wide(slots, at(a)) } else { slots[at(a)].into() };
            let value = fold::cast_wide(op, from, to, code.model, value);
            if to.is_wide() {
                set_wide(slots, at(dst), value);
            } else {
                slots[at(dst)] = value as u64;
            }
        }
        _ => unreachable!("on at most 64 bits"),
    }
}

/// The bytes of a wide value in memory.
fn wide_size(ty: Ty) -> u8 {
    if ty == Ty::F80 { 10 } else { 16 }
}

/// The wide value at a position.
pub(super) fn get_wide(slots: &[u64], at: usize) -> u128 {
    u128::from(slots[at]) | u128::from(slots[at + 1]) << 64
}

/// Sets the wide value at a position.
pub(super) fn set_wide(slots: &mut [u64], at: usize, value: u128) {
    slots[at] = value as u64;
    slots[at + 1] = (value >> 64) as u64;
}
