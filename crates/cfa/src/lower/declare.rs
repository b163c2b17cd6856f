//! Declaration specifiers and declarators to C types.

use super::layout::{self, MemberSpec};
use super::scope::{Sym, Tag};
use super::types::{CType, FloatKind, FunctionType, IntKind, RecordId, TypeId};
use super::{Failed, Lower, R};
use crate::ir::{ObjectKind, SrcPos, Ty};
use robusto_syntax::ast::{
    Alignas, ArraySize, Attribute, DeclSpecs, Declarator, DeclaratorPart, EnumSpec, Expr, ExprKind, Member, Param,
    Params, RecordKind, RecordSpec, Sign, Storage, TypeName, TypeSpec,
};
use robusto_syntax::{Diagnostic, Span, Symbol};

/// A type together with the alignment that attributes and typedefs ask for.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// The type.
    pub ty: TypeId,
    /// What attributes and `_Alignas` of the declaration ask for, else 0.
    pub align: u64,
    /// Alignment that a typedef gives to the type.
    pub own: Option<u64>,
}

impl Declared {
    /// A type without further wishes.
    pub fn plain(ty: TypeId) -> Self {
        Self { ty, align: 0, own: None }
    }

    /// The alignment of a typedef declared like this; 0 if that is the type's own.
    pub fn typedef_align(self) -> u64 {
        if self.align > 0 { self.align } else { self.own.unwrap_or(0) }
    }
}

