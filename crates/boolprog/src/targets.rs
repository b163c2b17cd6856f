//! What is asked of a program: can an assertion fail, or a label be reached?

use crate::program::{EdgeId, NodeId, ProcId, Program, Role};
use robusto_verdict::{EdgeNumber, Property, Target, Violation};

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// Can an `assert` fail?
    Assert,
    /// Can a label of this name be reached?
    Label(String),
}

impl Question {
    /// As a property: that it cannot.
    pub fn property(&self) -> Property {
        match self {
            Question::Assert => Property::Assert,
            Question::Label(name) => Property::Label(name.clone()),
        }
    }
}

/// The nodes that answer the question.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    list: Vec<Goal>,
}

/// A node that must not be reached.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The procedure.
    pub procedure: ProcId,
    /// The node.
    pub node: NodeId,
    /// As it is reported.
    pub target: Target,
}

impl Targets {
    /// The targets of a question, in the order of the text.
    pub fn new(program: &Program, question: &Question) -> Self {
        let mut list = Vec::new();
        for (id, procedure) in program.numbered() {
            let number = |edge: EdgeId| EdgeNumber { function: id.0, edge: edge.0 };
            match question {
                Question::Assert => {
                    for (edge_id, edge) in procedure.numbered().filter(|(_, edge)| edge.role == Role::Failure) {
                        let name = format!("assertion in line {}", edge.place.line);
                        let (kind, edge_number) = (Some(Violation::Assertion), number(edge_id));
                        let target = Target { name, kind, edge: edge_number, pos: edge.place };
                        list.push(Goal { procedure: id, node: edge.to, target });
                    }
                }
                Question::Label(name) => {
                    for label in procedure.labels.iter().filter(|label| *label.name == **name) {
                        // A statement follows each label, so an edge leaves its node.
                        let edge = procedure.outgoing[label.node.index()].first().copied().unwrap_or(EdgeId(0));
                        let kind = Some(Violation::Label);
                        let target = Target { name: name.clone(), kind, edge: number(edge), pos: label.place };
                        list.push(Goal { procedure: id, node: label.node, target });
                    }
                }
            }
        }
        Self { list }
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Goal> {
        self.list.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The target at a node.
    pub fn at(&self, procedure: ProcId, node: NodeId) -> Option<&Goal> {
        self.list.iter().find(|goal| (goal.procedure, goal.node) == (procedure, node))
    }

    /// For each procedure, whether each of its nodes is a target.
    pub fn marks(&self, program: &Program) -> Vec<Vec<bool>> {
        let mut marks: Vec<Vec<bool>> = program.procedures.iter().map(|p| vec![false; p.outgoing.len()]).collect();
        for goal in &self.list {
            marks[goal.procedure.index()][goal.node.index()] = true;
        }
        marks
    }
}
