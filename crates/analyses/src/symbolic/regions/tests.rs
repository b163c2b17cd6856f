//! How memory is cut.

use super::*;
use robusto_cfa::ir::DataModel;

fn facts(text: &str) -> Facts {
    let mut sources = robusto_syntax::SourceMap::new();
    let file = sources.add("test.c", text.to_owned()).expect("small");
    match robusto_cfa::compile(&mut sources, &[file], robusto_cfa::Options::new(DataModel::Lp64)) {
        Ok((program, _)) => Facts::of(program),
        Err(errors) => panic!("{}\n{text}", errors[0].render(&sources)),
    }
}

struct Cut {
    facts: Facts,
    regions: Regions,
}

impl Cut {
    fn of(text: &str) -> Self {
        let facts = facts(text);
        let regions = Regions::of(&facts);
        Self { facts, regions }
    }

    /// The regions of an object with their widths.
    fn object(&self, name: &str) -> Vec<(RegionId, u64)> {
        let object = self.facts.program.objects.enumerate().find(|(_, o)| &*o.name == name);
        let (id, _) = object.unwrap_or_else(|| panic!("{name} is no object"));
        let parts = self.regions.of_base(Base::Object(id));
        parts.iter().map(|p| (p.region, self.regions.regions[p.region].width)).collect()
    }

    /// The widths of an object's regions, ascending.
    fn widths(&self, name: &str) -> Vec<u64> {
        let mut widths: Vec<u64> = self.object(name).into_iter().map(|(_, width)| width).collect();
        widths.sort_unstable();
        widths
    }

    fn share(&self, a: &str, b: &str) -> bool {
        let of_b = self.object(b);
        self.object(a).iter().any(|r| of_b.contains(r))
    }
}

const USE: &str = "extern int __VERIFIER_nondet_int(void); int i(void) { return __VERIFIER_nondet_int(); }\n";

#[test]
fn fields_have_regions_of_their_own() {
    let cut = Cut::of(&format!(
        "{USE} struct s {{ int a; char c; long l; }} x, y;
        int main() {{ struct s *p = i() ? &x : &y; p->a = 1; p->c = 2; p->l = 3; return p->a + p->c + p->l; }}"
    ));
    assert_eq!(cut.widths("x"), [1, 4, 8]);
    assert_eq!(cut.object("x"), cut.object("y"));
    assert!(cut.regions.regions.iter().all(|r| r.single.is_none()));
}

#[test]
fn objects_that_no_pointer_joins_are_apart() {
    let cut = Cut::of(&format!(
        "{USE} int a[4], b[4]; int x, *p = &x;
        int main() {{ a[i()] = 1; b[i()] = 2; *p = 3; return a[i()] + b[i()] + *p; }}"
    ));
    assert!(!cut.share("a", "b") && !cut.share("a", "x"));
    assert_eq!(cut.widths("a"), [4]);
    // Only one address: a plain value.
    assert!(cut.regions.regions[cut.object("x")[0].0].single.is_some());
}

#[test]
fn one_pointer_joins_what_it_points_to() {
    let cut = Cut::of(&format!(
        "{USE} int a, b, c; int main() {{ int *p = i() ? &a : &b; int *q = &c; *p = 1; *q = 2; return *p + *q; }}"
    ));
    assert!(cut.share("a", "b") && !cut.share("a", "c"));
}

#[test]
fn overlapping_accesses_make_bytes() {
    let cut = Cut::of(&format!(
        "{USE} int a; union {{ unsigned u; unsigned short h[2]; }} v; int plain[3];
        int main() {{
            unsigned char *p = (unsigned char *)&a; p[i()] = 1; v.h[i()] = 2; plain[i()] = 3;
            return a + v.u + plain[i()];
        }}"
    ));
    assert_eq!(cut.widths("a"), [1]);
    assert_eq!(cut.widths("v"), [1]);
    assert_eq!(cut.widths("plain"), [4]);
}

#[test]
fn copies_of_structs_keep_their_cells() {
    let cut = Cut::of(&format!(
        "{USE} struct s {{ int a; char c; long l; }} x, y, z[5];
        int main() {{
            struct s *p = &x, *q = &y; p->a = 1; p->c = 2; p->l = i();
            *q = *p; z[i()] = *q;
            return z[i()].l + z[i()].c + z[i()].a;
        }}"
    ));
    for name in ["x", "y", "z"] {
        assert_eq!(cut.widths(name), [1, 4, 8], "{name}");
    }
}

#[test]
fn copies_between_different_layouts_make_bytes() {
    let cut = Cut::of(&format!(
        "{USE} extern void *memcpy(void *, const void *, unsigned long);
        struct s {{ int a, b; }} x; long y; int other;
        int main() {{
            struct s *p = &x; long *q = &y; int *r = &other; p->a = i(); p->b = i(); *r = i();
            memcpy(q, p, 8); return *q + *r;
        }}"
    ));
    assert_eq!(cut.widths("x"), [1]);
    assert_eq!(cut.widths("y"), [1]);
    assert_eq!(cut.widths("other"), [4]);
}

#[test]
fn copies_of_many_elements_keep_their_width() {
    let cut = Cut::of(&format!(
        "{USE} extern void *memcpy(void *, const void *, unsigned long);
        int a[100], b[100]; char s[100], t[100]; long c[100], d[100];
        int main() {{
            a[i()] = 1; memcpy(b, a, i() * sizeof(int)); s[i()] = 1; memcpy(t, s, i());
            c[i()] = 1; memcpy(d, c, i());
            return b[i()] + t[i()] + d[i()];
        }}"
    ));
    assert_eq!((cut.widths("a"), cut.widths("b")), (vec![4], vec![4]));
    assert_eq!(cut.widths("t"), [1]);
    // The number of bytes may be odd.
    assert_eq!((cut.widths("c"), cut.widths("d")), (vec![1], vec![1]));
}

#[test]
fn fills_that_cut_a_cell_make_bytes() {
    let cut = Cut::of(&format!(
        "{USE} extern void *memset(void *, int, unsigned long);
        struct s {{ int a; short b, c; }} x, y;
        int main() {{
            struct s *p = &x, *q = &y; p->a = q->a = i(); p->b = q->b = 1;
            memset(p, 0, sizeof *p); memset(q, 0, 3);
            return p->a + p->b + q->a + q->b;
        }}"
    ));
    assert_eq!(cut.widths("x"), [2, 4]);
    assert_eq!(cut.widths("y"), [1, 2]);
}

#[test]
fn memory_of_recursive_functions_is_an_array() {
    let cut = Cut::of(&format!(
        "{USE} int f(int n) {{ int x = n; int *p = &x; if (n) f(n - 1); return *p; }}
        int main() {{ return f(i()); }}"
    ));
    assert!(cut.regions.regions[cut.object("x")[0].0].single.is_none());
}
