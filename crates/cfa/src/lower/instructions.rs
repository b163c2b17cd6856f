//! What instructions of inline assembly write, as far as this is known.
//!
//! Drivers read memory by assembly (`bt`, `mov` from a segment). Without a look at the instructions, each operand in memory might be
//! written. Only instructions of x86 in the syntax of AT&T count, one by one: what is not in the lists here may write anything.

/// Instructions that set flags only.
const COMPARING: &[&str] = &["cmp", "test", "bt"];

/// Instructions that write their last operand only. Those on strings of bits (`bts`, `btr`, `btc`) are not here: they write beside it.
const WRITING: &[&str] = &[
    "mov", "lea", "add", "adc", "sub", "sbb", "and", "or", "xor", "imul", "shl", "sal", "shr", "sar", "rol", "ror",
    "bsf", "bsr", "popcnt", "lzcnt", "tzcnt", "movzb", "movzw", "movsb", "movsw", "movsl",
];

/// Instructions with one operand, which they write.
const CHANGING: &[&str] = &["inc", "dec", "neg", "not", "bswap"];

/// Whether all instructions are known and write nothing but operands for which `is_free` holds, by number or name. Flags do not
/// count.
pub(super) fn write_only(template: &str, is_free: impl Fn(&str) -> bool) -> bool {
    // Alternatives for other syntaxes.
    if template.contains(['{', '|', '}']) {
        return false;
    }
    let mut lines = template.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty());
    lines.all(|line| {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let operands = operands(rest);
        let plain = name.strip_suffix(['b', 'w', 'l', 'q']).unwrap_or(name);
        let is_one_of = |list: &[&str]| list.contains(&name) || list.contains(&plain);
        match operands[..] {
            [_, _] if is_one_of(COMPARING) => true,
            [_, last] if is_one_of(WRITING) || name.starts_with("cmov") => operand(last).is_some_and(&is_free),
            [only] if is_one_of(CHANGING) || name.starts_with("set") => operand(only).is_some_and(&is_free),
            _ => false,
        }
    })
}

/// The operands of an instruction; commas in parentheses are part of one.
fn operands(text: &str) -> Vec<&str> {
    let mut depth = 0;
    let between = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    text.split(between).map(str::trim).filter(|operand| !operand.is_empty()).collect()
}

/// The number or name of an operand `%1`, `%k1`, `%[name]`.
fn operand(text: &str) -> Option<&str> {
    let text = text.strip_prefix('%')?;
    let text = text.strip_prefix(['b', 'h', 'w', 'k', 'q']).unwrap_or(text);
    let name = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_number || text.len() == name.len() + 2).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::write_only;

    #[test]
    fn known_instructions_write_their_outputs() {
        let first = |template| write_only(template, |operand| operand == "0" || operand == "out");
        assert!(first("bt %2,%1\n\tsbb %0,%0"));
        assert!(first("movq %%gs:%P1,%0"));
        assert!(first("movl (%1,%2,4), %k0; incl %0"));
        assert!(first("testl %1, %2; setne %b[out]"));
        assert!(first("movzbl %1, %0"));
    }

    #[test]
    fn others_may_write_anything() {
        let first = |template| write_only(template, |operand| operand == "0");
        for template in [
            "incl %1",
            "movl $7, (%0)",
            "movl $7, x(%%rip)",
            "movl %0, %%gs:0",
            "lock; incl %0",
            "bts %1,%0",
            "xchg %1, %0",
            "rep movsb",
            "movsl",
            "call f",
            "mov{l}\t%1, %0",
            "movl %1, %0\n stosb",
            "movl %1, %0 # comment",
        ] {
            assert!(!first(template), "{template}");
        }
    }
}
