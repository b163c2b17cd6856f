//! Files with `#include` go through the system's C compiler.

mod support;

use support::{Folder, has_compiler};

#[test]
fn headers_are_found() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("headers_found");
    folder.write("include/bound.h", "static int bound = BASE + 1;\n");
    folder.write("a.c", "#include <stdio.h>\n#include <bound.h>\nint main(void) { return bound; }\n");
    folder.run(&["cfa", "-I", "include", "-D", "BASE=4", "a.c"]).expect(0).prints("bound");
    folder.run(&["cfa", "-Iinclude", "-DBASE", "--data-model", "ilp32", "a.c"]).expect(0).prints("bound");
}

#[test]
fn missing_header() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("headers_missing");
    folder.write("a.c", "\n#include <no_such_header.h>\nint x;\n");
    for model in ["lp64", "ilp32"] {
        folder.run(&["cfa", "--data-model", model, "a.c"]).rejects("a.c").says("a.c:2:").says("no_such_header.h");
    }
}

#[test]
fn include_loops_end() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("headers_loop");
    folder.write("once.h", "#include \"once.h\"\n").write("a.c", "#include \"once.h\"\n");
    folder.run(&["cfa", "a.c"]).rejects("once.h");
    folder.write("twice.h", "#include \"twice.h\"\n#include \"twice.h\"\n").write("b.c", "#include \"twice.h\"\n");
    folder.run(&["cfa", "b.c"]).rejects("twice.h");
}

#[test]
fn errors_point_into_the_original_files() {
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("headers_positions");
    folder.write("first.h", "int ok;\n\n\nint wrong = ;\n").write("a.c", "\n#include \"first.h\"\n");
    folder.run(&["cfa", "a.c"]).rejects("first.h").says("first.h:4:13");
    folder.write("second.h", "int ok;\n").write("b.c", "#include \"second.h\"\n\nint main(void) {\n  return no;\n}\n");
    folder.run(&["cfa", "b.c"]).rejects("b.c").says("b.c:4:10");
}

#[test]
fn no_compiler() {
    let folder = Folder::new("headers_no_compiler");
    folder.write("a.c", "int x;\n  #include <stdio.h>\n");
    let outcome = folder.run(&["cfa", "--cc", "no-such-compiler", "a.c"]).rejects("a.c");
    outcome.says("a.c:2:3: error: cannot run the C compiler 'no-such-compiler'").says("help: ").says("--cc");
    // Without `#include`, none is needed.
    folder.write("b.c", "#define N 3\nint x = N;\n");
    folder.run(&["cfa", "--cc", "no-such-compiler", "b.c"]).expect(0);
}

/// A compiler without 32-bit headers: the 64-bit ones serve, with a warning.
#[cfg(unix)]
#[test]
fn borrowed_headers() {
    use std::os::unix::fs::PermissionsExt as _;
    if !has_compiler() {
        return;
    }
    let folder = Folder::new("headers_borrowed");
    let refuse = "#!/bin/sh\nfor a; do [ \"$a\" = -m32 ] && { echo no -m32 >&2; exit 1; }; done\nexec cc \"$@\"\n";
    folder.write("cc64", refuse);
    std::fs::set_permissions(folder.path("cc64"), std::fs::Permissions::from_mode(0o755)).unwrap();
    folder.write(
        "a.c",
        "#include <stddef.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <limits.h>\n\
         _Static_assert(sizeof(size_t) == 4 && sizeof(int64_t) == 8 && sizeof(intptr_t) == 4, \"\");\n\
         _Static_assert(LONG_MAX == INT_MAX && SIZE_MAX == UINT_MAX, \"\");\n\
         int main(void) { return 0; }\n",
    );
    let cc = folder.path("cc64");
    let cc = cc.to_str().unwrap();
    folder
        .run(&["cfa", "--cc", cc, "--data-model", "ilp32", "a.c"])
        .expect(0)
        .says("32-bit C headers")
        .says("1 warning");
    folder.run(&["cfa", "--cc", cc, "--data-model", "lp64", "a.c"]).rejects("a.c").says("a.c:5:");
}
