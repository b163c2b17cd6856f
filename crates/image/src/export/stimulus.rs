//! Counterexamples of AIGER model checkers: the witness format of the hardware model checking competition.

use super::System;

/// Values of an execution of the system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stimulus {
    /// Start values of all variables.
    pub start: Vec<u128>,
    /// By step, the values of the inputs.
    pub inputs: Vec<Vec<u128>>,
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadStimulus {
    /// It does not say that a bad state is reached.
    #[error(
        "no counterexample: lines of 0, 1 and x are wanted, for the latches at the start and for the inputs of each step"
    )]
    Form,
    /// A line does not have as many bits as are needed.
    #[error("line {line} has {found} bits, {wanted} are wanted: is this the counterexample of another model?")]
    Bits {
        /// The line.
        line: usize,
        /// Its bits.
        found: usize,
        /// The bits that are needed.
        wanted: usize,
    },
}

impl System {
    /// Reads a witness of the system's AIGER form: `1`, the number of the bad state, bits of the latches at the start, bits of
    /// the inputs for each step, and a period. An `x` is any value; it becomes 0. abc leaves out the first two lines and the last
    /// one, and has a comment behind the bits.
    pub fn stimulus(&self, text: &str) -> Result<Stimulus, BadStimulus> {
        let variables: Vec<u16> = self.variables.iter().map(|v| self.width(v.symbol)).collect();
        let inputs: Vec<u16> = self.inputs.iter().map(|input| self.width(input.symbol)).collect();
        let counter = self.width(self.counter);
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        let lines = lines.enumerate().map(|(number, line)| (number + 1, line));
        // A step of a system without inputs is an empty line; others say nothing.
        let lines = lines.filter(|&(_, line)| !line.starts_with('c') && (inputs.is_empty() || !line.is_empty()));
        let mut lines = lines.take_while(|&(_, line)| line != ".").peekable();
        if lines.next_if(|&(_, line)| line == "1").is_some()
            && lines.next_if(|&(_, line)| line.starts_with('b')).is_none()
        {
            return Err(BadStimulus::Form);
        }
        let mut start = None;
        let mut steps = Vec::new();
        for (number, line) in lines {
            if start.is_none() {
                let values = values(number, line, &[&[counter], &variables[..]].concat())?;
                start = Some(values[1..].to_vec());
            } else {
                steps.push(values(number, line, &inputs)?);
            }
        }
        Ok(Stimulus { start: start.ok_or(BadStimulus::Form)?, inputs: steps })
    }
}

/// Bits as numbers of these widths, the lowest bit first.
fn values(number: usize, line: &str, widths: &[u16]) -> Result<Vec<u128>, BadStimulus> {
    if line.bytes().any(|bit| !matches!(bit, b'0' | b'1' | b'x')) {
        return Err(BadStimulus::Form);
    }
    let wanted = widths.iter().map(|&width| usize::from(width)).sum();
    let bits: Vec<bool> = line.bytes().map(|bit| bit == b'1').collect();
    if bits.len() != wanted {
        return Err(BadStimulus::Bits { line: number, found: bits.len(), wanted });
    }
    let mut rest = &bits[..];
    let mut values = Vec::with_capacity(widths.len());
    for &width in widths {
        let (own, others) = rest.split_at(width.into());
        values.push(own.iter().rev().fold(0, |value, &bit| value << 1 | u128::from(bit)));
        rest = others;
    }
    Ok(values)
}
