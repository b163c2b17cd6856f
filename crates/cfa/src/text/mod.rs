//! Text form of programs: what [`print()`] writes, [`parse()`] reads back.
//!
//! ```text
//! program LP64
//! main main
//! file 0 "count.c"
//! assume "malloc never fails" @7:3
//!
//! constant str.1: size 6 align 1 = "hello"
//! object table: size 24 align 8 @2:6 {
//!   0: x"01000000 02"
//!   16: &str.1 + 2
//! }
//! global n: s32 = 10 @1:5
//!
//! function main(argc: s32 @3:14) -> i32 @3:5 {
//!   object buf: size 16 align 1 @4:8
//!   local i: s32 @5:7
//!   label again: L1 @6:1
//!   entry L0, exit L4
//!   L0 -> L1: i := 0                                      @5:11
//!   L1 -> L2: assume i <s n                               @6:10
//!   L1 -> L3: assume not (i <s n)                         @6:10
//!   L2 -> L1: i8[&buf + sext64(i)] := trunc8(i)           @6:18
//!   L3 -> L4: return 0                                    @7:3
//! }
//! ```
//!
//! - One item per line; `//` starts a comment. `@file:line:column` is a place in the source, file 0 is left out.
//! - **Names** are those of the source. Those that are not unique where they are visible get a number: `i`, `i'2`.
//!   Names that are no C identifiers with dots and indices (`p.x`, `a[3]`) stand in quotes.
//! - **Numbers** of variables and objects follow the order of the text; `#12` before a name sets the number, and the
//!   next ones count on.
//! - **Types**: `i32`, `f64`, `ptr`; `bool` is `i1`. Variables say how their C type reads the bits: `s32` or `u32`.
//! - **Operators** are C's with C's precedence, and show signedness where it matters: `<s <u <=s <=u /s /u %s %u >>s >>u`.
//!   On floats they stand without (`a / b`, `a < b`); on a pointer, `+` adds bytes. `!` is the complement of one bit, `~` of
//!   more. Conversions: `trunc8(x) zext64(x) sext64(x) stof64(x) utof64(x) ftos32(x) ftou32(x) ftof32(x) int(p) ptr(n)`.
//! - **Constants** have a type suffix (`10:i32`) only where the type does not follow from the other operand, the variable
//!   assigned, or the parameter. `true`, `false` and `null` are constants; a float in hexadecimal gives its bits. Masks are
//!   in hexadecimal.
//! - **Memory**: `i32[p + 4]` is the value at an address, `&x` the address of an object or function.
//! - **Large expressions** are cut: `let $1: i32 = …` defines a part before the edge that uses it first. So the text is
//!   linear in the size of the shared expressions, and its nesting is bounded.

mod parse;
mod print;
mod same;

pub use parse::{ParseError, parse};
pub use print::{Names, Spelling, print};
pub use same::same;

pub(crate) use print::op_exprs;
