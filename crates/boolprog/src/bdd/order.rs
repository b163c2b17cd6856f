//! The order of variables that diagrams start with. Sifting improves it on the way, whichever it is.

use std::fmt;
use std::str::FromStr;

/// An order to start with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// As in the text: globals, then the variables of one procedure after the other; but copies beside what they are copied from.
    #[default]
    Text,
    /// The other way round.
    Reverse,
    /// Any; the same for the same number.
    Random(u64),
}

impl Order {
    /// Brings a list that is in the order of the text into this order.
    pub(super) fn arrange<T>(self, list: &mut [T]) {
        match self {
            Order::Text => {}
            Order::Reverse => list.reverse(),
            Order::Random(seed) => {
                // SplitMix64, as in Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014.
                let mut state = seed;
                for i in (1..list.len()).rev() {
                    state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                    let mut z = state;
                    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                    list.swap(i, ((z ^ (z >> 31)) % (i as u64 + 1)) as usize);
                }
            }
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Text => f.write_str("text"),
            Order::Reverse => f.write_str("reverse"),
            Order::Random(seed) => write!(f, "random:{seed}"),
        }
    }
}

impl FromStr for Order {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match (text, text.strip_prefix("random:").map(str::parse)) {
            ("text", _) => Ok(Order::Text),
            ("reverse", _) => Ok(Order::Reverse),
            (_, Some(Ok(seed))) => Ok(Order::Random(seed)),
            _ => Err(format!("`{text}` is none of text, reverse, random:SEED")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders() {
        let arranged = |text: &str| {
            let order: Order = text.parse().expect("an order");
            assert_eq!(order.to_string(), text);
            let mut list = [0, 1, 2, 3, 4, 5, 6, 7];
            order.arrange(&mut list);
            list
        };
        assert_eq!(arranged("text"), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(arranged("reverse"), [7, 6, 5, 4, 3, 2, 1, 0]);
        let mut random = arranged("random:1");
        assert_ne!(random, arranged("text"));
        assert_ne!(random, arranged("random:2"));
        random.sort_unstable();
        assert_eq!(random, arranged("text"));
        assert!("random:x".parse::<Order>().is_err() && "".parse::<Order>().is_err());
    }
}
