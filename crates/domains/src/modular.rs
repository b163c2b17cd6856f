//! Arithmetic modulo a power of two.

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each round doubles the bits that are right.
pub fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..5 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}
