//! Damaged programs are rejected or accepted, but never crash the parser.

use super::tree;
use robusto_testing::Random;

/// A program with a bit of everything.
const PROGRAM: &str = r#"
# 3 "p.c" 2
typedef unsigned long size_t; struct __attribute__((packed)) s { int a : 3; union { char c[2]; struct s *next; }; };
enum e { A = 1 << 3, B, };
extern int printf(const char *format, ...) __asm__("printf") __attribute__((format(printf, 1, 2)));
static int old(a, b) int a; char *b; { return a + *b; }
_Static_assert(sizeof(struct s) >= sizeof(size_t), "size");
int main(int argc, char **argv) {
    struct s x = { .a = 1, .c = { [0 ... 1] = 'x' } }, *p = &x, t[] = { a: 0x1p3, 07, L"w" "v" };
    for (size_t i = 0; i < 10ul; i++) { if (!argc--) break; else if (argv[i][0] == '\n') continue; else goto out; }
    switch (p->a) { case A: case 2 ... 3: default: ; }
    do x.a <<= ({ int y = (size_t)1.5e3; y ?: -2; }); while (x.a > 0 && p || old(1, "a\x41"));
    asm volatile ("" : "=r"(x.a) : [n] "m"(*p) : "memory");
out: __attribute__((unused));
    return __builtin_offsetof(struct s, c[1]) + _Generic(argc, int: sizeof(int (*)(void)), default: (struct s){ 0 }.a);
}
"#;

#[test]
fn the_program_is_accepted() {
    assert_eq!(tree(PROGRAM).err(), None);
}

#[test]
fn truncated() {
    for end in (0..PROGRAM.len()).filter(|&end| PROGRAM.is_char_boundary(end)) {
        let _ = tree(&PROGRAM[..end]);
        let _ = tree(&PROGRAM[end..]);
    }
}

#[test]
fn bytes_changed() {
    let mut random = Random::new(1);
    for _ in 0..3_000 {
        let mut bytes = PROGRAM.as_bytes().to_vec();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes[at] = random.bits() as u8,
                1 => bytes[at] = random.pick(b"(){}[];,*\"'#\\\n/"),
                2 => drop(bytes.remove(at)),
                _ => {
                    let other = random.below(bytes.len());
                    bytes.swap(at, other);
                }
            }
        }
        let _ = tree(&String::from_utf8_lossy(&bytes));
    }
}
