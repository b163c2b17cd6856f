//! Arithmetic by integers against the processor: a C program computes random operations in extended, double and single
//! precision, in all directions of rounding that C has, and prints operands and results; here they are computed again.
//!
//! Skipped, with a message, where there is no C compiler for x86.

use robusto_ieee::{COMPACT, Format, Rounding, compact, extended, soft};
use std::path::Path;
use std::process::Command;

/// Random cases of each operator and direction.
fn cases() -> usize {
    std::env::var("ROBUSTO_FLOAT_CASES").map_or(2_000, |text| text.parse().expect("a number"))
}

/// The lines of the program: kind, direction, operands, result.
fn lines(folder: &Path) -> Option<String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/x87.c");
    let program = folder.join("x87");
    let built = Command::new("cc").args(["-O0", "-o"]).arg(&program).arg(&source).arg("-lm").output();
    if !cfg!(target_arch = "x86_64") || !built.is_ok_and(|output| output.status.success()) {
        println!("skipped: no C compiler for x86");
        return None;
    }
    let output = Command::new(program).arg(cases().to_string()).output().expect("the program runs");
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).expect("text"))
}

fn direction(name: &str) -> Rounding {
    match name {
        "nearest" => Rounding::NearestEven,
        "up" => Rounding::Up,
        "down" => Rounding::Down,
        _ => Rounding::Zero,
    }
}

/// The result in the notation of the format.
fn computed(width: u16, kind: &str, rounding: Rounding, operands: &[u128]) -> u128 {
    let of = |width: u16| Format::of(if width == 80 { COMPACT } else { width });
    let format = of(width);
    let inner = |bits: u128| if width == 80 { compact(bits) } else { bits };
    let outer = |bits: u128| if width == 80 { extended(bits) } else { bits };
    let [a, b, c] = [0, 1, 2].map(|i| operands.get(i).copied().map_or(0, inner));
    outer(match kind {
        "add" => soft::add(format, rounding, a, b),
        "sub" => soft::sub(format, rounding, a, b),
        "mul" => soft::mul(format, rounding, a, b),
        "div" => soft::div(format, rounding, a, b),
        "sqrt" => soft::sqrt(format, rounding, a),
        "fma" => soft::fma(format, rounding, a, b, c),
        "rint" => soft::integral(format, rounding, a),
        "signed" => {
            let value = operands[0] as u64 as i64;
            soft::of_integer(format, rounding, value < 0, value.unsigned_abs().into())
        }
        "unsigned" => soft::of_integer(format, rounding, false, operands[0]),
        "from32" => soft::convert(of(32), format, rounding, operands[0]),
        "from64" => soft::convert(of(64), format, rounding, operands[0]),
        "from80" => soft::convert(of(80), format, rounding, compact(operands[0])),
        "whole" => {
            let (negative, size) = soft::to_integer(format, a);
            return if negative { size.wrapping_neg() } else { size } as u64 as u128;
        }
        "less" => return soft::less(format, a, b).into(),
        "equal" => return soft::equal(format, a, b).into(),
        other => panic!("{other}"),
    })
}

#[test]
fn integers_compute_what_the_processor_does() {
    let folder = std::env::temp_dir().join(format!("robusto-x87-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let text = lines(&folder);
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
    let Some(text) = text else { return };
    let mut count = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [width, kind, rounding, numbers @ ..] = &words[..] else { panic!("{line}") };
        let width: u16 = width.parse().expect("a width");
        let numbers: Vec<u128> = numbers.iter().map(|n| u128::from_str_radix(n, 16).expect("bits")).collect();
        let (&expected, operands) = numbers.split_last().expect("a result");
        // The library's function takes encodings apart that the processor does not make.
        if *kind == "fma" && width == 80 && operands.iter().any(|&bits| extended(compact(bits)) != bits) {
            continue;
        }
        let result = computed(width, kind, direction(rounding), operands);
        let is_nan = |bits| match width {
            80 => Format::of(COMPACT).is_nan(compact(bits)),
            _ => Format::of(width).is_nan(bits),
        };
        let is_float = !matches!(*kind, "whole" | "less" | "equal");
        // Which bits what is no number has differs between x87 and SSE.
        let same = result == expected || is_float && is_nan(result) && is_nan(expected);
        assert!(same, "{line}: {result:x}");
        count += 1;
    }
    println!("{count} cases");
    assert!(count >= 10_000);
}
