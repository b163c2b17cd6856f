//! Library functions change what they change in reality: small programs with the answer that they must get.

mod support;

use support::Folder;

const DECLARATIONS: &str = "
typedef typeof(sizeof 0) size_t;
typedef struct file FILE;
extern FILE *stdin;
void reach_error(void);
int __VERIFIER_nondet_int();
void __VERIFIER_nondet_memory(void *, size_t);
int scanf(const char *, ...), sscanf(const char *, const char *, ...), printf(const char *, ...);
char *fgets(char *, int, FILE *);
size_t fread(void *, size_t, size_t, FILE *);
long getline(char **, size_t *, FILE *);
int getchar(void), rand(void);
long read(int, void *, size_t), time(long *);
FILE *fopen(const char *, const char *);
char *getenv(const char *), *strtok(char *, const char *);
long strtol(const char *, char **, int);
double strtod(const char *, char **), frexp(double, int *), modf(double, double *);
int *__errno_location(void);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int atexit(void (*)(void)), at_quick_exit(void (*)(void)), on_exit(void (*)(int, void *), void *);
void exit(int), _exit(int), quick_exit(int), abort(void);
int pthread_once(int *, void (*)(void));
void (*signal(int, void (*)(int)))(int);
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; long off; const char *zone; };
struct tm *localtime(const long *);
struct stat { long size, more[17]; };
int stat(const char *, struct stat *);
char *__fgets_chk(char *, size_t, int, FILE *);
int __isoc99_scanf(const char *, ...);
char *__strcpy_chk(char *, const char *, size_t);
";

/// Checks programs; each is its name, its text and its answer.
fn check(folder: &str, programs: &[(&str, &str, &str)]) {
    let folder = Folder::new(folder);
    for (name, text, expected) in programs {
        let file = format!("{name}.c");
        folder.write(&file, format!("{DECLARATIONS}{text}\n"));
        let outcome = folder.run(&["check", "--property", "unreach-call", "--timeout", "50s", &file]);
        let result = outcome.stdout.lines().last().unwrap_or_default();
        assert!(result.starts_with(&format!("RESULT: {expected}")), "{name}: {}{}", outcome.stdout, outcome.stderr);
    }
}

