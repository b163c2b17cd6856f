//! Values by their types, as edges and as C text with the same inputs in the same order.

use super::super::Lower;
use super::super::types::{CType, FloatKind, IntKind, TypeId};
use super::Entry;
use crate::ir::{
    AllocKind, BinOp, CastOp, Expr, ExprId, FuncId, Granted, HavocSource, Image, Op, RelocTarget, SrcPos, Ty, Var,
    VarId, VarKind,
};
use std::fmt::Write as _;

/// Most objects that are made for one call. A struct with 20 pointers to structs with 20 pointers would need 421.
const OBJECTS: usize = 24;
/// Most scalars that are inputs of their own; what comes after them is filled as memory.
const SCALARS: usize = 256;
/// Longest array whose elements are inputs of their own.
const SMALL: u64 = 16;
/// Most earlier pointers of the same type that a pointer may be equal to.
const EQUALS: usize = 3;

/// A value, and the C expression for it.
pub(super) struct Made {
    pub(super) e: ExprId,
    pub(super) text: String,
}

/// An object behind a pointer.
struct Behind {
    /// What it points to, without qualifiers.
    to: TypeId,
    pointer: VarId,
    text: String,
    name: String,
    restricted: bool,
}

/// The state of making arguments.
pub(super) struct Maker {
    depth: u32,
    elements: u64,
    /// Whether arguments may be null.
    null: bool,
    pub(super) pos: SrcPos,
    /// Whether the parameter at hand is `restrict`.
    pub(super) restricted: bool,
    /// The initial content of the global at hand; its pointers may stay what they are.
    pub(super) initial: Image,
    objects: Vec<Behind>,
    scalars: usize,
    /// Functions without a body, one per type.
    pub(super) functions: Vec<(TypeId, FuncId, String)>,
    /// Statements of `main`, declarations in front of it, and how far statements are indented.
    body: String,
    pointers: Vec<String>,
    /// The variables for pointers, all null at first: one may be asked for where it was not made.
    pub(super) variables: Vec<VarId>,
    globals: String,
    indent: usize,
    names: usize,
    has_text: bool,
    is_cut: bool,
    has_untyped: bool,
    has_stream: bool,
}

impl Maker {
    pub(super) fn new(entry: &Entry, pos: SrcPos) -> Self {
        Self {
            depth: entry.pointer_depth,
            elements: entry.elements.max(1),
            null: entry.null,
            pos,
            restricted: false,
            initial: Image::default(),
            objects: Vec::new(),
            scalars: 0,
            functions: Vec::new(),
            body: String::new(),
            pointers: Vec::new(),
            variables: Vec::new(),
            globals: String::new(),
            indent: 1,
            names: 0,
            has_text: false,
            is_cut: false,
            has_untyped: false,
            has_stream: false,
        }
    }

    pub(super) fn line(&mut self, text: impl AsRef<str>) {
        let _ = writeln!(self.body, "{:width$}{}", "", text.as_ref(), width = 4 * self.indent);
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("robusto_{}", self.names)
    }

    /// A struct variable; without a type that the text can spell, the harness does not compile, and says why.
    pub(super) fn structure(&mut self, spelled: Option<String>) -> String {
        let name = self.name();
        let ty = spelled.unwrap_or_else(|| "struct the_type_of_this_parameter_has_no_name".to_owned());
        self.line(format!("{ty} {name};"));
        self.line(format!("memset(&{name}, 0, sizeof {name});"));
        name
    }

    /// The address of a global. A `static` one of a function is out of reach.
    pub(super) fn global(&mut self, name: &str, linked: bool) -> String {
        if linked {
            let _ = writeln!(self.globals, "extern char robusto_of_{name}[] __asm__(\"{name}\");");
            format!("robusto_of_{name}")
        } else if name.contains(['.', '$']) {
            "0".to_owned()
        } else {
            format!("(char *)&{name}")
        }
    }

    /// What was taken for granted on the way.
    pub(super) fn granted(&self) -> Vec<Granted> {
        let mut all = Vec::new();
        if !self.objects.is_empty() {
            let elements = self.elements.to_string();
            all.push(match self.null {
                true => Granted::EntryPointers { elements },
                false => Granted::EntryNonNull { elements },
            });
            all.push(Granted::EntryOverlap);
        }
        if self.has_text {
            all.push(Granted::EntryText { most: (self.elements - 1).to_string() });
        }
        if self.has_untyped {
            all.push(Granted::EntryUntyped { bytes: self.elements.to_string() });
        }
        if self.has_stream {
            all.push(Granted::EntryStream);
        }
        if self.is_cut {
            all.push(Granted::EntryDepth { depth: self.depth.to_string() });
        }
        all
    }

