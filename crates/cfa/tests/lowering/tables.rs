//! Large tables: their rows are initialised in linear time. A step per pair of rows would be 10^10 of them here.

use crate::compile;
use robusto_cfa::ir::{DataModel, ObjectKind};
use std::fmt::Write;

const ROWS: usize = 100_000;

#[test]
fn tables_of_structs_with_bit_fields_take_linear_time() {
    let mut text = "struct row { unsigned a : 5, b : 3, c : 9; union { int d; char e; } u; const char *name; };\n\
                    const struct row table[] = {\n"
        .to_owned();
    for row in 0..ROWS {
        let (a, b, c) = (row % 32, row % 8, row % 512);
        match row % 2 {
            0 => writeln!(text, "  {{ {a}, {b}, {c}, {{ {row} }}, \"x\" }},").expect("a string takes all"),
            _ => writeln!(text, "  [{row}] = {{ .name = \"y\", .c = {c}, .u.d = {row}, .b = {b}, .a = {a} }},")
                .expect("a string takes all"),
        }
    }
    text.push_str(
        "};\nint main(void) { int i = 0; while (table[i].a != 3) i++; return table[i].u.d + table[i].name[0]; }\n",
    );
    let program = compile(&text, DataModel::Lp64);
    let table = program.objects.iter().find(|object| &*object.name == "table").expect("the table is there");
    assert_eq!(table.size, 16 * u64::try_from(ROWS).expect("few rows"));
    let ObjectKind::Global(image) = &table.kind else { panic!("a table at file scope") };
    assert_eq!(image.relocations.len(), ROWS);
    let row = |row: usize| &image.bytes[16 * row..][..8];
    // 77 is 13 + 2 * 32, and 5 + 9 * 8.
    assert_eq!(row(77), [13 | 5 << 5, 77, 0, 0, 77, 0, 0, 0]);
    assert_eq!(image.relocations[77].target, image.relocations[1].target);
}
