//! Nested expressions: what a level costs may not double with the levels below it. A compiler takes no time for these; if some
//! level was lowered twice, 200 of them would not end.

use crate::compile;
use robusto_cfa::ir::DataModel;

const LEVELS: usize = 200;

const TYPES: &str = "struct n { int v; struct n *p; }; struct o { struct i { int a, b; } in; int k; }; union u { int i; float f; };\n\
     typedef int v4 __attribute__((vector_size(16))); int x; int f(int, int);\n";

/// The declaration of `r` around the nested expression, the innermost expression, and a level around `@`.
const FORMS: &[(&str, &str, &str)] = &[
    // The type comes from an initialiser, as in `max(max(max(a, b), c), d)`.
    ("int r = @;", "x", "({ __auto_type a = (@); __auto_type b = 1; a > b ? a : b; })"),
    ("int r = @;", "x", "({ __auto_type a = 1; __auto_type b = (@); a > b ? a : b; })"),
    // Compound literals.
    ("struct n *r = @;", "0", "&(struct n){ 1, @ }"),
    ("static struct n *r = @;", "0", "&(struct n){ 1, @ }"),
    ("void *r = @;", "0", "(void *[]){ @ }"),
    ("int r = @;", "x", "((struct i){ @, 1 }).a"),
    ("struct o r = { @ };", "{ 1, 2 }", "((struct o){ @, 2 }).in"),
    ("int r = @;", "x", "((union u)(@)).i"),
    // Statement expressions in initialisers.
    ("int r = @;", "x", "({ int t = @; t + 1; })"),
    ("struct i r = @;", "{ 1, 2 }", "({ struct i t = @; t; })"),
    ("struct i r = { @ };", "1", "({ struct i t = { @ }; t.a; })"),
    ("struct o r = { @ };", "{ 1, 2 }", "({ struct o t = { @ }; t.in; })"),
    ("int r[2] = { @ };", "1", "({ int t[2] = { @ }; t[0]; })"),
    ("int r = @;", "x", "f(x, ({ int t = @; t; }))"),
    ("int r = @;", "x", "(x + ({ x++; @; }))"),
    // Only the type counts.
    ("int r = sizeof(typeof(@));", "x", "({ typeof(@) t; t; })"),
    ("int r = @;", "x", "sizeof(1 + @)"),
    ("int r = @;", "1", "sizeof(char[@])"),
    ("int r = @;", "x", "__alignof__(({ int q = @; q; }))"),
    ("int r = @;", "x", "_Generic(@, int: 1, default: 2)"),
    ("int r = @;", "x", "_Generic(x, int: @, default: 2)"),
    ("int r = @;", "x", "__builtin_types_compatible_p(typeof(@), int)"),
    ("v4 v; int r = @;", "x", "({ v4 w = { @ }; w; })[1]"),
    ("v4 v; int *t = &x, r = @;", "x", "t[@]"),
    // Constant conditions.
    ("int r = @;", "x", "(1 ? @ : 2L)"),
    ("int r = @;", "x", "(0 ? 2L : @)"),
    ("int r = @;", "1", "(@ ? 1 : 2)"),
    ("int r = @;", "x", "(0 ?: @)"),
    ("int r = @;", "1", "(@ && 1)"),
    ("int r = @;", "x", "(__builtin_constant_p(@) ? 1 : x)"),
    ("int r = @;", "1", "__builtin_choose_expr(@, 1, 2L)"),
    ("int r = @;", "x", "__builtin_choose_expr(1, @, 2L)"),
    // Null pointer constants.
    ("void *r = @;", "0", "(1 ? @ : (void *)&x)"),
    ("void *r = @;", "(int *)0", "(1 ? (void *)(@) : (int *)0)"),
    ("void *r = x ? &x : @;", "0", "(void *)(@)"),
];

#[test]
fn nested_expressions_take_no_exponential_time() {
    // As the command line has it: recursion is as deep as the text.
    let run = || {
        for (declaration, innermost, level) in FORMS {
            let nested = (0..LEVELS).fold((*innermost).to_owned(), |inner, _| level.replace('@', &inner));
            let text = format!("{TYPES}int main(void) {{ {} return 0; }}\n", declaration.replace('@', &nested));
            compile(&text, DataModel::Lp64);
        }
    };
    std::thread::Builder::new().stack_size(256 << 20).spawn(run).expect("a thread").join().expect("no panic");
}