    /// Declarations and `main`.
    pub(super) fn finish(self) -> String {
        let mut out = self.globals;
        for (.., name) in &self.functions {
            let _ = writeln!(out, "extern void {name}(void);");
        }
        out.push_str(PREFACE);
        out.push_str("int main(void) {\n");
        for pointer in &self.pointers {
            let _ = writeln!(out, "    void *{pointer} = 0;");
        }
        out + &self.body + "    return 0;\n}\n"
    }
}

const PREFACE: &str = "
unsigned long long robusto_input(void);
void robusto_fill(void *to, unsigned long size);

/* An input, little-endian; an object that is out of reach keeps its content. */
__attribute__((unused)) static void robusto_put(char *base, unsigned long offset, unsigned long size) {
    unsigned long long value = robusto_input();
    if (base)
        memcpy(base + offset, &value, size);
}

__attribute__((unused)) static void robusto_put_pointer(char *base, unsigned long offset, void *pointer) {
    if (base)
        memcpy(base + offset, &pointer, sizeof pointer);
}

__attribute__((unused)) static double robusto_real(int is_float) {
    unsigned long long bits = robusto_input();
    float single;
    double value;
    memcpy(&single, &bits, sizeof single);
    memcpy(&value, &bits, sizeof value);
    return is_float ? single : value;
}

__attribute__((unused)) static long double robusto_long_real(void) {
    unsigned long long low = robusto_input(), high = robusto_input();
    long double value = 0;
    memcpy(&value, &low, 8);
    memcpy((char *)&value + 8, &high, 2);
    return value;
}

";