#[test]
fn input_is_anything() {
    check(
        "library_input",
        &[
            ("scanf", r#"int main() { int x = 0; scanf("%d", &x); if (x == 7) reach_error(); }"#, "false"),
            ("scanf_fails", r#"int main() { int x = 3; if (scanf("%d", &x) < 1 && x != 3) reach_error(); }"#, "true"),
            (
                "scanf_result",
                r#"int main() { int x, y, r = scanf("%d %*d%d", &x, &y); if (r < -1 || r > 2) reach_error(); }"#,
                "true",
            ),
            (
                "scanf_one",
                r#"int main() { int x = 1, y = 1; if (scanf("%d %d", &x, &y) == 1 && y != 1) reach_error(); }"#,
                "true",
            ),
            (
                "scanf_text",
                r#"int main() { char b[8]; if (scanf("%7s", b) == 1 && b[6] == 65) reach_error(); }"#,
                "false",
            ),
            (
                "scanf_width",
                r#"int main() { char b[4]; b[3] = 0; if (scanf("%3s", b) == 1 && b[3]) reach_error(); }"#,
                "true",
            ),
            ("scanf_iso", r#"int main() { int x = 0; __isoc99_scanf("%d", &x); if (x == 7) reach_error(); }"#, "false"),
            (
                "fgets",
                "int main() { char b[8]; b[2] = 0; if (fgets(b, 8, stdin) && b[2] == 88) reach_error(); }",
                "false",
            ),
            ("fgets_end", "int main() { char b[8]; b[7] = 0; if (fgets(b, 8, stdin) && b[7]) reach_error(); }", "true"),
            (
                "fgets_chk",
                "int main() { char b[8]; b[2] = 0; __fgets_chk(b, 8, 8, stdin); if (b[2] == 3) reach_error(); }",
                "false",
            ),
            ("fread", "int main() { int x = 0; fread(&x, 4, 1, stdin); if (x == 0x1020304) reach_error(); }", "false"),
            ("read", "int main() { char c = 1; if (read(0, &c, 1) == 1 && c == 99) reach_error(); }", "false"),
            ("read_nothing", "int main() { char c = 1; if (read(0, &c, 1) <= 0 && c != 1) reach_error(); }", "true"),
            ("getchar", "int main() { int c = getchar(); if (c < -1 || c > 255) reach_error(); }", "true"),
            (
                "getline",
                "int main() { char *l = 0; size_t n = 0; if (getline(&l, &n, stdin) > 2 && l[1] == 65) reach_error(); }",
                "false",
            ),
            (
                "memory",
                "int main() { int x = 0; __VERIFIER_nondet_memory(&x, sizeof x); if (x == 9) reach_error(); }",
                "false",
            ),
            ("getenv", r#"int main() { char *s = getenv("X"); if (s && s[0] == 65) reach_error(); }"#, "false"),
        ],
    );
}

#[test]
fn time_files_and_chance() {
    check(
        "library_world",
        &[
            ("time", "int main() { long t = 0; time(&t); if (t != 0) reach_error(); }", "false"),
            (
                "month",
                "int main() { long t = 0; struct tm *p = localtime(&t); if (p && p->tm_mon > 11) reach_error(); }",
                "true",
            ),
            (
                "date",
                "int main() { long t = time(0); struct tm *p = localtime(&t); if (p && p->tm_mon == 11) reach_error(); }",
                "false",
            ),
            (
                "stat",
                r#"int main() { struct stat s; s.more[16] = 0; stat("x", &s); if (s.more[16] == 77) reach_error(); }"#,
                "false",
            ),
            ("rand", "int main() { if (rand() < 0) reach_error(); }", "true"),
            ("rand_value", "int main() { if (rand() == 5) reach_error(); }", "false"),
            ("fopen_fails", r#"int main() { if (!fopen("x", "r")) reach_error(); }"#, "false"),
            ("fopen", r#"int main() { if (fopen("x", "r")) reach_error(); }"#, "false"),
            ("errno", "int main() { *__errno_location() = 0; if (*__errno_location()) reach_error(); }", "true"),
            (
                "errno_call",
                r#"int main() { *__errno_location() = 0; fopen("x", "r"); if (*__errno_location()) reach_error(); }"#,
                "false",
            ),
            (
                "errno_stays",
                "int main() { *__errno_location() = 5; rand(); if (*__errno_location() <= 0) reach_error(); }",
                "true",
            ),
        ],
    );
}

#[test]
fn results_are_computed() {
    check(
        "library_results",
        &[
            (
                "strtol",
                r#"int main() { char *e; long v = strtol("12x", &e, 10); if (v != 12 || *e != 'x') reach_error(); }"#,
                "true",
            ),
            (
                "strtol_end",
                r#"int main() { char *e = 0; strtol("12x", &e, 10); if (*e == 'x') reach_error(); }"#,
                "false",
            ),
            (
                "strtod",
                r#"int main() { char *e; double v = strtod("1.5z", &e); if (v != 1.5 || *e != 'z') reach_error(); }"#,
                "true",
            ),
            ("strtok", r#"int main() { char s[] = "a,b"; strtok(s, ","); if (s[1] != 0) reach_error(); }"#, "true"),
            ("frexp", "int main() { int e; double m = frexp(8, &e); if (m != 0.5 || e != 4) reach_error(); }", "true"),
            ("modf", "int main() { double w, f = modf(2.5, &w); if (w != 2 || f != 0.5) reach_error(); }", "true"),
            (
                "fortified",
                r#"int main() { char b[4]; __strcpy_chk(b, "ab", 4); if (b[1] != 'b') reach_error(); }"#,
                "true",
            ),
            ("builtin", r#"int main() { if (__builtin_strspn("aab", "a") != 2) reach_error(); }"#, "true"),
            ("arguments", "int n; int main() { __VERIFIER_nondet_int(n++); if (n == 1) reach_error(); }", "false"),
            (
                "both",
                r#"size_t strspn(const char *a, const char *b) { return 9; } size_t __strspn_alias(const char *, const char *);
                int main() { if (strspn("a", "a") != 9 || __strspn_alias("a", "a") != 1) reach_error(); }"#,
                "true",
            ),
            ("own", "static int getw(void) { return 5; } int main() { if (getw() == 5) reach_error(); }", "false"),
            ("other", "int error(void); int main() { if (error() == 5) reach_error(); }", "false"),
        ],
    );
}

#[test]
fn callbacks_are_called() {
    check(
        "library_callbacks",
        &[
            (
                "qsort",
                "int c(const void *a, const void *b) { reach_error(); return 0; } int main() { int a[2] = {2, 1}; qsort(a, 2, 4, c); }",
                "false",
            ),
            (
                "sorted",
                "int c(const void *a, const void *b) { return *(int *)a - *(int *)b; } int main() { int a[3] = {2, 1, 3}; qsort(a, 3, 4, c); if (a[0] != 1) reach_error(); }",
                "true",
            ),
            (
                "bsearch",
                "int c(const void *a, const void *b) { reach_error(); return 0; } int main() { int a[2] = {2, 1}; bsearch(a, a, 2, 4, c); }",
                "false",
            ),
            (
                "once",
                "int n, o; void r(void) { n++; } int main() { pthread_once(&o, r); pthread_once(&o, r); if (n != 1) reach_error(); }",
                "true",
            ),
            ("return", "void h(void) { reach_error(); } int main() { atexit(h); return 0; }", "false"),
            ("exit", "void h(void) { reach_error(); } void f() { exit(1); } int main() { atexit(h); f(); }", "false"),
            (
                "on_exit",
                "void h(int s, void *p) { if (s == 4 && !p) reach_error(); } int main() { on_exit(h, 0); return 4; }",
                "false",
            ),
            ("immediately", "void h(void) { reach_error(); } int main() { atexit(h); _exit(1); }", "true"),
            ("abort", "void h(void) { reach_error(); } int main() { atexit(h); abort(); }", "true"),
            ("quick", "void h(void) { reach_error(); } int main() { at_quick_exit(h); quick_exit(0); }", "false"),
            (
                "not_quick",
                "void h(void) { reach_error(); } int main() { at_quick_exit(h); atexit(h); quick_exit(0); }",
                "false",
            ),
            (
                "order",
                "int n; void a(void) { if (n != 1) reach_error(); } void b(void) { n = 1; } int main() { atexit(a); atexit(b); }",
                "true",
            ),
            ("signal", "void h(int s) { reach_error(); } int main() { signal(2, h); }", "unknown"),
            ("ignored", "int main() { signal(2, (void (*)(int))1); }", "true"),
        ],
    );
}

#[test]
fn what_is_not_modelled_says_so() {
    let folder = Folder::new("library_unsupported");
    for call in
        ["fork()", "setjmp(0)", "pthread_create(0, 0, 0, 0)", "glob(0, 0, 0, 0)", "printf(\"%n\", 0)", "scanf(f, 0)"]
    {
        folder.write("call.c", format!("{DECLARATIONS}char *f; int main() {{ {call}; return 1; }}\n"));
        let outcome = folder.run(&["cfa", "call.c"]);
        assert!(outcome.stdout.contains("unsupported"), "{call}: {}{}", outcome.stdout, outcome.stderr);
    }
}

/// What a verdict takes for granted about library functions stands beside it, and only there.
#[test]
fn what_is_taken_for_granted_is_listed() {
    let folder = Folder::new("library_granted");
    let loose = "may give any result, also one that does not fit";
    let locale = "the locale stays \"C\"";
    let mapping = "bytes of a file that is mapped change only where";
    let declared = "int feof(FILE *); char *setlocale(int, const char *), *gettext(const char *); \
                    void *mmap(void *, size_t, int, int, int, long); void *dlopen(const char *, int);";
    for (name, text, listed, sentence) in [
        ("feof", "if (feof(stdin)) reach_error();", true, loose),
        ("fgets", "char a[4]; if (fgets(a, 4, stdin) && a[1] == 10 && a[2]) reach_error();", true, loose),
        ("getchar", "if (getchar() == 7) reach_error();", false, loose),
        ("environment", "if (setlocale(6, \"\")) reach_error();", true, locale),
        ("c", "if (setlocale(6, \"C\")) reach_error();", false, locale),
        ("posix", "if (setlocale(6, \"POSIX\")) reach_error();", false, locale),
        ("asked", "if (setlocale(6, (void *)0)) reach_error();", false, locale),
        ("message", "if (*gettext(\"a\") == 'a') reach_error();", true, "messages are not translated"),
        ("file", "if (mmap((void *)0, 4096, 3, 1, 3, 0)) reach_error();", true, mapping),
        ("memory", "if (mmap((void *)0, 4096, 3, 2 | 0x20, -1, 0)) reach_error();", false, mapping),
        ("loaded", "if (dlopen(\"x\", 1)) reach_error();", true, "external function `dlopen` returns any value"),
    ] {
        let file = format!("{name}.c");
        folder.write(&file, format!("{DECLARATIONS}{declared}int main() {{ {text} }}\n"));
        let outcome = folder.run(&["check", "--property", "unreach-call", "--timeout", "50s", &file]);
        let found = outcome.stdout.contains(sentence);
        assert!(outcome.stdout.contains("RESULT: false"), "{name}: {}{}", outcome.stdout, outcome.stderr);
        assert_eq!(found, listed, "{name}: {}", outcome.stdout);
    }
}

#[test]
fn the_page_is_up_to_date() {
    let folder = Folder::new("library_page");
    let page = folder.run(&["help", "library", "--markdown"]).stdout;
    let committed = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/library.md");
    let committed = std::fs::read_to_string(committed).expect("docs/library.md is there");
    assert!(page == committed, "write docs/library.md anew: robusto help library --markdown > docs/library.md");
    assert!(folder.run(&["help", "library"]).stdout.contains("string.h"));
}
