use super::super::instruction::{Action, Bit, Change, Compute};
use super::*;

const NAMES: [Option<&str>; 4] = [None, Some("out"), None, Some("in")];

fn actions(template: &str) -> Option<Vec<Action>> {
    let instructions = parse(template, &NAMES)?;
    Some(instructions.into_iter().map(|instruction| instruction.action).collect())
}

fn operands_of(template: &str) -> Vec<Operand> {
    parse(template, &NAMES).expect(template).remove(0).operands
}

#[test]
fn operands_have_numbers_and_parts() {
    assert_eq!(operands_of("movl %k0, %[out]"), [Operand::Argument(0, Part::Low(32)), Operand::Argument(1, Part::Own)]);
    assert_eq!(operands_of("movb %h[in],%b2"), [Operand::Argument(3, Part::High), Operand::Argument(2, Part::Low(8))]);
    assert_eq!(operands_of("addl $-0x10, %0")[0], Operand::Number(-16));
    assert_eq!(operands_of("addl $010, %0")[0], Operand::Number(8));
    assert_eq!(operands_of("addl $%c2, %0")[0], Operand::Constant(2));
    assert_eq!(operands_of("shll %%cl, %0")[0], Operand::Register('c', Part::Low(8)));
    assert_eq!(operands_of("movl %%esi, %0")[0], Operand::Register('S', Part::Low(32)));
    assert_eq!(operands_of("movb %%ah, %0")[0], Operand::Register('a', Part::High));
    let base = Box::new(Operand::Argument(0, Part::Own));
    let index = Some((Box::new(Operand::Argument(2, Part::Low(64))), 4));
    assert_eq!(operands_of("movl -8(%0, %q2, 4), %1")[0], Operand::Address { offset: -8, base, index });
}

#[test]
fn other_operands_are_not_known() {
    for operand in
        ["%%gs:%P1", "x(%%rip)", "%c1", "%P2", "%7", "%[none]", "$x", "%%r8", "(%0,%1,3)", "4+%0", "$%0", "(%c0)"]
    {
        assert_eq!(operands_of(&format!("movq {operand}, %0"))[0], Operand::Other, "{operand}");
    }
}

#[test]
fn blocks_labels_and_prefixes_are_left_out() {
    let set = Action::Bit(Bit::Set);
    let smp = ".section .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.previous\n671:\n\tlock; bts %1,%0";
    assert_eq!(actions(smp), Some(vec![set]));
    let bug = "1:\tud2\n.pushsection __bug_table,\"a\"\n2:\t.long 1b - 2b, %c0 - 2b\n\t.word %c1, 0\n\t.org 2b+%c2\n.popsection";
    assert_eq!(actions(bug), Some(vec![Action::Trap]));
    assert_eq!(actions("lock incl %0"), Some(vec![Action::Change(Change::Increment)]));
    assert_eq!(actions("lock\n\tsubl %2,%0"), Some(vec![Action::Compute(Compute::Sub)]));
    assert_eq!(actions("rep; nop"), Some(vec![Action::Nothing]));
    assert_eq!(actions("rep nop\n\tpause"), Some(vec![Action::Nothing; 2]));
    assert_eq!(actions("call *%c2;\n772:\n"), Some(vec![Action::Call]));
    assert_eq!(actions("# a comment; ud2\n"), Some(vec![]));
    assert_eq!(actions(" movl %2, %0 # a comment"), Some(vec![Action::Move]));
    assert_eq!(actions(""), Some(vec![]));
}

#[test]
fn what_is_not_known_makes_the_text_unknown() {
    for template in [
        "mov{l}\t%1, %0",
        "movl %1, %0 /* comment */",
        "rep movsb",
        "movsl",
        "lock; movl %2, %0",
        "lock",
        "rep; incl %0",
        "jmp 1f",
        ".byte 0x0f, 0x0b",
        ".section .fixup,\"ax\"\n3: movl $1,%0\n.previous",
        "1: movl %2,%0\n.section __ex_table,\"a\"\n.long 1b,3b\n.previous",
        ".section .altinstructions,\"a\"\n.quad 1b\n.previous\nincl %0",
        ".section .smp_locks,\"a\"\n.long 0",
        // The kernel goes on behind a warning.
        "1: ud2\n.pushsection __bug_table,\"aw\"\n2: .long 1b - 2b\n.word %c1\n.word %c2\n.popsection",
        // Other machines.
        "add %0, %1, #4",
        "mov %0,#4",
        "mov %0, #4",
        "add %0, %1, %2",
    ] {
        assert_eq!(actions(template), None, "{template}");
    }
}

#[test]
fn known_instructions_write_their_outputs() {
    let first = |template| write_only(&parse(template, &NAMES).expect(template), |number| number < 2);
    assert!(first("bt %2,%1\n\tsbb %0,%0"));
    assert!(first("movq %%gs:%P1,%0"));
    assert!(first("movl (%1,%2,4), %k0; incl %0"));
    assert!(first("testl %1, %2; setne %b[out]"));
    assert!(first("movzbl %3, %0"));
    assert!(first("lzcnt %2, %0; setp %1"));
    for template in [
        "incl %2",
        "movl $7, (%0)",
        "movl $7, x(%%rip)",
        "movl %0, %%gs:0",
        "lock; incl %2",
        "bts %2,%0",
        "xchg %1, %0",
        "call f",
        "movl %1, %0\n movl %0, %%eax",
    ] {
        assert!(!first(template), "{template}");
    }
}
