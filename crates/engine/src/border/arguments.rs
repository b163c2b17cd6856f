//! The arguments of `main`.
//!
//! The interpreter gives `main` those of a command line. Engines need any: `argc` is not negative, and what `argv` leads to comes from
//! outside. Where memory is checked, nothing of the outside may be accessed, so there are objects for it then: so many arguments, each a
//! text in an object of its own, and `argv` with so many elements and null behind the last. That there are no more is listed.
//!
//! A `main` that the program itself calls is left as it is: its parameters have any values then, which no replay knows.

use super::{Builder, rebuild, texts};
use robusto_cfa::ir::{
    AllocKind, BinOp, Callee, DataModel, Expr, ExprId, FuncId, Granted, HavocSource, Image, LocId, ObjId, Object,
    ObjectKind, Op, Program, RelocTarget, SrcPos, Ty, VarId,
};

/// Most arguments, the program's name among them, where memory is checked.
const ARGUMENTS: u64 = 8;

/// Most variables of the environment that `main` gets.
const ENVIRONMENT: u64 = 2;

/// Bytes of an argument with the zero at its end. Loops over a text are unrolled as often.
const LENGTH: u64 = 32;

/// Gives the parameters of `main` their values. `checked` is whether nothing of the outside may be accessed.
pub(super) fn give(program: &mut Program, checked: bool) {
    let Some(main) = program.main.filter(|&main| !is_called(program, main)) else { return };
    let params = program.functions[main].params.clone();
    let ty = |at: usize| params.get(at).map(|&param| program.vars[param].ty);
    let known = ty(0) == Some(Ty::Int(32)) && params.len() <= 3 && (1..params.len()).all(|at| ty(at) == Some(Ty::Ptr));
    if !known {
        return;
    }
    let is_used = |param: VarId| program.exprs.ids().any(|id| program.exprs.get(id) == Expr::Var(param));
    let used: Vec<bool> = params.iter().map(|&param| is_used(param)).collect();
    if !used.contains(&true) {
        return;
    }
    if !checked && used.get(1) == Some(&true) {
        texts::lead(program, main, params[0], params[1]);
    }
    let pos = program.functions[main].pos;
    let entry = program.functions[main].entry;
    rebuild(program, main, |builder, edges| {
        let body = builder.location();
        let moved = |loc: LocId| if loc == entry { body } else { loc };
        for edge in edges {
            builder.edges.push(robusto_cfa::ir::Edge { src: moved(edge.src), dst: moved(edge.dst), ..edge });
        }
        let mut given = Given { builder, main, pos, at: entry };
        let most = match given.builder.program.model {
            _ if checked && used.get(1) == Some(&true) => ARGUMENTS,
            DataModel::Lp64 => i32::MAX as u64,
            // No object is larger than half of the addresses, nor is `argv`.
            DataModel::Ilp32 => i32::MAX as u64 / 4 - 1,
        };
        given.number(params[0], most);
        for ((&param, &is_used), text) in params[1..].iter().zip(&used[1..]).zip(["argument", "environment"]) {
            let count = if text == "argument" { ARGUMENTS } else { ENVIRONMENT };
            let of_argv = (text == "argument").then_some(params[0]);
            match (is_used, checked) {
                (true, true) => given.texts(param, text, count, of_argv),
                (true, false) => given.outside(param, of_argv),
                (false, _) => {}
            }
        }
        let Given { at, .. } = given;
        builder.edge(at, body, Op::Skip, pos);
    });
    if checked && used[1..].contains(&true) {
        let [count, variables, length] = [ARGUMENTS - 1, ENVIRONMENT, LENGTH - 1].map(|most| most.to_string());
        program.assumptions.push(Granted::Arguments { count, variables, length }.at(pos));
    }
}

/// Whether the program may call a function itself.
fn is_called(program: &Program, function: FuncId) -> bool {
    let called = |op: &Op| matches!(op, Op::Call { callee: Callee::Direct(callee), .. } if *callee == function);
    let in_image = |object: &Object| match &object.kind {
        ObjectKind::Global(image) | ObjectKind::Constant(image) => {
            image.relocations.iter().any(|relocation| relocation.target == RelocTarget::Function(function))
        }
        ObjectKind::Local(_) => false,
    };
    program.exprs.ids().any(|id| program.exprs.get(id) == Expr::FuncAddr(function))
        || program.functions.iter().any(|f| f.edges().iter().any(|edge| called(&edge.op)))
        || program.objects.iter().any(in_image)
}

/// The steps before the body of `main`.
struct Given<'b, 'p> {
    builder: &'b mut Builder<'p>,
    main: FuncId,
    pos: SrcPos,
    at: LocId,
}

impl Given<'_, '_> {
    fn step(&mut self, op: Op) {
        let next = self.builder.location();
        self.builder.edge(self.at, next, op, self.pos);
        self.at = next;
    }

    fn any(&mut self, var: VarId) -> ExprId {
        self.step(Op::Havoc { var, source: HavocSource::External(self.main) });
        self.builder.program.exprs.var(var)
    }

    /// How many arguments there are.
    fn number(&mut self, argc: VarId, most: u64) {
        let count = self.any(argc);
        let exprs = &mut self.builder.program.exprs;
        let most = exprs.constant(Ty::Int(32), most);
        let cond = exprs.binary(BinOp::ULe, count, most);
        self.step(Op::Assume { cond, truth: true });
    }

