//! Numbers for the values of the user's.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Values and their numbers. Equal values have one number, so that diagrams over the numbers are canonical.
#[derive(Clone, Debug)]
pub struct Terminals<T> {
    values: Vec<Option<T>>,
    numbers: FxHashMap<T, u32>,
    /// Numbers that have no value any more.
    free: Vec<u32>,
}

impl<T> Default for Terminals<T> {
    fn default() -> Self {
        Self { values: Vec::new(), numbers: FxHashMap::default(), free: Vec::new() }
    }
}

impl<T: Clone + Eq + Hash> Terminals<T> {
    /// The number of a value.
    pub fn number(&mut self, value: T) -> u32 {
        if let Some(&number) = self.numbers.get(&value) {
            return number;
        }
        let number = self.free.pop().unwrap_or_else(|| {
            self.values.push(None);
            u32::try_from(self.values.len() - 1).expect("fewer than 2^32 values")
        });
        self.values[number as usize] = Some(value.clone());
        self.numbers.insert(value, number);
        number
    }

    /// The value with a number, which [`number`](Self::number) has returned.
    pub fn value(&self, number: u32) -> &T {
        self.values[number as usize].as_ref().expect("a value that was not forgotten")
    }

    /// The number of the combination of two values.
    pub fn combine(&mut self, a: u32, b: u32, operation: impl FnOnce(&T, &T) -> T) -> u32 {
        let value = operation(self.value(a), self.value(b));
        self.number(value)
    }

    /// The number of the image of a value.
    pub fn map(&mut self, a: u32, operation: impl FnOnce(&T) -> T) -> u32 {
        let value = operation(self.value(a));
        self.number(value)
    }

    /// Forgets all values but those with these numbers, in ascending order, as from
    /// [`live_terminals`](super::Multi::live_terminals) after a garbage collection. Numbers that operations were declared
    /// with must be among them, so the user holds a terminal for each.
    pub fn retain(&mut self, live: &[u32]) {
        for number in 0..self.values.len() {
            if live.binary_search(&(number as u32)).is_err()
                && let Some(value) = self.values[number].take()
            {
                self.numbers.remove(&value);
                self.free.push(number as u32);
            }
        }
    }
}