impl<'a> Lower<'a, '_> {
    /// A scalar of any value.
    pub(super) fn make_value(&mut self, maker: &mut Maker, ty: TypeId, name: &str, depth: u32) -> Made {
        match *self.types.get(ty) {
            CType::Pointer(to) => self.make_pointer(maker, to, name, depth),
            CType::Float(FloatKind::LongDouble) => {
                let e = self.input(maker, Ty::F80, true, name);
                let text = maker.name();
                maker.line(format!("long double {text} = robusto_long_real();"));
                Made { e, text }
            }
            CType::Float(kind) => {
                let single = kind == FloatKind::Float;
                let value = if single { Ty::F32 } else { Ty::F64 };
                let e = self.input(maker, value, true, name);
                let text = maker.name();
                maker.line(format!("double {text} = robusto_real({});", i32::from(single)));
                Made { e, text }
            }
            CType::Int(IntKind::Bool) => {
                let bit = self.input(maker, Ty::BOOL, false, name);
                let text = self.input_text(maker);
                Made { e: self.program.exprs.cast(CastOp::ZExt, Ty::Int(8), bit), text }
            }
            CType::Int(kind @ (IntKind::Int128 | IntKind::UInt128)) => {
                let low = self.input(maker, Ty::Int(64), false, name);
                let low_text = self.input_text(maker);
                let high = self.input(maker, Ty::Int(64), kind.is_signed(), &format!("{name} >> 64"));
                let high_text = self.input_text(maker);
                let low = self.program.exprs.cast(CastOp::ZExt, Ty::Int(128), low);
                let high = self.program.exprs.cast(CastOp::ZExt, Ty::Int(128), high);
                let by = self.program.exprs.int(128, 64);
                let high = self.program.exprs.binary(BinOp::Shl, high, by);
                let e = self.program.exprs.binary(BinOp::Or, low, high);
                Made { e, text: format!("((unsigned __int128){high_text} << 64 | {low_text})") }
            }
            _ => {
                let value = self.types.value_ty(ty).unwrap_or(Ty::Int(8));
                let e = self.input(maker, value, self.types.is_signed(ty), name);
                Made { e, text: self.input_text(maker) }
            }
        }
    }

    /// An input with a name.
    fn input(&mut self, maker: &mut Maker, ty: Ty, signed: bool, name: &str) -> ExprId {
        maker.scalars += 1;
        let kind = VarKind::Local(self.fun.builder.id);
        let var = self.new_var(Var { name: name.into(), ty, signed, kind, pos: maker.pos });
        self.emit(Op::Havoc { var, source: HavocSource::Input });
        self.program.exprs.var(var)
    }

    fn input_text(&mut self, maker: &mut Maker) -> String {
        let text = maker.name();
        maker.line(format!("unsigned long long {text} = robusto_input();"));
        text
    }

    /// A choice between two ways.
    fn choose_input(&mut self, maker: &mut Maker, name: &str) -> (ExprId, String) {
        let e = self.input(maker, Ty::BOOL, false, name);
        (e, "robusto_input()".to_owned())
    }

    /// Null, equal to an earlier one, or the address of a new object.
    fn make_pointer(&mut self, maker: &mut Maker, to: TypeId, name: &str, depth: u32) -> Made {
        let text = maker.name();
        maker.pointers.push(text.clone());
        let kind = VarKind::Local(self.fun.builder.id);
        let pointer = self.new_var(Var { name: name.into(), ty: Ty::Ptr, signed: false, kind, pos: maker.pos });
        maker.variables.push(pointer);
        let made = Made { e: self.program.exprs.var(pointer), text: text.clone() };
        let is_open = self.types.size(to).is_none() && !matches!(self.types.get(to), CType::Record(_));
        if is_open {
            self.unsupported(&format!("argument `{name}`, whose size other arguments say"));
            return made;
        }
        if self.is_stream(to) {
            let size = self.program.exprs.size(self.types.size(to).unwrap_or(1));
            self.emit(Op::Alloc { var: pointer, size, kind: AllocKind::Caller, zeroed: true });
            maker.line(format!("{text} = stdin;"));
            maker.has_stream = true;
            return made;
        }
        let function = match self.types.get(to) {
            CType::Function(function) => Some(function.clone()),
            _ => None,
        };
        let unqualified = to.unqualified();
        let equals: Vec<(VarId, String, String)> = maker
            .objects
            .iter()
            .filter(|o| o.to == unqualified && !(depth == 0 && (maker.restricted || o.restricted)))
            .map(|o| (o.pointer, o.text.clone(), o.name.clone()))
            .take(EQUALS)
            .collect();
        let is_cut = function.is_none() && (depth >= maker.depth || maker.objects.len() >= OBJECTS);
        maker.is_cut |= is_cut;
        if is_cut && equals.is_empty() {
            return made;
        }
        let end = self.location();
        if depth > 0 || maker.null {
            let (null, asked) = self.choose_input(maker, &format!("{name} == NULL"));
            maker.line(format!("if (!{asked}) {{"));
            let some = self.location();
            self.branch(null, end, some);
            self.fun.at = some;
        } else {
            maker.line("{");
        }
        maker.indent += 1;
        let after = maker.indent;
        if let Some(function) = function {
            let (id, callee) = self.made_up_function(maker, &function);
            let value = self.func_addr(id);
            self.assign_var(pointer, value);
            maker.line(format!("{text} = (void *){callee};"));
        } else {
            for (other, other_text, other_name) in equals {
                let (same, asked) = self.choose_input(maker, &format!("{name} == {other_name}"));
                let (yes, no) = (self.location(), self.location());
                self.branch(same, yes, no);
                self.fun.at = yes;
                let value = self.program.exprs.var(other);
                self.assign_var(pointer, value);
                self.jump(end);
                self.fun.at = no;
                maker.line(format!("if ({asked}) {{"));
                maker.line(format!("    {text} = {other_text};"));
                maker.line("} else {");
                maker.indent += 1;
            }
            if !is_cut {
                // Known before its content is made, which may point back to it.
                let restricted = maker.restricted && depth == 0;
                let (text, own) = (text.clone(), name.to_owned());
                maker.objects.push(Behind { to: unqualified, pointer, text, name: own, restricted });
                self.make_object(maker, pointer, &made.text, to, name, depth);
            }
        }
        self.label_here(end);
        while maker.indent >= after {
            maker.indent -= 1;
            maker.line("}");
        }
        made
    }

    /// A new object of the type, or several scalars.
    fn make_object(&mut self, maker: &mut Maker, pointer: VarId, text: &str, to: TypeId, name: &str, depth: u32) {
        // The pointers in a new object are not those of the global that points to it.
        let initial = std::mem::take(&mut maker.initial);
        let char = self.types.int(IntKind::Char);
        let byte = self.types.int(IntKind::UChar);
        let is_text = self.types.as_int(to) == Some(IntKind::Char);
        let plain = match self.types.get(to) {
            CType::Int(_) | CType::Float(_) | CType::Half { .. } | CType::Complex(_) | CType::Vector(..) => {
                Some(to.unqualified())
            }
            CType::Void => Some(byte),
            CType::Record(record) if self.types.record(*record).layout.is_none() => Some(byte),
            _ => None,
        };
        maker.has_untyped |=
            plain.is_some() && self.types.as_int(to).is_none() && !matches!(self.types.get(to), CType::Float(_));
        maker.has_text |= is_text;
        let (ty, extra) = match plain {
            Some(elem) => (self.types.array(elem, Some(maker.elements)), None),
            None => (to, self.flexible_member(to, 0)),
        };
        let mut size = self.types.size(ty).unwrap_or(1);
        if let Some((at, elem)) = extra {
            size = size.max(at + maker.elements * self.types.size(elem).unwrap_or(1));
        }
        let bytes = self.program.exprs.size(size);
        self.emit(Op::Alloc { var: pointer, size: bytes, kind: AllocKind::Caller, zeroed: true });
        maker.line(format!("{text} = calloc(1, {size});"));
        let at = self.program.exprs.var(pointer);
        let inner = match plain {
            Some(_) => name.to_owned(),
            None => format!("{name}->"),
        };
        if is_text {
            // The last one stays zero.
            let elements = self.types.array(char, Some(maker.elements - 1));
            self.make_content(maker, at, text, elements, &inner, depth + 1);
        } else {
            self.make_content(maker, at, text, ty, &inner, depth + 1);
        }
        if let Some((offset, elem)) = extra {
            let (elements, at) = (self.types.array(elem, Some(maker.elements)), self.offset_by(at, offset));
            let base = format!("(char *){text} + {offset}");
            self.make_content(maker, at, &base, elements, &format!("{name}->[…]"), depth + 1);
        }
        maker.initial = initial;
    }

    /// Whether it is the `FILE` of a C library, which only the library makes.
    fn is_stream(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), CType::Record(r) if matches!(&*self.types.record(*r).name, "_IO_FILE" | "__sFILE"))
    }

    /// Where the array of unknown size at the end of a struct starts, and its elements.
    pub(in crate::lower) fn flexible_member(&self, ty: TypeId, at: u64) -> Option<(u64, TypeId)> {
        let CType::Record(record) = *self.types.get(ty) else { return None };
        let last = self.types.record(record).layout.as_ref()?.fields.last()?;
        match *self.types.get(last.ty) {
            CType::Array(of, None | Some(0)) => Some((at + last.offset, of)),
            _ => self.flexible_member(last.ty, at + last.offset),
        }
    }

    /// Gives the bytes at an address any content that the type has. `base` is a C expression for the address.
    pub(super) fn make_content(
        &mut self,
        maker: &mut Maker,
        at: ExprId,
        base: &str,
        ty: TypeId,
        name: &str,
        depth: u32,
    ) {
        self.make_part(maker, (at, base), 0, ty, name, depth);
    }

    fn make_part(&mut self, maker: &mut Maker, base: (ExprId, &str), offset: u64, ty: TypeId, name: &str, depth: u32) {
        match *self.types.get(ty) {
            CType::Array(of, Some(len)) => self.make_array(maker, base, offset, (of, len), name, depth),
            CType::Record(_) if Some(ty.unqualified()) == self.va_list_record.map(TypeId::unqualified) => {
                self.unsupported(&format!("variable arguments of a caller, `{name}`"));
            }
            CType::Record(record) => {
                let Some(layout) = &self.types.record(record).layout else { return };
                let (fields, union) = (layout.fields.clone(), self.types.record(record).union);
                let field_name = |lower: &Self, field: &super::super::layout::Field| match field.name {
                    Some(field) if name.ends_with("->") => format!("{name}{}", lower.text(field)),
                    Some(field) => format!("{name}.{}", lower.text(field)),
                    None => name.to_owned(),
                };
                if union {
                    return self.make_union(maker, base, offset, &fields, name, depth, &field_name);
                }
                let mut covered: Vec<u64> = Vec::new();
                for field in &fields {
                    let name = field_name(self, field);
                    match field.bits {
                        None => self.make_part(maker, base, offset + field.offset, field.ty, &name, depth),
                        Some(bits) => {
                            // Whole bytes, each once: neighbours share them, and what is between fields does not matter.
                            let (first, end) = match bits.reversed {
                                true => (0, bits.unit),
                                false => (bits.start / 8, (bits.start + bits.width).div_ceil(8)),
                            };
                            for byte in field.offset + u64::from(first)..field.offset + u64::from(end) {
                                if !covered.contains(&byte) {
                                    covered.push(byte);
                                    let unsigned = self.types.int(IntKind::UChar);
                                    self.make_part(maker, base, offset + byte, unsigned, &name, depth);
                                }
                            }
                        }
                    }
                }
            }
            CType::Pointer(to) => {
                if let Some(target) = self.initial_pointer(maker, offset) {
                    return self.make_or_keep(maker, base, offset, to, target, name, depth);
                }
                let made = self.make_pointer(maker, to, name.trim_end_matches("->"), depth);
                let addr = self.offset_by(base.0, offset);
                self.emit(Op::Store { addr, value: made.e });
                maker.line(format!("robusto_put_pointer({}, {offset}, {});", base.1, made.text));
            }
            CType::Int(IntKind::Int128 | IntKind::UInt128) | CType::Complex(_) | CType::Vector(..) => {
                self.fill_part(maker, base, offset, self.types.size(ty).unwrap_or(0));
            }
            CType::Float(kind) if kind > FloatKind::Double => {
                let made = self.make_value(maker, ty, name, depth);
                let addr = self.offset_by(base.0, offset);
                self.emit(Op::Store { addr, value: made.e });
                maker.line(format!(
                    "{{ long double wide = {}; if ({}) memcpy((char *){} + {offset}, &wide, sizeof wide); }}",
                    made.text, base.1, base.1
                ));
            }
            CType::Int(_) | CType::Float(_) | CType::Half { .. } => {
                let Some(value) = self.types.value_ty(ty) else { return };
                let is_bool = self.types.as_int(ty) == Some(IntKind::Bool);
                let name = name.trim_end_matches("->");
                let e = self.input(maker, if is_bool { Ty::BOOL } else { value }, self.types.is_signed(ty), name);
                let e = if is_bool { self.program.exprs.cast(CastOp::ZExt, value, e) } else { e };
                let addr = self.offset_by(base.0, offset);
                self.emit(Op::Store { addr, value: e });
                maker.line(format!("robusto_put({}, {offset}, {});", base.1, self.types.size(ty).unwrap_or(0)));
            }
            CType::Void | CType::Function(_) | CType::Vla(..) | CType::Array(_, None) => {}
        }
    }

    /// An array: its elements one by one, or a long one of plain data as memory.
    fn make_array(
        &mut self,
        maker: &mut Maker,
        base: (ExprId, &str),
        offset: u64,
        (of, len): (TypeId, u64),
        name: &str,
        depth: u32,
    ) {
        let size = self.types.size(of).unwrap_or(0);
        if self.is_plain(of) && (len > SMALL || maker.scalars >= SCALARS) {
            return self.fill_part(maker, base, offset, len * size);
        }
        let name = name.trim_end_matches("->");
        for i in 0..len.min(SMALL) {
            self.make_part(maker, base, offset + i * size, of, &format!("{name}[{i}]"), depth);
        }
        if len > SMALL {
            // Structs and pointers beyond these are zero.
            maker.is_cut = true;
        }
    }

    /// One member of a union, by choice.
    #[expect(clippy::too_many_arguments, reason = "where the part lies, what it is, and how it is called")]
    fn make_union(
        &mut self,
        maker: &mut Maker,
        base: (ExprId, &str),
        offset: u64,
        fields: &[super::super::layout::Field],
        name: &str,
        depth: u32,
        field_name: &dyn Fn(&Self, &super::super::layout::Field) -> String,
    ) {
        let end = self.location();
        let indent = maker.indent;
        for (i, field) in fields.iter().enumerate() {
            let inner = field_name(self, field);
            let unsigned = self.types.int(IntKind::UChar);
            let ty = if field.bits.is_some() { unsigned } else { field.ty };
            if i + 1 == fields.len() {
                self.make_part(maker, base, offset + field.offset, ty, &inner, depth);
                break;
            }
            let (this, asked) =
                self.choose_input(maker, &format!("{name} is .{}", inner.rsplit(['.', '>']).next().unwrap_or("")));
            let (yes, no) = (self.location(), self.location());
            self.branch(this, yes, no);
            self.fun.at = yes;
            maker.line(format!("if ({asked}) {{"));
            maker.indent += 1;
            self.make_part(maker, base, offset + field.offset, ty, &inner, depth);
            maker.indent -= 1;
            maker.line("} else {");
            maker.indent += 1;
            self.jump(end);
            self.fun.at = no;
        }
        self.label_here(end);
        while maker.indent > indent {
            maker.indent -= 1;
            maker.line("}");
        }
    }

    /// Bytes of any content. A variable may become several plain ones or none, and then its bytes would be as many inputs; so
    /// it takes them from memory.
    fn fill_part(&mut self, maker: &mut Maker, base: (ExprId, &str), offset: u64, size: u64) {
        let addr = self.offset_by(base.0, offset);
        let bytes = self.program.exprs.size(size);
        if let Expr::Var(_) = self.program.exprs.get(base.0) {
            self.emit(Op::HavocMem { addr, size: bytes, source: HavocSource::Input });
        } else {
            let var = self.temp(Ty::Ptr, false);
            self.emit(Op::Alloc { var, size: bytes, kind: AllocKind::Stack, zeroed: true });
            let from = self.program.exprs.var(var);
            self.emit(Op::HavocMem { addr: from, size: bytes, source: HavocSource::Input });
            self.emit(Op::Copy { dst: addr, src: from, size: bytes });
        }
        maker.line(format!("robusto_fill({0} ? (char *){0} + {offset} : 0, {size});", base.1));
    }

    /// Whether any bytes are a value of the type.
    fn is_plain(&self, ty: TypeId) -> bool {
        match *self.types.get(ty) {
            CType::Int(kind) => kind != IntKind::Bool,
            CType::Float(_) | CType::Half { .. } | CType::Complex(_) | CType::Vector(..) => true,
            CType::Array(of, Some(_)) => self.is_plain(of),
            CType::Record(record) => {
                let layout = self.types.record(record).layout.as_ref();
                layout.is_some_and(|l| l.fields.iter().all(|f| self.is_plain(f.ty)))
            }
            _ => false,
        }
    }

    /// What a pointer in a global points to when the program starts.
    fn initial_pointer(&mut self, maker: &Maker, offset: u64) -> Option<ExprId> {
        let found = maker.initial.relocations.iter().find(|r| r.offset == offset)?;
        let (target, addend) = (found.target, found.addend);
        let address = match target {
            RelocTarget::Function(id) => self.func_addr(id),
            RelocTarget::Object(obj) => self.obj_addr(obj),
        };
        let addend = self.program.exprs.int(self.model().pointer_bits(), addend.into());
        Some(self.program.exprs.binary(BinOp::PtrAdd, address, addend))
    }

    /// A pointer in a global: what it is when the program starts, or any.
    #[expect(clippy::too_many_arguments, reason = "a place, a type, a name")]
    fn make_or_keep(
        &mut self,
        maker: &mut Maker,
        base: (ExprId, &str),
        offset: u64,
        to: TypeId,
        initial: ExprId,
        name: &str,
        depth: u32,
    ) {
        let initial_image = std::mem::take(&mut maker.initial);
        let (kept, asked) = self.choose_input(maker, &format!("{name} is as initialised"));
        let (yes, no, end) = (self.location(), self.location(), self.location());
        self.branch(kept, yes, no);
        self.fun.at = yes;
        let addr = self.offset_by(base.0, offset);
        self.emit(Op::Store { addr, value: initial });
        self.jump(end);
        self.fun.at = no;
        maker.line(format!("if (!{asked}) {{"));
        maker.indent += 1;
        let made = self.make_pointer(maker, to, name, depth);
        self.emit(Op::Store { addr, value: made.e });
        maker.line(format!("robusto_put_pointer({}, {offset}, {});", base.1, made.text));
        self.label_here(end);
        maker.indent -= 1;
        maker.line("}");
        maker.initial = initial_image;
    }
}
