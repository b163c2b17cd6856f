//! Declarations, declarators, types, attributes and initialisers.

use super::check;

#[test]
fn specifiers() {
    check("long unsigned int long a;", "a: unsigned longlong");
    check("int short b;", "b: short");
    check("signed char const static c;", "c: static const signed char");
    check("long double d; double long e;", "d: longdouble\ne: longdouble");
    check(
        "_Complex g; float _Complex h; _Complex long double i;",
        "g: complex double\nh: complex float\ni: complex longdouble",
    );
    check("unsigned __int128 j; __uint128_t k;", "j: unsigned int128\nk: unsigned int128");
    check("_Float128 l; __float128 m; _Float64x n;", "l: float128\nm: float128\nn: longdouble");
    check("typedef float _Float32; _Float32 o;", "_Float32: typedef float\no: _Float32");
    check("_Complex _Float64 p;", "p: complex double");
    check("__const__ __volatile int *__restrict q;", "q: restrict pointer to const volatile int");
    check("static __thread int r; _Thread_local extern int s;", "r: static thread int\ns: extern thread int");
    check(
        "_Atomic int t; _Atomic(int *) u; int *_Atomic v;",
        "t: atomic int\nu: atomic(<pointer to int>)\nv: atomic pointer to int",
    );
    check("_Noreturn inline void w(void);", "w: function() to inline noreturn void");
    check("_Alignas(8) _Alignas(double) int x;", "x: int alignas 8 alignas <double>");
    check("__builtin_va_list y; __auto_type z = 1;", "y: valist\nz: autotype = 1");
    check("typeof(1 + 2) a; __typeof__(int *) b;", "a: typeof((Add 1 2))\nb: typeof(<pointer to int>)");
}

#[test]
fn declarators() {
    check("int *a[3];", "a: array 3 of pointer to int");
    check("int (*a)[3];", "a: pointer to array 3 of int");
    check("int *const *a;", "a: pointer to const pointer to int");
    check("int (*f(int x))(char);", "f: function(x: int) to pointer to function(_: char) to int");
    check("int (((a)));", "a: int");
    check("int a[2][n];", "a: array 2 of array n of int");
    check(
        "void f(int a[static const 3], int b[*], int c[]);",
        "f: function(a: array 3 of int, b: array * of int, c: array of int) to void",
    );
    check(
        "int f(), g(void), h(int, ...);",
        "f: old function() to int; g: function() to int; h: function(_: int, ...) to int",
    );
    check(
        "void (*signal(int sig, void (*func)(int)))(int);",
        concat!(
            "signal: function(sig: int, func: pointer to function(_: int) to void) to ",
            "pointer to function(_: int) to void"
        ),
    );
    check("void f(int n; int a[n], int n);", "f: function(a: array n of int, n: int) to void");
    check("int a = 1, *b, c[2];", "a: int = 1; b: pointer to int; c: array 2 of int");
}

#[test]
fn records() {
    check("struct s;", "struct s");
    check(
        "struct s { int a, *b; char c : 3, : 0; } x;",
        "x: struct s {a: int; b: pointer to int; c: char bits 3; _: char bits 0}",
    );
    check("union { struct { int a; }; int b; } u;", "u: union {struct {a: int}; b: int}");
    check("struct {} e; struct { int x; };", "e: struct {}\nstruct {x: int}");
    check("struct { ; int a; ; _Static_assert(1, \"x\"); __extension__ int b; };", "struct {a: int; b: int}");
    check(
        "struct s { int n; char data[0]; int tail[]; };",
        "struct s {n: int; data: array 0 of char; tail: array of int}",
    );
    check("enum e { A, B = 2, C, };", "enum e {A B=2 C}");
    check("enum e x; enum { D } y;", "x: enum e\ny: enum {D}");
}

#[test]
fn functions() {
    check("int main(void) { return 0; }", "main: function() to int {(return 0)}");
    check("main() {}", "main: old function() to implicit {}");
    check("int f(a, b) int a; char *b; { }", "f: old function(a, b) to int [a: int] [b: pointer to char] {}");
    check("*f() { }", "f: old function() to pointer to implicit {}");
    check("f(a) { }", "f: old function(a) to implicit {}");
    check("static x; const y = 1; z;", "x: static implicit\ny: const implicit = 1\nz: implicit");
    check("void f(void) __attribute__((x)) {}", "f: function() to void @x {}");
    check("int (*f(void))(int) { }", "f: function() to pointer to function(_: int) to int {}");
    check(";; int a;;", "a: int");
}

#[test]
fn attributes() {
    check("int x __attribute__((__aligned__(8), packed));", "x: int @aligned(8) @packed");
    check("__attribute__((a)) static __attribute__((b)) int __attribute__((c)) x;", "x: static int @a @b @c");
    check("int *__attribute__((a)) x;", "x: pointer to int @a");
    check("int (__attribute__((a)) *f)(int);", "f: pointer to function(_: int) to int @a");
    check(
        "struct __attribute__((packed)) s { int a; } __attribute__((aligned(4))) x;",
        "x: struct s {a: int} @packed @aligned(4)",
    );
    check(
        "struct { int a __attribute__((x)); int b __attribute__((z)) : 1 __attribute__((y)); };",
        "struct {a: int @x; b: int @z @y bits 1}",
    );
    check("enum { A __attribute__((deprecated)) = 1 } __attribute__((p));", "enum {A=1} @p");
    check(
        "int f(int x __attribute__((unused)), __attribute__((unused)) int y);",
        "f: function(x: int @unused, y: int @unused) to int",
    );
    check("int f(void) __asm__(\"g\" \"h\") __attribute__((nothrow));", "f: function() to int @nothrow asm gh");
    check("int f(void) __attribute__((const)) __asm__(\"g\");", "f: function() to int @const asm g");
    check(
        "int x __attribute__((format(printf, 1, 2), mode(DI), t(int *, 3), s(\"x\")));",
        "x: int @format(printf 1 2) @mode(DI) @t(3) @s(\"x\")",
    );
    check("int x __attribute__(()) __attribute__((, a, , b,));", "x: int @a @b");
    check(
        "[[nodiscard]] int f(void) [[gnu::x(1, 2)]]; struct [[a]] s { int x [[b]]; };",
        "f: function() to int @x(1 2)\nstruct s {x: int}",
    );
    check("int a, __attribute__((x)) b;", "a: int; b: int @x");
    check("__extension__ typedef struct { int x; } t;", "t: typedef struct {x: int}");
}

#[test]
fn initializers() {
    check("int a[] = { 1, 2, };", "a: array of int = {1, 2}");
    check("int a[] = {};", "a: array of int = {}");
    check("struct s x = { .a = 1, .b.c[2] = { 3 }, 4 };", "x: struct s = {.a=1, .b.c[2]={3}, 4}");
    check("int a[] = { [0 ... 3] = 1, [4] 2 };", "a: array of int = {[0...3]=1, [4]=2}");
    check("struct s x = { a: 1, b: { 2 } };", "x: struct s = {.a=1, .b={2}}");
    check("char s[] = \"x\", t[] = { \"y\" };", "s: array of char = \"x\"; t: array of char = {\"y\"}");
}

#[test]
fn others_at_file_scope() {
    check("asm(\"nop\"); __asm__ volatile (\"x\");", "(asm)\n(asm)");
    check("_Static_assert(sizeof(int) == 4, \"x\"); _Static_assert(1);", "(assert (Eq (sizeof <int>) 4))\n(assert 1)");
    check("# 1 \"x.c\"\n#pragma pack(1)\nint a;", "a: int");
}