impl<'a> Lower<'a, '_> {
    /// The type of a type name.
    pub(super) fn type_name(&mut self, name: &TypeName<'a>) -> R<TypeId> {
        Ok(self.declared_type_name(name)?.ty)
    }

    /// The type of a type name, with its alignment.
    pub(super) fn declared_type_name(&mut self, name: &TypeName<'a>) -> R<Declared> {
        let base = self.specifiers(&name.specs, false)?;
        self.declarator(base, &name.declarator)
    }

    /// The type that `__auto_type` takes from its initialiser.
    pub(super) fn declared_by(&mut self, e: &Expr<'a>) -> R<Declared> {
        let ty = self.decayed_type_of(e)?;
        Ok(Declared::plain(self.stored_type(ty)))
    }

    /// The type that specifiers name. `declares_tag` is set when nothing but the specifiers stands in the declaration
    /// (`struct s;`), which declares the tag anew in this scope.
    pub(super) fn specifiers(&mut self, specs: &DeclSpecs<'a>, declares_tag: bool) -> R<Declared> {
        let ty = self.type_spec(&specs.ty, specs.span, declares_tag)?;
        let ty = self.types.qualified(ty, specs.quals.constant, specs.quals.volatile);
        let mut declared = Declared::plain(ty);
        if let TypeSpec::Typedef(name) = specs.ty
            && let Some(Sym::Typedef(_, align)) = self.scopes.lookup(name)
        {
            declared.own = Some(align).filter(|align| *align > 0);
        }
        for alignas in specs.alignas {
            let align = match alignas {
                Alignas::Type(name) => {
                    let ty = self.type_name(name)?;
                    self.types.align(ty)
                }
                Alignas::Expr(e) => self.alignment(e)?,
            };
            declared.align = declared.align.max(align);
        }
        self.apply_attributes(declared, specs.attrs)
    }

    /// The type of a declarator around a base type.
    pub(super) fn declarator(&mut self, base: Declared, declarator: &Declarator<'a>) -> R<Declared> {
        let mut ty = base.ty;
        for part in declarator.parts.iter().rev() {
            ty = match part {
                DeclaratorPart::Pointer(quals) => {
                    let pointer = self.types.pointer(ty);
                    self.types.qualified(pointer, quals.constant, quals.volatile)
                }
                DeclaratorPart::Array(size) => self.array_type(ty, size, declarator.span)?,
                DeclaratorPart::Function(params) => self.function_type(ty, params)?,
            };
        }
        // Attributes of the specifiers count for the declared thing, a typedef's for what it points to or returns.
        let own = base.own.filter(|_| declarator.parts.iter().all(|p| matches!(p, DeclaratorPart::Array(_))));
        self.apply_attributes(Declared { ty, align: base.align, own }, declarator.attrs)
    }

    fn array_type(&mut self, of: TypeId, size: &ArraySize<'a>, span: Span) -> R<TypeId> {
        if matches!(self.types.get(of), CType::Function(_)) {
            return self.error(span, "an array of functions is not a type");
        }
        if matches!(self.types.get(of), CType::Record(_)) && self.types.size(of).is_none() && !self.is_variable_size(of)
        {
            let text = self.types.describe(of);
            return self.error(span, format!("array of incomplete type `{text}`"));
        }
        let e = match size {
            ArraySize::Unknown | ArraySize::Star => return Ok(self.types.array(of, None)),
            ArraySize::Expr(e) => e,
        };
        if let Some(len) = self.try_constant(e)? {
            if len < 0 {
                return self.error(e.span, "the array has a negative size");
            }
            let len = u64::try_from(len).unwrap_or(u64::MAX);
            let fits = self.types.size(of).unwrap_or(1).checked_mul(len).is_some_and(|bytes| bytes < 1 << 62);
            if !fits {
                return self.error(e.span, "the array is too large");
            }
            return Ok(self.types.array(of, Some(len)));
        }
        if self.fun.constant_only {
            // The bound of a prototype's parameter; parameters decay to pointers anyway.
            return Ok(self.types.array(of, None));
        }
        let count = self.rvalue(e)?;
        let size_t = self.types.size_t();
        let count = self.convert(count, size_t, e.span)?;
        let var = self.temp(self.model().size_ty(), false);
        self.assign_var(var, count.e);
        self.vla_counts.push(var);
        Ok(self.types.intern(CType::Vla(of, self.vla_counts.len() as u32 - 1)))
    }

    fn function_type(&mut self, ret: TypeId, params: &Params<'a>) -> R<TypeId> {
        // Array bounds of parameters are evaluated where the body is lowered, not here; but they may mention earlier
        // parameters, so those are in scope.
        let outer = std::mem::replace(&mut self.fun.constant_only, true);
        self.scopes.push();
        let mut types = Vec::with_capacity(params.params.len());
        let result = params.params.iter().try_for_each(|param| {
            let ty = self.parameter(param)?;
            if let Some(name) = param.declarator.name
                && params.params.iter().any(mentions_expression)
            {
                let kind = ObjectKind::Local(self.fun.builder.id);
                let obj = self.new_object("", ty, kind, 1, SrcPos::default());
                self.scopes.declare(name, Sym::Object(obj), param.declarator.span);
            }
            types.push(ty.unqualified());
            Ok(())
        });
        self.scopes.pop();
        self.fun.constant_only = outer;
        result?;
        let function = FunctionType {
            ret: ret.unqualified(),
            params: types.into(),
            variadic: params.variadic,
            prototype: params.prototype,
        };
        Ok(self.types.intern(CType::Function(function)))
    }

    /// The type of a parameter after adjustment (arrays and functions become pointers).
    pub(super) fn parameter(&mut self, param: &Param<'a>) -> R<TypeId> {
        let base = self.specifiers(&param.specs, false)?;
        let declared = self.declarator(base, &param.declarator)?;
        Ok(self.adjust_parameter(declared.ty))
    }

    /// Arrays and functions as parameters are pointers.
    pub(super) fn adjust_parameter(&mut self, ty: TypeId) -> TypeId {
        match *self.types.get(ty) {
            CType::Array(of, _) | CType::Vla(of, _) => self.types.pointer(of),
            CType::Function(_) => self.types.pointer(ty),
            _ => ty,
        }
    }

    fn type_spec(&mut self, spec: &TypeSpec<'a>, span: Span, declares_tag: bool) -> R<TypeId> {
        use IntKind::*;
        let choose = |sign: Sign, signed: IntKind| if sign == Sign::Unsigned { signed.to_unsigned() } else { signed };
        let kind = match *spec {
            TypeSpec::Implicit => Int,
            TypeSpec::Void => return Ok(self.types.void()),
            TypeSpec::Bool => Bool,
            TypeSpec::Char(Sign::None) => Char,
            TypeSpec::Char(sign) => choose(sign, SChar),
            TypeSpec::Short(sign) => choose(sign, Short),
            TypeSpec::Int(sign) => choose(sign, Int),
            TypeSpec::Long(sign) => choose(sign, Long),
            TypeSpec::LongLong(sign) => choose(sign, LongLong),
            TypeSpec::Int128(sign) => choose(sign, Int128),
            TypeSpec::Float => return Ok(self.types.float(FloatKind::Float)),
            TypeSpec::Double => return Ok(self.types.float(FloatKind::Double)),
            TypeSpec::LongDouble => return Ok(self.types.float(FloatKind::LongDouble)),
            TypeSpec::Float128 => return Ok(self.types.float(FloatKind::Float128)),
            TypeSpec::Half { brain } => return Ok(self.types.intern(CType::Half { brain })),
            TypeSpec::Complex(part) => {
                let part = self.type_spec(part, span, false)?;
                return Ok(self.types.intern(CType::Complex(part)));
            }
            TypeSpec::Record(record) => return self.record_spec(record, declares_tag),
            TypeSpec::Enum(spec) => return self.enum_spec(spec),
            TypeSpec::Typedef(name) => {
                return match self.scopes.lookup(name) {
                    Some(Sym::Typedef(ty, _)) => Ok(ty),
                    _ => {
                        let text = self.text(name).to_owned();
                        self.report(
                            Diagnostic::error(span, format!("unknown type name `{text}`"))
                                .help("was a header not included?"),
                        )
                    }
                };
            }
            TypeSpec::TypeofExpr(e) => {
                let ty = self.type_of(e)?;
                let ty = if self.is_variable_size(ty) { self.place(e)?.ty } else { ty };
                return Ok(self.stored_type(ty));
            }
            TypeSpec::TypeofType(name) | TypeSpec::Atomic(name) => return self.type_name(name),
            TypeSpec::AutoType => {
                return self.error(span, "`__auto_type` needs a declaration with one name and an initialiser");
            }
            TypeSpec::Size => return Ok(self.types.size_t()),
            TypeSpec::SignedSize => return Ok(self.types.ptrdiff_t()),
            TypeSpec::VaList => return Ok(self.va_list_type()),
        };
        Ok(self.types.int(kind))
    }

    /// The struct or union that a specifier names or defines. Where an expression is lowered for its type first, what it defines is
    /// the same type the next time.
    fn record_spec(&mut self, spec: &RecordSpec<'a>, declares_tag: bool) -> R<TypeId> {
        let Some(members) = spec.members else { return self.record_tag(spec, declares_tag).map(|(_, ty)| ty) };
        let key = std::ptr::from_ref(spec) as usize;
        if let Some(&(id, ty)) = self.known.records.get(&key) {
            if let Some(tag) = spec.tag {
                self.scopes.declare_tag(tag, Tag::Record(id, ty));
            }
            // The members may define types, too.
            for member in members {
                self.specifiers(&member.specs, false)?;
            }
            return Ok(ty);
        }
        let (id, ty) = self.record_tag(spec, declares_tag)?;
        self.define_record(id, ty, spec, members)?;
        self.known.records.insert(key, (id, ty));
        Ok(ty)
    }

    /// The struct or union of this name, or a new one.
    fn record_tag(&mut self, spec: &RecordSpec<'a>, declares_tag: bool) -> R<(RecordId, TypeId)> {
        let union = spec.kind == RecordKind::Union;
        let known = spec.tag.and_then(|tag| {
            if spec.members.is_some() || declares_tag {
                self.scopes.lookup_tag_here(tag)
            } else {
                self.scopes.lookup_tag(tag)
            }
        });
        match known {
            Some(Tag::Record(id, ty)) if self.types.record(id).union == union => Ok((id, ty)),
            Some(_) => {
                let text = spec.tag.map(|t| self.text(t).to_owned()).unwrap_or_default();
                self.error(spec.span, format!("tag `{text}` names another kind of type here"))
            }
            None => {
                let name = match spec.tag {
                    Some(tag) => self.text(tag).to_owned(),
                    None => {
                        self.anonymous += 1;
                        format!("<anonymous {}>", self.anonymous)
                    }
                };
                let (id, ty) = self.types.new_record(&name, union);
                if let Some(tag) = spec.tag {
                    self.scopes.declare_tag(tag, Tag::Record(id, ty));
                }
                Ok((id, ty))
            }
        }
    }

    fn define_record(&mut self, id: RecordId, ty: TypeId, spec: &RecordSpec<'a>, members: &[Member<'a>]) -> R<()> {
        let union = spec.kind == RecordKind::Union;
        if self.types.record(id).layout.is_some() {
            let text = self.types.describe(ty);
            return self.error(spec.span, format!("`{text}` is defined twice"));
        }
        let mut specs = Vec::new();
        for member in members {
            self.member(member, &mut specs)?;
        }
        let attributes = self.attributes(spec.attrs)?;
        let record = layout::RecordSpec {
            union,
            packed: attributes.packed,
            align: attributes.align,
            pack: spec.pragmas.pack.map(u64::from),
            big_endian: attributes.big_endian.unwrap_or(spec.pragmas.big_endian),
        };
        if attributes.ms_struct || spec.pragmas.ms_struct {
            return self.error(spec.span, "the layout of `ms_struct` is not supported");
        }
        if attributes.transparent {
            self.types.set_transparent(id);
        }
        if specs.iter().any(|member| self.is_variable_size(member.ty)) {
            let layout = self.computed_layout(record, &specs, spec.span)?;
            self.types.complete_record(id, layout);
            return Ok(());
        }
        match layout::layout(&self.types, record, &specs) {
            Some(layout) => self.types.complete_record(id, layout),
            None => return self.error(spec.span, "the struct is too large"),
        }
        Ok(())
    }

    fn member(&mut self, member: &Member<'a>, specs: &mut Vec<MemberSpec>) -> R<()> {
        let base = self.specifiers(&member.specs, false)?;
        let line = self.attributes(member.specs.attrs)?;
        if member.declarators.is_empty() {
            // An anonymous struct or union; `struct s;` inside a struct declares nothing.
            let complete = self.types.size(base.ty).is_some() || self.is_variable_size(base.ty);
            if matches!(self.types.get(base.ty), CType::Record(_)) && complete {
                let type_align = base.own.unwrap_or_else(|| self.types.align(base.ty));
                let packed = line.packed;
                specs.push(MemberSpec { name: None, ty: base.ty, bits: None, packed, align: base.align, type_align });
            }
            return Ok(());
        }
        for declarator in member.declarators {
            let declared = self.declarator(base, &declarator.declarator)?;
            let span = declarator.declarator.span;
            let own = self.attributes(declarator.declarator.attrs)?;
            let bits = match declarator.bits {
                Some(e) => Some(self.bit_width(e, declared.ty)?),
                None => None,
            };
            let flexible = matches!(self.types.get(declared.ty), CType::Array(_, None) | CType::Vla(..));
            if matches!(self.types.get(declared.ty), CType::Function(_)) {
                return self.error(span, "a member cannot be a function");
            }
            if self.types.size(declared.ty).is_none() && !flexible && !self.is_variable_size(declared.ty) {
                let text = self.types.describe(declared.ty);
                return self.error(span, format!("the member has incomplete type `{text}`"));
            }
            let type_align = declared.own.unwrap_or_else(|| self.types.align(declared.ty));
            specs.push(MemberSpec {
                name: declarator.declarator.name,
                ty: declared.ty,
                bits,
                packed: line.packed || own.packed,
                align: declared.align,
                type_align,
            });
        }
        Ok(())
    }

    fn bit_width(&mut self, e: &Expr<'a>, ty: TypeId) -> R<u32> {
        let Some(kind) = self.types.as_int(ty) else {
            return self.error(e.span, "a bit-field has an integer type");
        };
        let limit = if kind == IntKind::Bool { 1 } else { kind.bits(self.model()) };
        let width = self.constant(e)?;
        match u32::try_from(width) {
            Ok(width) if width <= 64.min(u32::from(limit)) => Ok(width),
            Ok(width) if width <= u32::from(limit) => {
                self.error(e.span, "bit-fields of more than 64 bits are not supported")
            }
            _ => {
                let text = self.types.describe(ty);
                self.error(e.span, format!("a bit-field of type `{text}` has 0 to {limit} bits"))
            }
        }
    }

    fn enum_spec(&mut self, spec: &EnumSpec<'a>) -> R<TypeId> {
        let Some(enumerators) = spec.enumerators else {
            let known = spec.tag.and_then(|tag| self.scopes.lookup_tag(tag));
            if let Some(Tag::Enum(ty)) = known {
                return Ok(ty);
            }
            let ty = self.types.int(IntKind::UInt);
            if let Some(tag) = spec.tag {
                self.scopes.declare_tag(tag, Tag::Enum(ty));
            }
            return Ok(ty);
        };
        let mut next: i128 = 0;
        let (mut least, mut most) = (0i128, 0i128);
        let mut names: Vec<(Symbol, i128, Span)> = Vec::with_capacity(enumerators.len());
        for e in enumerators {
            if let Some(value) = e.value {
                next = self.constant(value)?;
            }
            (least, most) = (least.min(next), most.max(next));
            names.push((e.name, next, e.span));
            // The value may be used by the enumerators that follow.
            let ty = self.enumerator_type(next);
            self.scopes.declare(e.name, Sym::Constant(next, ty), e.span);
            next += 1;
        }
        let packed = self.attributes(spec.attrs)?.packed;
        let candidates = if packed {
            &[IntKind::UChar, IntKind::SChar, IntKind::UShort, IntKind::Short, IntKind::UInt, IntKind::Int][..]
        } else {
            &[IntKind::UInt, IntKind::Int]
        };
        let wide = [IntKind::ULong, IntKind::Long, IntKind::ULongLong, IntKind::LongLong];
        let fits = |kind: &&IntKind| {
            let bits = kind.bits(self.model());
            let (low, high) = if kind.is_signed() {
                (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
            } else {
                (0, (1i128 << bits) - 1)
            };
            low <= least && most <= high
        };
        let kind = candidates.iter().chain(&wide).find(fits).copied().unwrap_or(IntKind::ULongLong);
        let ty = self.types.int(kind);
        if kind.bits(self.model()) > 32 {
            for (name, value, span) in names {
                self.scopes.declare(name, Sym::Constant(value, ty), span);
            }
        }
        if let Some(tag) = spec.tag {
            self.scopes.declare_tag(tag, Tag::Enum(ty));
        }
        Ok(ty)
    }

    fn enumerator_type(&mut self, value: i128) -> TypeId {
        let kind = if i32::try_from(value).is_ok() {
            IntKind::Int
        } else if u32::try_from(value).is_ok() {
            IntKind::UInt
        } else if i64::try_from(value).is_ok() {
            IntKind::LongLong
        } else {
            IntKind::ULongLong
        };
        self.types.int(kind)
    }

    /// The attributes that change layout.
    fn attributes(&mut self, attrs: &[Attribute<'a>]) -> R<Attributes> {
        let mut found = Attributes::default();
        for attr in attrs {
            match self.text(attr.name) {
                "packed" => found.packed = true,
                "aligned" => found.align = found.align.max(self.aligned(attr)?),
                "transparent_union" => found.transparent = true,
                "ms_struct" => found.ms_struct = true,
                "scalar_storage_order" => {
                    let big: Vec<u32> = "big-endian".bytes().map(u32::from).collect();
                    found.big_endian =
                        Some(matches!(attr.args.first().map(|e| e.kind), Some(ExprKind::Str(text, _)) if text == big));
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// What the attribute `aligned` asks for.
    pub(super) fn aligned(&mut self, attr: &Attribute<'a>) -> R<u64> {
        attr.args.first().map_or(Ok(16), |e| self.alignment(e))
    }

    fn alignment(&mut self, e: &Expr<'a>) -> R<u64> {
        let value = self.constant(e)?;
        match u64::try_from(value) {
            Ok(0) => Ok(1),
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Ok(align),
            _ => self.error(e.span, "an alignment is a power of two, at most 2^28"),
        }
    }

    /// Applies `aligned`, `mode` and `vector_size`.
    fn apply_attributes(&mut self, mut declared: Declared, attrs: &[Attribute<'a>]) -> R<Declared> {
        let attributes = self.attributes(attrs)?;
        declared.align = declared.align.max(attributes.align);
        if let CType::Record(record) = *self.types.get(declared.ty)
            && attributes.transparent
        {
            self.types.set_transparent(record);
        }
        for attr in attrs {
            match self.text(attr.name) {
                "mode" => {
                    if let Some(Expr { kind: ExprKind::Ident(mode), .. }) = attr.args.first() {
                        let mode = self.text(*mode).trim_matches('_').to_owned();
                        declared.ty = self.with_mode(declared.ty, &mode, attr.span)?;
                    }
                }
                "vector_size" => {
                    if let Some(e) = attr.args.first() {
                        let size = u64::try_from(self.constant(e)?).map_err(|_| Failed)?;
                        declared.ty = self.vector_type(declared.ty, size, e.span)?;
                    }
                }
                _ => {}
            }
        }
        Ok(declared)
    }

    /// The vector of this size around the innermost type of a declarator.
    fn vector_type(&mut self, ty: TypeId, size: u64, span: Span) -> R<TypeId> {
        match *self.types.get(ty) {
            CType::Array(of, len) => {
                let of = self.vector_type(of, size, span)?;
                Ok(self.types.array(of, len))
            }
            CType::Pointer(to) => {
                let to = self.vector_type(to, size, span)?;
                Ok(self.types.pointer(to))
            }
            CType::Function(ref function) => {
                let function = function.clone();
                let ret = self.vector_type(function.ret, size, span)?;
                Ok(self.types.intern(CType::Function(FunctionType { ret, ..function })))
            }
            CType::Int(_) | CType::Float(_) | CType::Half { .. } => {
                let part = self.types.size(ty).unwrap_or(1);
                if size == 0 || !size.is_multiple_of(part) || size > 1 << 16 {
                    return self.error(span, "a vector holds a whole number of its parts, and at most 2^16 bytes");
                }
                Ok(self.types.intern(CType::Vector(ty.unqualified(), size / part)))
            }
            _ => {
                let text = self.types.describe(ty);
                self.error(span, format!("a vector cannot have parts of type `{text}`"))
            }
        }
    }

    fn with_mode(&mut self, ty: TypeId, mode: &str, span: Span) -> R<TypeId> {
        // Vectors (`V4SI`), complex integers (`CSI`), complex floating numbers (`DC`).
        if let Some((len, part)) = mode.strip_prefix('V').and_then(|m| m.split_at_checked(m.len().checked_sub(2)?))
            && let Ok(len) = len.parse::<u64>()
        {
            let part = self.with_mode(ty, part, span)?;
            let size = self.types.size(part).unwrap_or(1).saturating_mul(len);
            return self.vector_type(part, size, span);
        }
        let part = match mode {
            "SC" => Some("SF".to_owned()),
            "DC" => Some("DF".to_owned()),
            "XC" => Some("XF".to_owned()),
            "TC" => Some("TF".to_owned()),
            _ => mode.strip_prefix('C').map(str::to_owned),
        };
        if let Some(part) = part {
            let of = self.parts_of(ty).map_or(ty, |(part, _)| part);
            let part = self.with_mode(of, &part, span)?;
            return Ok(self.types.intern(CType::Complex(part)));
        }
        let signed = self.types.is_signed(ty);
        let kind = match mode {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" => IntKind::LongLong,
            "TI" => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => IntKind::Long,
            "SF" => return Ok(self.types.float(FloatKind::Float)),
            "DF" => return Ok(self.types.float(FloatKind::Double)),
            "XF" => return Ok(self.types.float(FloatKind::LongDouble)),
            "TF" => return Ok(self.types.float(FloatKind::Float128)),
            _ => return self.error(span, format!("mode `{mode}` is not supported")),
        };
        let kind = if kind == IntKind::LongLong && self.types.value_ty(ty) == Some(Ty::Int(64)) {
            self.types.as_int(ty).unwrap_or(kind)
        } else {
            kind
        };
        Ok(self.types.int(if signed { kind } else { kind.to_unsigned() }))
    }

    /// Whether an attribute list says `noreturn`.
    pub(super) fn says_noreturn(&self, specs: &DeclSpecs<'a>, declarator: &Declarator<'a>) -> bool {
        specs.noreturn || specs.attrs.iter().chain(declarator.attrs).any(|a| self.text(a.name) == "noreturn")
    }

    /// Whether an attribute list says that a function changes nothing.
    pub(super) fn says_pure(&self, specs: &DeclSpecs<'a>, declarator: &Declarator<'a>) -> bool {
        specs.attrs.iter().chain(declarator.attrs).any(|a| matches!(self.text(a.name), "const" | "pure"))
    }

    /// Whether the specifiers say `typedef`.
    pub(super) fn is_typedef(specs: &DeclSpecs<'a>) -> bool {
        specs.storage == Some(Storage::Typedef)
    }
}

fn mentions_expression(param: &Param<'_>) -> bool {
    matches!(param.specs.ty, TypeSpec::TypeofExpr(_))
        || param.declarator.parts.iter().any(|p| matches!(p, DeclaratorPart::Array(ArraySize::Expr(_))))
}

/// Attributes that change layout.
#[derive(Default)]
struct Attributes {
    packed: bool,
    /// 0 if none is asked for.
    align: u64,
    transparent: bool,
    ms_struct: bool,
    big_endian: Option<bool>,
}
