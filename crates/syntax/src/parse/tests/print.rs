//! A compact text form of the tree, so that tests can state what they expect.
//!
//! Expressions are prefix forms (`(+ a (* b c))`), declarations read as in English (`p: pointer to array 3 of int`).

use crate::ast::*;
use crate::{Interner, Symbol};

pub(super) struct Printer<'n> {
    pub(super) names: &'n Interner,
}

impl Printer<'_> {
    fn name(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }

    fn list<T>(&self, items: &[T], print: impl Fn(&T) -> String) -> String {
        items.iter().map(print).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn unit(&self, unit: &TranslationUnit<'_>) -> String {
        let items = unit.items.iter().map(|item| match item {
            Item::Function(function) => self.function(function),
            Item::Declaration(declaration) => self.declaration(declaration),
            Item::StaticAssert(assertion) => format!("(assert {})", self.expr(assertion.condition)),
            Item::Asm(..) => "(asm)".to_owned(),
        });
        items.collect::<Vec<_>>().join("\n")
    }

    fn function(&self, function: &FunctionDef<'_>) -> String {
        let old: String = function.kr_params.iter().map(|d| format!(" [{}]", self.declaration(d))).collect();
        let head = self.declared(&function.specs, &function.declarator);
        format!("{head}{old} {}", self.block(&function.body))
    }

    fn declaration(&self, declaration: &Declaration<'_>) -> String {
        if declaration.declarators.is_empty() {
            return self.specs(&declaration.specs);
        }
        let each = declaration.declarators.iter().map(|declarator| {
            let asm = declarator.asm_name.map_or(String::new(), |name| format!(" asm {}", self.name(name)));
            let init = declarator.init.map_or(String::new(), |init| format!(" = {}", self.init(&init)));
            format!("{}{asm}{init}", self.declared(&declaration.specs, &declarator.declarator))
        });
        each.collect::<Vec<_>>().join("; ")
    }

    fn declared(&self, specs: &DeclSpecs<'_>, declarator: &Declarator<'_>) -> String {
        let name = declarator.name.map_or("_", |name| self.name(name));
        let parts: String = declarator.parts.iter().map(|part| self.part(part)).collect();
        format!("{name}: {parts}{}{}", self.specs(specs), self.attrs(declarator.attrs))
    }

    fn part(&self, part: &DeclaratorPart<'_>) -> String {
        match part {
            DeclaratorPart::Pointer(quals) => format!("{}pointer to ", quals_text(quals)),
            DeclaratorPart::Array(ArraySize::Unknown) => "array of ".to_owned(),
            DeclaratorPart::Array(ArraySize::Star) => "array * of ".to_owned(),
            DeclaratorPart::Array(ArraySize::Expr(size)) => format!("array {} of ", self.expr(size)),
            DeclaratorPart::Function(params) => {
                let mut all: Vec<String> =
                    params.params.iter().map(|p| self.declared(&p.specs, &p.declarator)).collect();
                all.extend(params.kr_names.iter().map(|&name| self.name(name).to_owned()));
                all.extend(params.variadic.then(|| "...".to_owned()));
                let style = if params.prototype { "" } else { "old " };
                format!("{style}function({}) to ", all.join(", "))
            }
        }
    }

    pub(super) fn type_name(&self, ty: &TypeName<'_>) -> String {
        let parts: String = ty.declarator.parts.iter().map(|part| self.part(part)).collect();
        format!("<{parts}{}>", self.specs(&ty.specs))
    }

    fn attrs(&self, attrs: &[Attribute<'_>]) -> String {
        let each = attrs.iter().map(|attr| {
            let args = self.list(attr.args, |arg| self.expr(arg));
            format!(" @{}{}", self.name(attr.name), if args.is_empty() { args } else { format!("({args})") })
        });
        each.collect()
    }

    fn specs(&self, specs: &DeclSpecs<'_>) -> String {
        let mut out = String::new();
        if let Some(storage) = specs.storage {
            out.push_str(&format!("{storage:?} ").to_lowercase());
        }
        for (set, word) in [(specs.thread_local, "thread "), (specs.inline, "inline "), (specs.noreturn, "noreturn ")] {
            out.push_str(if set { word } else { "" });
        }
        out.push_str(&quals_text(&specs.quals));
        out.push_str(&self.type_spec(&specs.ty));
        for alignas in specs.alignas {
            out.push_str(&match alignas {
                Alignas::Type(ty) => format!(" alignas {}", self.type_name(ty)),
                Alignas::Expr(expr) => format!(" alignas {}", self.expr(expr)),
            });
        }
        out + &self.attrs(specs.attrs)
    }

    fn type_spec(&self, ty: &TypeSpec<'_>) -> String {
        match ty {
            TypeSpec::Record(record) => {
                let kind = format!("{:?}", record.kind).to_lowercase();
                let tag = record.tag.map_or(String::new(), |tag| format!(" {}", self.name(tag)));
                let members = record.members.map_or(String::new(), |members| {
                    let each = members.iter().map(|member| self.member(member));
                    format!(" {{{}}}", each.collect::<Vec<_>>().join("; "))
                });
                format!("{kind}{tag}{members}{}", self.attrs(record.attrs))
            }
            TypeSpec::Enum(spec) => {
                let tag = spec.tag.map_or(String::new(), |tag| format!(" {}", self.name(tag)));
                let list = spec.enumerators.map_or(String::new(), |list| {
                    let each = list.iter().map(|e| {
                        let value = e.value.map_or(String::new(), |value| format!("={}", self.expr(value)));
                        format!("{}{value}", self.name(e.name))
                    });
                    format!(" {{{}}}", each.collect::<Vec<_>>().join(" "))
                });
                format!("enum{tag}{list}{}", self.attrs(spec.attrs))
            }
            TypeSpec::Typedef(name) => self.name(*name).to_owned(),
            TypeSpec::TypeofExpr(expr) => format!("typeof({})", self.expr(expr)),
            TypeSpec::TypeofType(ty) => format!("typeof({})", self.type_name(ty)),
            TypeSpec::Atomic(ty) => format!("atomic({})", self.type_name(ty)),
            TypeSpec::Complex(ty) => format!("complex {}", self.type_spec(ty)),
            other => {
                let text = format!("{other:?}").to_lowercase();
                match text.trim_end_matches(')').split_once('(') {
                    Some((word, "none")) => word.to_owned(),
                    Some((word, sign)) => format!("{sign} {word}"),
                    None => text,
                }
            }
        }
    }

    fn member(&self, member: &Member<'_>) -> String {
        if member.declarators.is_empty() {
            return self.specs(&member.specs);
        }
        let each = member.declarators.iter().map(|declarator| {
            let bits = declarator.bits.map_or(String::new(), |bits| format!(" bits {}", self.expr(bits)));
            format!("{}{bits}", self.declared(&member.specs, &declarator.declarator))
        });
        each.collect::<Vec<_>>().join("; ")
    }

    pub(super) fn init(&self, init: &Init<'_>) -> String {
        match init {
            Init::Expr(expr) => self.expr(expr),
            Init::List(items, _) => {
                let each = items.iter().map(|item| {
                    let path: String = item.designators.iter().map(|d| self.designator(d)).collect();
                    let path = if path.is_empty() { path } else { format!("{path}=") };
                    format!("{path}{}", self.init(&item.init))
                });
                format!("{{{}}}", each.collect::<Vec<_>>().join(", "))
            }
        }
    }

    fn designator(&self, designator: &Designator<'_>) -> String {
        match designator {
            Designator::Field(name, _) => format!(".{}", self.name(*name)),
            Designator::Index(index) => format!("[{}]", self.expr(index)),
            Designator::Range(first, last) => format!("[{}...{}]", self.expr(first), self.expr(last)),
        }
    }

    fn block(&self, block: &Block<'_>) -> String {
        format!("{{{}}}", self.list(block.stmts, |stmt| self.stmt(stmt)))
    }

    pub(super) fn stmt(&self, stmt: &Stmt<'_>) -> String {
        let maybe = |expr: Option<&Expr<'_>>| expr.map_or("_".to_owned(), |expr| self.expr(expr));
        match &stmt.kind {
            StmtKind::Empty => ";".to_owned(),
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::Declaration(declaration) => format!("[{}]", self.declaration(declaration)),
            StmtKind::StaticAssert(assertion) => format!("(assert {})", self.expr(assertion.condition)),
            StmtKind::Function(function) => format!("[{}]", self.function(function)),
            StmtKind::LocalLabels(names) => format!("(labels {})", self.list(names, |n| self.name(*n).to_owned())),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If(condition, then, None) => format!("(if {} {})", self.expr(condition), self.stmt(then)),
            StmtKind::If(condition, then, Some(other)) => {
                format!("(if {} {} {})", self.expr(condition), self.stmt(then), self.stmt(other))
            }
            StmtKind::While(condition, body) => format!("(while {} {})", self.expr(condition), self.stmt(body)),
            StmtKind::DoWhile(body, condition) => format!("(do {} {})", self.stmt(body), self.expr(condition)),
            StmtKind::For(f) => {
                format!("(for {} {} {} {})", self.stmt(&f.init), maybe(f.condition), maybe(f.step), self.stmt(&f.body))
            }
            StmtKind::Switch(value, body) => format!("(switch {} {})", self.expr(value), self.stmt(body)),
            StmtKind::Case(value, body) => format!("(case {} {})", self.expr(value), self.stmt(body)),
            StmtKind::CaseRange(first, last, body) => {
                format!("(case {}...{} {})", self.expr(first), self.expr(last), self.stmt(body))
            }
            StmtKind::Default(body) => format!("(default {})", self.stmt(body)),
            StmtKind::Label(name, body) => format!("({}: {})", self.name(*name), self.stmt(body)),
            StmtKind::Goto(name) => format!("(goto {})", self.name(*name)),
            StmtKind::GotoComputed(target) => format!("(goto *{})", self.expr(target)),
            StmtKind::Continue => "continue".to_owned(),
            StmtKind::Break => "break".to_owned(),
            StmtKind::Return(value) => format!("(return {})", maybe(*value)),
            StmtKind::Asm(asm) => self.asm(asm),
        }
    }

    fn asm(&self, asm: &Asm<'_>) -> String {
        let operand = |o: &AsmOperand<'_>| format!("{}:{}", self.name(o.constraint), self.expr(o.expr));
        format!(
            "(asm{} out({}) in({}){} labels({}))",
            if self.name(asm.template).trim().is_empty() { " empty" } else { "" },
            self.list(asm.outputs, operand),
            self.list(asm.inputs, operand),
            if asm.clobbers_memory { " memory" } else { "" },
            self.list(asm.labels, |n| self.name(*n).to_owned())
        )
    }

    pub(super) fn expr(&self, expr: &Expr<'_>) -> String {
        let e = |expr: &Expr<'_>| self.expr(expr);
        match &expr.kind {
            ExprKind::Int(literal) => literal.value.to_string(),
            ExprKind::Float(literal) => format!("{:?}", literal.double),
            ExprKind::Char(value, encoding) => format!("{}{value}", prefix(*encoding)),
            ExprKind::Str(units, encoding) => {
                let text: String = units.iter().filter_map(|&unit| char::from_u32(unit)).collect();
                format!("{}{text:?}", prefix(*encoding))
            }
            ExprKind::Ident(name) => self.name(*name).to_owned(),
            ExprKind::Unary(op, operand) => format!("({op:?} {})", e(operand)),
            ExprKind::PostIncrement(operand) => format!("(post++ {})", e(operand)),
            ExprKind::PostDecrement(operand) => format!("(post-- {})", e(operand)),
            ExprKind::Binary(op, left, right) => format!("({op:?} {} {})", e(left), e(right)),
            ExprKind::Assign(None, left, right) => format!("(= {} {})", e(left), e(right)),
            ExprKind::Assign(Some(op), left, right) => format!("({op:?}= {} {})", e(left), e(right)),
            ExprKind::Conditional(c, Some(a), b) => format!("(? {} {} {})", e(c), e(a), e(b)),
            ExprKind::Conditional(c, None, b) => format!("(?: {} {})", e(c), e(b)),
            ExprKind::Comma(left, right) => format!("(, {} {})", e(left), e(right)),
            ExprKind::Cast(ty, operand) => format!("(cast {} {})", self.type_name(ty), e(operand)),
            ExprKind::CompoundLiteral(ty, init) => format!("(literal {} {})", self.type_name(ty), self.init(init)),
            ExprKind::Call(callee, args) => {
                let args: String = args.iter().map(|arg| format!(" {}", e(arg))).collect();
                format!("(call {}{args})", e(callee))
            }
            ExprKind::Member(object, name) => format!("(. {} {})", e(object), self.name(*name)),
            ExprKind::Arrow(object, name) => format!("(-> {} {})", e(object), self.name(*name)),
            ExprKind::Index(array, index) => format!("(index {} {})", e(array), e(index)),
            ExprKind::SizeofExpr(operand) => format!("(sizeof {})", e(operand)),
            ExprKind::SizeofType(ty) => format!("(sizeof {})", self.type_name(ty)),
            ExprKind::AlignofExpr(operand) => format!("(alignof {})", e(operand)),
            ExprKind::AlignofType(ty) => format!("(alignof {})", self.type_name(ty)),
            ExprKind::Statement(block) => format!("({})", self.block(block)),
            ExprKind::LabelAddress(name) => format!("(label {})", self.name(*name)),
            ExprKind::Generic(selector, branches) => {
                let branch = |(ty, value): &(Option<TypeName<'_>>, Expr<'_>)| {
                    let ty = ty.map_or("default".to_owned(), |ty| self.type_name(&ty));
                    format!("{ty}: {}", e(value))
                };
                format!("(generic {} {})", e(selector), self.list(branches, branch))
            }
            ExprKind::Offsetof(ty, path) => {
                let path: String = path.iter().map(|d| self.designator(d)).collect();
                format!("(offsetof {} {path})", self.type_name(ty))
            }
            ExprKind::VaArg(list, ty) => format!("(va_arg {} {})", e(list), self.type_name(ty)),
            ExprKind::TypesCompatible(a, b) => format!("(compatible {} {})", self.type_name(a), self.type_name(b)),
            ExprKind::ChooseExpr(c, a, b) => format!("(choose {} {} {})", e(c), e(a), e(b)),
        }
    }
}

fn prefix(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "",
        Encoding::Wide => "L",
        Encoding::Utf16 => "u",
        Encoding::Utf32 => "U",
    }
}

fn quals_text(quals: &Quals) -> String {
    let words = [
        (quals.constant, "const "),
        (quals.volatile, "volatile "),
        (quals.restrict, "restrict "),
        (quals.atomic, "atomic "),
    ];
    words.iter().filter(|(set, _)| *set).map(|(_, word)| *word).collect()
}
