//! Memory that library functions without a body access.
//!
//! Before a call of `puts(s)`, or of `printf("%s", s)`, stands a loop that walks over the string: each byte is an
//! access like any other, so an unterminated string is found where the walk leaves the object. `fwrite` and `write` read
//! as many bytes as they are told. `sprintf` and `snprintf` write at least the shortest text of their format, which is an access,
//! and at most the longest one; where the buffer is smaller than that, or the format does not say, and for
//! the functions with a `va_list`, whether all accesses are valid is not modelled.

use super::Building;
use robusto_cfa::ir::{BinOp, Builtin, Claim, ExprId, FuncId, Function, LocId, Op, Program, SrcPos, Ty, Var, VarKind};
use robusto_cfa::printf::{constant_text, lengths};

/// What a call demands.
enum Wanted {
    /// A string that ends in its object.
    String(ExprId),
    /// So many bytes are written.
    Written(ExprId, ExprId),
    /// That so many bytes may be accessed; else the step is not modelled.
    Buffer(ExprId, ExprId),
    /// More than is modelled.
    Unmodelled,
}

/// Puts walks over the strings of library calls.
pub(super) fn instrument(program: &mut Program, id: FuncId) {
    let mut found = Vec::new();
    let calls = program.functions[id].edges().iter().filter_map(|edge| match &edge.op {
        Op::Builtin { builtin, args, .. } => Some((edge.src, *builtin, args.clone())),
        _ => None,
    });
    for (loc, builtin, args) in calls.collect::<Vec<_>>() {
        found.extend(wanted(program, builtin, &args).into_iter().map(|wanted| (loc, builtin, wanted)));
    }
    if found.is_empty() {
        return;
    }
    let mut header = std::mem::replace(&mut program.functions[id], Function::header("", SrcPos::default()));
    let mut building = Building { locations: header.num_locs(), edges: header.take_edges() };
    for (loc, builtin, wanted) in found {
        let unmodelled = || Op::Unsupported(format!("what `{}` accesses", builtin.name()).into());
        match wanted {
            Wanted::String(string) => walk(program, &mut header, id, &mut building, loc, string),
            Wanted::Written(dst, size) => {
                // The call itself writes something else there.
                let (behind, pos) = building.detach(loc);
                let byte = program.exprs.constant(Ty::Int(8), 0);
                building.edge(loc, behind, Op::Fill { dst, byte, size }, pos);
            }
            Wanted::Buffer(buffer, size) => {
                let (behind, pos) = building.detach(loc);
                let cond = program.exprs.holds(Claim::Writable, buffer, size);
                let [bad, end] = std::array::from_fn(|_| building.location());
                building.edge(loc, behind, Op::Assume { cond, truth: true }, pos);
                building.edge(loc, bad, Op::Assume { cond, truth: false }, pos);
                building.edge(bad, end, unmodelled(), pos);
            }
            Wanted::Unmodelled => {
                let (_, pos) = building.detach(loc);
                let end = building.location();
                building.edge(loc, end, unmodelled(), pos);
            }
        }
    }
    program.functions[id] = robusto_cfa::ir::rebuild(header, building.locations, building.edges);
}

/// `for (p = string; *p; p++) ;`
fn walk(program: &mut Program, header: &mut Function, id: FuncId, building: &mut Building, loc: LocId, string: ExprId) {
    let (behind, pos) = building.detach(loc);
    let kind = VarKind::Temp(id);
    let var = program.vars.push(Var { name: "string".into(), ty: Ty::Ptr, signed: false, kind, pos });
    program.exprs.declare(var, Ty::Ptr);
    header.locals.push(var);
    let (at, one) = (program.exprs.var(var), program.exprs.size(1));
    let (next, byte) = (program.exprs.binary(BinOp::PtrAdd, at, one), program.exprs.load(Ty::Int(8), at));
    let zero = program.exprs.constant(Ty::Int(8), 0);
    let ends = program.exprs.binary(BinOp::Eq, byte, zero);
    let [head, on] = std::array::from_fn(|_| building.location());
    building.edge(loc, head, Op::Assign { var, value: string }, pos);
    building.edge(head, behind, Op::Assume { cond: ends, truth: true }, pos);
    building.edge(head, on, Op::Assume { cond: ends, truth: false }, pos);
    building.edge(on, head, Op::Assign { var, value: next }, pos);
}

