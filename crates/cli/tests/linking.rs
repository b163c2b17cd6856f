//! Several files, task files, and line markers.

mod support;

use support::Folder;

#[test]
fn extern_names_are_linked() {
    let folder = Folder::new("link_extern");
    folder.write("a.c", "extern int shared; int next(void);\nint main(void) { int n = next(); return n + shared; }\n");
    folder.write("b.c", "int shared = 40; int next(void) { return shared++ - 39; }\n");
    folder.run(&["run", "a.c", "b.c"]).expect(1 + 41);
    folder.run(&["run", "b.c", "a.c"]).expect(1 + 41);
}

#[test]
fn tentative_definitions_are_one_object() {
    let folder = Folder::new("link_tentative");
    folder.write("a.c", "int table[]; int n; void set(void);\nint main(void) { set(); return table[1] + n; }\n");
    folder.write("b.c", "int table[] = {1, 2, 3}; int n; void set(void) { n = 5; }\n");
    folder.run(&["run", "a.c", "b.c"]).expect(7);
}

#[test]
fn static_names_are_kept_apart() {
    let folder = Folder::new("link_static");
    folder.write(
        "a.c",
        "static int n = 1; static int f(void) { return n; } int b(void);\nint main(void) { return 10 * f() + b(); }\n",
    );
    folder.write("b.c", "static int n = 2; static int f(void) { return n + 1; }\nint b(void) { return f(); }\n");
    folder.run(&["run", "a.c", "b.c"]).expect(13);
    folder.run(&["cfa", "a.c", "b.c"]).expect(0);
}

#[test]
fn conflicts_name_both_places() {
    let folder = Folder::new("link_conflict");
    let table = [
        ("int f(void) { return 1; }\n", "\nint f(void) { return 2; }\n"),
        ("int x = 1;\n", "\nint x = 2;\n"),
        ("int x = 1;\n", "\nchar *x;\n"),
    ];
    for (first, second) in table {
        folder.write("a.c", first).write("b.c", second);
        folder.run(&["cfa", "a.c", "b.c"]).rejects("b.c").says("b.c:2:").says("a.c:1:");
    }
}

/// C leaves open which one a call in the file of the inline definition means.
#[test]
fn inline_and_other_definitions() {
    let folder = Folder::new("link_inline");
    let main = "int main(void) { if (f() == 1) reach_error(); return 0; }\n";
    folder.write("a.c", format!("extern void reach_error(void); inline int f(void) {{ return 1; }}\n{main}"));
    folder.write("b.c", "int f(void) { return 2; }\n");
    folder.write("c.c", "int f(void) { return 1; }\n");
    for files in [["a.c", "b.c"], ["b.c", "a.c"]] {
        folder.run(&["check", "--property", "unreach-call", files[0], files[1]]).expect(5).prints("unsupported");
    }
    for files in [["a.c", "c.c"], ["c.c", "a.c"]] {
        folder.run(&["check", "--property", "unreach-call", files[0], files[1]]).expect(10);
    }
}

#[test]
fn every_file_is_looked_at() {
    let folder = Folder::new("link_errors");
    folder.write("a.c", "int x = ;\n").write("b.c", "int ok;\n").write("c.c", "int y = ;\n");
    folder.run(&["cfa", "a.c", "b.c", "c.c"]).rejects("a.c").says("c.c:1:9").says("2 errors");
}

#[test]
fn line_markers_lead_back() {
    let folder = Folder::new("link_markers");
    let text = "# 1 \"orig.c\"\nint ok;\n# 40 \"sub/orig.h\" 1\nint fine;\nint bad = ;\n# 3 \"orig.c\" 2\nint last;\n";
    folder.write("a.i", text);
    folder.run(&["cfa", "a.i"]).rejects("sub/orig.h").says("sub/orig.h:41:11").says("41 | int bad = ;");
    folder.write("b.i", "# 7 \"orig.c\"\nint main(void) {\n  return none;\n}\n");
    folder.run(&["cfa", "b.i"]).rejects("orig.c").says("orig.c:8:10");
    // The printed automaton names the original place too.
    folder.write("c.i", "# 70 \"orig.c\"\nint main(void) { return 1; }\n");
    folder.run(&["cfa", "c.i"]).expect(0).prints("orig.c");
}

#[test]
fn data_models() {
    let folder = Folder::new("link_model");
    folder.write("a.c", "int main(void) { return sizeof(long); }\n");
    folder.run(&["run", "a.c"]).expect(8);
    folder.run(&["run", "--data-model", "ilp32", "a.c"]).expect(4);
    folder.write("a.yml", "format_version: '2.0'\ninput_files: 'a.c'\noptions:\n  language: C\n  data_model: ILP32\n");
    folder.run(&["run", "a.yml"]).expect(4);
    folder.run(&["run", "--data-model", "lp64", "a.yml"]).expect(8);
}

#[test]
fn task_files() {
    let folder = Folder::new("link_task");
    folder.write("sub/a.c", "int f(void); int main(void) { return f(); }\n");
    folder.write("other/b.c", "int f(void) { return 9; }\n");
    folder.write("sub/t.yml", "input_files:\n  - a.c\n  - ../other/b.c\nproperties: []\n");
    folder.run(&["run", "sub/t.yml"]).expect(9);
    folder.run(&["cfa", "--stats", "sub/t.yml"]).expect(0);
    folder.write("no.yml", "properties: []\n");
    folder.run(&["cfa", "no.yml"]).rejects("no.yml").says("input_files");
    folder.write("bp.yml", "input_files: x.bp\noptions:\n  language: BP\n");
    folder.run(&["cfa", "bp.yml"]).rejects("bp.yml").says("bp.yml:3:13").says("'BP'");
    folder.write("gone.yml", "input_files: gone.c\n");
    folder.run(&["cfa", "gone.yml"]).expect(2).says("gone.c: error: cannot read");
    folder.write("m32.yml", "input_files: sub/a.c\noptions: {data_model: ILP32}\n");
    folder.write("m64.yml", "input_files: other/b.c\noptions: {data_model: LP64}\n");
    folder.run(&["cfa", "m32.yml", "m64.yml"]).expect(2).says("m64.yml: error: this task file asks for LP64");
}

#[test]
fn macros_from_the_command_line() {
    let folder = Folder::new("link_define");
    folder.write("a.c", "int main(void) { return N + FLAG; }\n");
    folder.run(&["run", "-D", "N=4", "-DFLAG", "a.c"]).expect(5);
    folder.write("b.c", "#ifdef N\nint main(void) { return N; }\n#endif\n");
    folder.run(&["run", "-DN=6", "b.c"]).expect(6);
}

#[test]
fn latin1_strings_keep_their_bytes() {
    let folder = Folder::new("link_latin1");
    folder.write("a.c", b"/* caf\xe9 */\nint main(void) { return sizeof \"caf\xe9\" + (\"\xe9\"[0] & 0x40); }\n");
    folder.run(&["run", "a.c"]).expect(5 + 0x40);
}
