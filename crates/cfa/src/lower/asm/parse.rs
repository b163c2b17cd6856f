//! From the text of inline assembly to instructions.
//!
//! Instructions of x86 in the syntax of AT&T count, one by one; with anything else in it, a text is not understood. Blocks of data in
//! other sections are left out, unless they are tables that say where execution goes on elsewhere.

use super::instruction::{Action, Instruction, Operand, Part, by_name};

/// Instructions that take the prefix `lock`.
const LOCKABLE: &[&str] = &[
    "add", "adc", "and", "btc", "btr", "bts", "cmpxchg", "dec", "inc", "neg", "not", "or", "sbb", "sub", "xor", "xadd",
    "xchg",
];

/// Directives of data, which do nothing when they stand in another section.
const DATA: &[&str] = &[
    ".align", ".ascii", ".asciz", ".balign", ".byte", ".hword", ".int", ".long", ".org", ".p2align", ".quad", ".short",
    ".string", ".word",
];

/// The instructions of a text whose arguments have these names. `None` if something in it is not known.
pub(super) fn parse(template: &str, names: &[Option<&str>]) -> Option<Vec<Instruction>> {
    // Alternatives for other syntaxes, comments within a line.
    if template.contains(['{', '|', '}']) || template.contains("/*") {
        return None;
    }
    let mut parser = Parser { names, ..Parser::default() };
    for line in template.split('\n') {
        for statement in statements(line)? {
            parser.statement(statement)?;
        }
    }
    parser.finish()
}

#[derive(Default)]
struct Parser<'t> {
    names: &'t [Option<&'t str>],
    found: Vec<Instruction>,
    /// How the open blocks of other sections end.
    blocks: Vec<&'static str>,
    /// Words of the block, to tell a trap that ends the program from one that the kernel goes on behind.
    words: usize,
    /// The prefix in front of the next instruction.
    prefix: Option<&'t str>,
}

impl<'t> Parser<'t> {
    fn statement(&mut self, mut text: &'t str) -> Option<()> {
        while let Some(rest) = without_label(text) {
            text = rest.trim_start();
        }
        if text.is_empty() {
            return Some(());
        }
        let (name, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if self.blocks.last() == Some(&name) {
            self.blocks.pop();
            return Some(());
        }
        if let Some(end) = block_end(name) {
            // Where execution goes on after a fault; code that replaces this one.
            if self.prefix.is_some() || rest.contains("ex_table") || rest.contains(".alt") {
                return None;
            }
            self.blocks.push(end);
            return Some(());
        }
        if !self.blocks.is_empty() {
            self.words += usize::from(name == ".word");
            return DATA.contains(&name).then_some(());
        }
        if matches!(name, "lock" | "rep") {
            if self.prefix.replace(name).is_some() {
                return None;
            }
            return self.statement(rest.trim_start());
        }
        self.instruction(name, rest)
    }

    fn instruction(&mut self, name: &str, rest: &str) -> Option<()> {
        let operands = operands(rest);
        let (action, bits) = by_name(name, operands.len())?;
        let fits = match self.prefix.take() {
            Some("rep") => name == "nop",
            Some(_) => LOCKABLE.contains(&name) || LOCKABLE.contains(&&name[..name.len() - 1]),
            None => true,
        };
        let mut parsed = Vec::with_capacity(operands.len());
        for operand in operands {
            parsed.push(self.operand(operand)?);
        }
        self.found.push(Instruction { action, bits, operands: parsed });
        fits.then_some(())
    }

    fn finish(self) -> Option<Vec<Instruction>> {
        // The entry of a warning has flags behind the number of its line.
        let traps = self.found.iter().any(|instruction| instruction.action == Action::Trap);
        let is_warning = traps && self.words > 1;
        (self.blocks.is_empty() && self.prefix.is_none() && !is_warning).then_some(self.found)
    }

    /// An operand; `None` if it is empty.
    fn operand(&self, text: &str) -> Option<Operand> {
        if text.is_empty() {
            return None;
        }
        Some(self.known_operand(text).unwrap_or(Operand::Other))
    }

    fn known_operand(&self, text: &str) -> Option<Operand> {
        if let Some(constant) = text.strip_prefix('$') {
            return match constant.strip_prefix("%c").or_else(|| constant.strip_prefix("%P")) {
                Some(argument) => Some(Operand::Constant(self.number_of(argument)?)),
                None => number(constant).map(Operand::Number),
            };
        }
        if let Some(register) = text.strip_prefix("%%") {
            let (letter, part) = register_of(register)?;
            return Some(Operand::Register(letter, part));
        }
        if let Some(argument) = text.strip_prefix('%') {
            let (part, argument) = match argument.chars().next()? {
                'b' => (Part::Low(8), &argument[1..]),
                'h' => (Part::High, &argument[1..]),
                'w' => (Part::Low(16), &argument[1..]),
                'k' => (Part::Low(32), &argument[1..]),
                'q' => (Part::Low(64), &argument[1..]),
                _ => (Part::Own, argument),
            };
            return Some(Operand::Argument(self.number_of(argument)?, part));
        }
        self.address(text)
    }

    /// `8(%0,%1,4)`
    fn address(&self, text: &str) -> Option<Operand> {
        let (offset, rest) = text.split_once('(')?;
        let offset = if offset.trim().is_empty() { 0 } else { number(offset.trim())? };
        let parts: Vec<&str> = rest.strip_suffix(')')?.split(',').map(str::trim).collect();
        let register = |text: &str| match self.known_operand(text)? {
            operand @ (Operand::Argument(..) | Operand::Register(..)) => Some(Box::new(operand)),
            _ => None,
        };
        let (base, index) = match parts[..] {
            [base] => (base, None),
            [base, index] => (base, Some((register(index)?, 1))),
            [base, index, "1" | "2" | "4" | "8"] => (base, Some((register(index)?, parts[2].parse().ok()?))),
            _ => return None,
        };
        Some(Operand::Address { offset, base: register(base)?, index })
    }

    /// `1`, `[name]`
    fn number_of(&self, argument: &str) -> Option<usize> {
        if let Some(name) = argument.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
            return self.names.iter().position(|known| *known == Some(name));
        }
        let is_number = argument.bytes().all(|byte| byte.is_ascii_digit());
        argument.parse().ok().filter(|&number: &usize| is_number && number < self.names.len())
    }
}