    /// A pointer from outside that is not null; behind the last argument there is null.
    fn outside(&mut self, param: VarId, argc: Option<VarId>) {
        let pointer = self.any(param);
        let size_ty = self.builder.program.model.size_ty();
        let exprs = &mut self.builder.program.exprs;
        let null = exprs.null();
        let cond = exprs.binary(BinOp::Ne, pointer, null);
        self.step(Op::Assume { cond, truth: true });
        let Some(argc) = argc else { return };
        let width = u64::from(self.builder.program.model.pointer_bits() / 8);
        let exprs = &mut self.builder.program.exprs;
        let (count, width) = (exprs.var(argc), exprs.size(width));
        let Ty::Int(bits) = size_ty else { unreachable!("sizes are integers") };
        let count = exprs.resize(count, false, bits);
        let offset = exprs.binary(BinOp::Mul, count, width);
        let end = exprs.binary(BinOp::PtrAdd, pointer, offset);
        let last = exprs.load(Ty::Ptr, end);
        let cond = exprs.binary(BinOp::Eq, last, null);
        self.step(Op::Assume { cond, truth: true });
        self.lead_to_texts(pointer, argc);
    }

    /// The first elements of `argv` are not null, as far as there are arguments. Of others [`texts`] tells.
    fn lead_to_texts(&mut self, argv: ExprId, argc: VarId) {
        let width = u64::from(self.builder.program.model.pointer_bits() / 8);
        for i in 0..ARGUMENTS {
            let exprs = &mut self.builder.program.exprs;
            let (count, number, offset) = (exprs.var(argc), exprs.constant(Ty::Int(32), i), exprs.size(i * width));
            let behind = exprs.binary(BinOp::ULe, count, number);
            let addr = exprs.binary(BinOp::PtrAdd, argv, offset);
            let (text, null) = (exprs.load(Ty::Ptr, addr), exprs.null());
            let is_text = exprs.binary(BinOp::Ne, text, null);
            let cond = exprs.binary(BinOp::Or, behind, is_text);
            self.step(Op::Assume { cond, truth: true });
        }
    }

    /// A pointer to pointers to texts, with null behind the last: as many as there are arguments, or any number.
    fn texts(&mut self, param: VarId, name: &str, count: u64, argc: Option<VarId>) {
        let width = u64::from(self.builder.program.model.pointer_bits() / 8);
        let table = match argc {
            Some(argc) => self.counted(param, argc, width),
            None => {
                let table = self.object(&format!("{name}s"), (count + 1) * width, width as u32);
                self.builder.program.exprs.intern(Expr::ObjAddr(table))
            }
        };
        let texts: Vec<ObjId> = (0..count).map(|i| self.object(&format!("{name} {i}"), LENGTH, 1)).collect();
        let end = self.builder.location();
        for (i, text) in (0u64..).zip(texts) {
            let exprs = &mut self.builder.program.exprs;
            let cond = match argc {
                Some(argc) => {
                    let (number, i) = (exprs.var(argc), exprs.constant(Ty::Int(32), i));
                    exprs.binary(BinOp::ULe, number, i)
                }
                // The first byte of a text that is not there is zero.
                None => {
                    let address = exprs.intern(Expr::ObjAddr(text));
                    self.fill(text, address);
                    let exprs = &mut self.builder.program.exprs;
                    let (first, zero) = (exprs.load(Ty::Int(8), address), exprs.constant(Ty::Int(8), 0));
                    exprs.binary(BinOp::Eq, first, zero)
                }
            };
            self.at = self.builder.unless(self.at, cond, end, self.pos);
            let exprs = &mut self.builder.program.exprs;
            let address = exprs.intern(Expr::ObjAddr(text));
            let offset = exprs.size(i * width);
            let addr = exprs.binary(BinOp::PtrAdd, table, offset);
            self.step(Op::Store { addr, value: address });
            if argc.is_some() {
                self.fill(text, address);
            }
        }
        self.builder.edge(self.at, end, Op::Skip, self.pos);
        self.at = end;
        if argc.is_none() {
            self.step(Op::Assign { var: param, value: table });
        }
    }

    /// Memory for one pointer more than there are arguments: who reads behind the null at its end, wherever, leaves it.
    fn counted(&mut self, param: VarId, argc: VarId, width: u64) -> ExprId {
        let bits = self.builder.program.model.pointer_bits();
        let exprs = &mut self.builder.program.exprs;
        let (count, one, width) = (exprs.var(argc), exprs.size(1), exprs.size(width));
        let count = exprs.resize(count, false, bits);
        let elements = exprs.binary(BinOp::Add, count, one);
        let size = exprs.binary(BinOp::Mul, elements, width);
        self.step(Op::Alloc { var: param, size, kind: AllocKind::Library, zeroed: true });
        self.builder.program.exprs.var(param)
    }

    /// Any text; its last byte stays zero.
    fn fill(&mut self, text: ObjId, addr: ExprId) {
        let size = self.builder.program.exprs.size(self.builder.program.objects[text].size - 1);
        self.step(Op::HavocMem { addr, size, source: HavocSource::External(self.main) });
    }

    fn object(&mut self, name: &str, size: u64, align: u32) -> ObjId {
        let kind = ObjectKind::Global(Image::default());
        self.builder.program.objects.push(Object { name: name.into(), size, align, kind, pos: self.pos })
    }
}