/// What a call demands of memory, beside what its arguments do when they are evaluated. What is last is looked at first.
fn wanted(program: &mut Program, builtin: Builtin, args: &[ExprId]) -> Vec<Wanted> {
    use Builtin::*;
    let format = match builtin {
        Puts | Fputs => return args.first().map(|&arg| string(program, arg)).into_iter().flatten().collect(),
        Vprintf | Vfprintf | Vsprintf | Vsnprintf => return vec![Wanted::Unmodelled],
        Printf => 0,
        Fprintf | Sprintf => 1,
        Snprintf => 2,
        _ => return Vec::new(),
    };
    let Some(&format_arg) = args.get(format) else { return Vec::new() };
    let Some(text) = constant_text(program, format_arg) else { return vec![Wanted::Unmodelled] };
    let mut found = Vec::new();
    let bounds = lengths(program, &text, &args[format + 1..]);
    match (builtin, args) {
        (Sprintf, &[buffer, ..]) => {
            let Some((least, most)) = bounds else { return vec![Wanted::Unmodelled] };
            found.push(Wanted::Buffer(buffer, program.exprs.size(most + 1)));
            found.push(Wanted::Written(buffer, program.exprs.size(least + 1)));
        }
        (Snprintf, &[buffer, size, ..]) => {
            let limit = program.exprs.as_const(size);
            if let (Some(limit @ 1..), Some((least, most))) = (limit, bounds) {
                found.push(Wanted::Buffer(buffer, program.exprs.size(limit.min(most + 1))));
                found.push(Wanted::Written(buffer, program.exprs.size(limit.min(least + 1))));
            } else {
                found.push(Wanted::Buffer(buffer, size));
            }
        }
        _ => {}
    }
    for (&arg, conversion) in args.iter().skip(format + 1).zip(conversions(&text)) {
        match conversion {
            Conversion::String if program.exprs.ty(arg) == Ty::Ptr => found.extend(string(program, arg)),
            Conversion::Unmodelled => return vec![Wanted::Unmodelled],
            _ => {}
        }
    }
    found
}

/// A string, unless it is a constant that has an end.
fn string(program: &Program, arg: ExprId) -> Option<Wanted> {
    constant_text(program, arg).is_none().then_some(Wanted::String(arg))
}

/// How an argument of `printf` is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    Value,
    String,
    /// A string of limited length or of wide characters, or something that shifts the arguments behind it.
    Unmodelled,
}

/// The conversions of a format, one for each argument.
fn conversions(format: &[u8]) -> Vec<Conversion> {
    let mut found = Vec::new();
    let mut rest = format.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let mut limited = false;
        for byte in rest.by_ref() {
            match byte {
                b'%' => break,
                b'.' => limited = true,
                b'*' | b'n' | b'$' => {
                    found.push(Conversion::Unmodelled);
                    break;
                }
                b'l' => limited = true,
                b's' | b'S' => {
                    found.push(if limited || byte == b'S' { Conversion::Unmodelled } else { Conversion::String });
                    break;
                }
                b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' | b'p' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G'
                | b'a' | b'A' => {
                    found.push(Conversion::Value);
                    break;
                }
                _ => {}
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_say_how_arguments_are_read() {
        use Conversion::*;
        assert_eq!(conversions(b"a %d, %5.2f%% %-10s|%lu %.3s"), [Value, Value, String, Value, Unmodelled]);
        assert_eq!(conversions(b"%*d"), [Unmodelled]);
        assert_eq!(conversions(b"100%"), []);
    }
}
