//! The violation of a witness as error edges, and an execution that may reach them.

use robusto_cfa::ir::{
    BinOp, Edge, ErrorKind, FuncId, Function, HavocSource, Idx as _, LocId, Op, Program, SrcPos, Ty, VarId,
};
use robusto_interp::inputs::{InputValue, Request};
use robusto_interp::{Code, Config, Inputs, Machine, Outcome, Silent, Streams};
use std::collections::{HashSet, VecDeque};

/// Rebuilds a function; each edge becomes a list of edges, error edges lead to locations of their own.
fn rewrite(function: &mut Function, mut each: impl FnMut(Edge, &mut usize) -> Vec<Edge>) {
    let mut header = std::mem::replace(function, Function::header("", SrcPos::default()));
    let mut locations = header.num_locs();
    let mut edges = Vec::new();
    for edge in header.take_edges() {
        for mut edge in each(edge, &mut locations) {
            if matches!(edge.op, Op::Error(_)) {
                edge.dst = LocId::new(locations);
                locations += 1;
            }
            edges.push(edge);
        }
    }
    *function = robusto_cfa::ir::rebuild(header, locations, edges);
}

/// What a witness asks about a value without a definition is no branch of the program: it goes on with any value there.
pub(crate) fn ignore_undefined(program: &mut Program, asks: &dyn Fn(SrcPos) -> bool) {
    let ids: Vec<FuncId> = program.functions.ids().collect();
    for id in ids {
        let function = &program.functions[id];
        let leads = |loc: LocId, wanted: &dyn Fn(&Edge) -> bool| function.out(loc).any(|(_, edge)| wanted(edge));
        let is_error = |edge: &Edge| matches!(edge.op, Op::Error(ErrorKind::Uninit));
        let is_doubt = |edge: &Edge| leads(edge.dst, &|next| matches!(next.op, Op::Unsupported(_)));
        // The error, or the question whether it is sure.
        let finds =
            |loc: LocId| leads(loc, &is_error) || leads(loc, &is_doubt) && leads(loc, &|e| leads(e.dst, &is_error));
        let is_asked = |edge: &Edge| asks(edge.pos) && leads(edge.src, &|e| finds(e.dst));
        let dead: HashSet<(LocId, LocId)> =
            function.edges().iter().filter(|e| is_asked(e) && finds(e.dst)).map(|e| (e.src, e.dst)).collect();
        if dead.is_empty() {
            continue;
        }
        rewrite(&mut program.functions[id], |edge, _| match () {
            () if dead.contains(&(edge.src, edge.dst)) => Vec::new(),
            () if dead.iter().any(|&(src, _)| src == edge.src) => vec![Edge { op: Op::Skip, ..edge }],
            () => vec![edge],
        });
    }
    robusto_cfa::verify::assert_valid(program, "instrumenting a witness");
}

/// Error edges outside the target end the program; those in it need the counter to be there. Says whether there is one.
pub(crate) fn guard(program: &mut Program, passed: usize, is_target: impl Fn(SrcPos) -> bool) -> bool {
    let counter: Option<VarId> = program.vars.enumerate().find(|(_, v)| &*v.name == "__robusto_at").map(|(id, _)| id);
    let condition = counter.map(|var| {
        let (at, wanted) = (program.exprs.var(var), program.exprs.constant(Ty::Int(32), passed as u64));
        program.exprs.binary(BinOp::Eq, at, wanted)
    });
    let mut found = false;
    let ids: Vec<FuncId> = program.functions.ids().collect();
    for id in ids {
        rewrite(&mut program.functions[id], |edge, locations| {
            if !matches!(edge.op, Op::Error(_)) {
                return vec![edge];
            }
            if !is_target(edge.pos) {
                return vec![Edge { op: Op::Halt { status: None }, ..edge }];
            }
            found = true;
            let error = Op::Error(ErrorKind::ReachError);
            let Some(cond) = condition else { return vec![Edge { op: error, ..edge }] };
            let middle = LocId::new(*locations);
            *locations += 1;
            let assume = Edge { dst: middle, op: Op::Assume { cond, truth: true }, ..edge.clone() };
            vec![assume, Edge { src: middle, op: error, ..edge }]
        });
    }
    robusto_cfa::verify::assert_valid(program, "instrumenting a witness");
    // A witness without other waypoints has no counter, and none is needed.
    found && (condition.is_some() || passed == 0)
}

/// A value that the witness names: at the call at this position, or returned by this function.
#[derive(Clone)]
pub(crate) struct Named {
    pub(crate) pos: SrcPos,
    pub(crate) callee: Option<String>,
    pub(crate) value: i128,
}

struct NamedInputs<'p> {
    program: &'p Program,
    pending: VecDeque<Named>,
    /// Values of uninitialised variables by name.
    variables: VecDeque<(String, i128)>,
}

impl Inputs for NamedInputs<'_> {
    fn value(&mut self, request: Request) -> u128 {
        let edge = self.program.functions[request.at.function].edge(request.at.edge);
        if let (HavocSource::Uninit, Op::Havoc { var, .. }) = (request.source, &edge.op) {
            let name = &*self.program.vars[*var].name;
            let found = self.variables.iter().position(|(known, _)| known == name);
            let value = found.and_then(|i| self.variables.remove(i)).map_or(0, |(_, value)| value);
            return InputValue::Int(value).bits(request.ty);
        }
        let matches = self.pending.front().is_some_and(|named| match request.source {
            HavocSource::Input => named.pos == edge.pos,
            HavocSource::External(function) => named.callee.as_deref() == Some(&*self.program.functions[function].name),
            _ => false,
        });
        match if matches { self.pending.pop_front() } else { None } {
            Some(named) => InputValue::Int(named.value).bits(request.ty),
            None => 0,
        }
    }

    fn fill(&mut self, _: Request, bytes: &mut [u8]) {
        bytes.fill(0);
    }
}

/// Whether the execution with the named inputs arrives at an error edge.
pub(crate) fn replay(program: &Program, pending: VecDeque<Named>, variables: VecDeque<(String, i128)>) -> bool {
    let code = Code::new(program);
    let (mut out, mut err) = (std::io::sink(), std::io::sink());
    let streams = Streams { out: &mut out, err: &mut err };
    let config = Config { max_steps: Some(50_000_000), ..Config::default() };
    let mut inputs = NamedInputs { program, pending, variables };
    Machine::new(program, &code, config, &mut inputs, Silent, streams)
        .is_ok_and(|mut machine| matches!(machine.run(), Outcome::ErrorReached { .. }))
}