/// The statements of a line, which ends where a comment starts.
fn statements(line: &str) -> Option<Vec<&str>> {
    let (mut found, mut start, mut quoted, mut before) = (Vec::new(), 0, false, ' ');
    let mut end = line.len();
    for (i, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ';' if !quoted => {
                found.push(line[start..i].trim());
                start = i + 1;
            }
            // A number of other machines, or a comment?
            '#' if !quoted && !before.is_whitespace() && before != ';' => return None,
            '#' if !quoted => {
                end = i;
                break;
            }
            _ => {}
        }
        before = c;
    }
    let last = line[start..end].trim();
    found.push(last);
    let is_cut = end < line.len() && last.ends_with(',');
    (!quoted && !is_cut).then_some(found)
}

/// What is behind the label at the start of a text.
fn without_label(text: &str) -> Option<&str> {
    let (label, rest) = text.split_once(':')?;
    let is_label = !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.'));
    is_label.then_some(rest)
}

/// How a block of another section ends, if a directive starts one.
fn block_end(directive: &str) -> Option<&'static str> {
    match directive {
        ".section" => Some(".previous"),
        ".pushsection" => Some(".popsection"),
        _ => None,
    }
}

/// The operands of an instruction; commas in parentheses are part of one.
fn operands(text: &str) -> Vec<&str> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let mut depth = 0;
    let between = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    text.split(between).map(str::trim).collect()
}

/// A number as the assembler writes it.
fn number(text: &str) -> Option<i64> {
    let (digits, negative) = match text.strip_prefix('-') {
        Some(digits) => (digits, true),
        None => (text, false),
    };
    let (digits, radix) = match digits.strip_prefix("0x") {
        Some(digits) => (digits, 16),
        None if digits.starts_with('0') => (digits, 8),
        None => (digits, 10),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let value = u64::from_str_radix(digits, radix).ok()? as i64;
    Some(if negative { value.wrapping_neg() } else { value })
}

/// The letter that a constraint has for a register, and which part of it a name means.
fn register_of(name: &str) -> Option<(char, Part)> {
    let letters = [("a", 'a'), ("b", 'b'), ("c", 'c'), ("d", 'd')];
    for (stem, letter) in letters {
        let part = match name.strip_suffix('x').and_then(|name| name.strip_suffix(stem)) {
            Some("") => Part::Low(16),
            Some("e") => Part::Low(32),
            Some("r") => Part::Low(64),
            _ => match name.strip_prefix(stem) {
                Some("l") => Part::Low(8),
                Some("h") => Part::High,
                _ => continue,
            },
        };
        return Some((letter, part));
    }
    for (stem, letter) in [("si", 'S'), ("di", 'D')] {
        let part = match name.split_once(stem) {
            Some(("", "")) => Part::Low(16),
            Some(("e", "")) => Part::Low(32),
            Some(("r", "")) => Part::Low(64),
            Some(("", "l")) => Part::Low(8),
            _ => continue,
        };
        return Some((letter, part));
    }
    None
}

/// Whether all instructions write nothing but arguments for which `is_free` holds. Flags do not count.
pub(super) fn write_only(instructions: &[Instruction], is_free: impl Fn(usize) -> bool) -> bool {
    instructions.iter().all(|instruction| match instruction.written() {
        Ok(None) => true,
        Ok(Some(Operand::Argument(number, _))) => is_free(*number),
        _ => false,
    })
}

#[cfg(test)]
mod tests;
