//! What can be drawn: nodes and edges with labels.

use crate::ir::{Idx, IdxVec};

/// A node of a [`Graph`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct NodeId(u32);

impl Idx for NodeId {
    fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 nodes"))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A graph to draw. The first node stands at the top.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Stands above it.
    pub title: String,
    /// The nodes.
    pub nodes: IdxVec<NodeId, Node>,
    /// The edges; those of a node are drawn in this order, from left to right, where nothing speaks against it.
    pub edges: Vec<Edge>,
}

/// A node.
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The label, line by line.
    pub label: Vec<String>,
    /// Its outline.
    pub shape: Shape,
    /// Its colour.
    pub tone: Tone,
    /// Text that appears under the mouse.
    pub tooltip: String,
    /// The location that it stands for, if it is one: numbers of the function and of the location.
    pub stands_for: Option<(u32, u32)>,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// From.
    pub from: NodeId,
    /// To.
    pub to: NodeId,
    /// The label, line by line.
    pub label: Vec<String>,
    /// Its colour.
    pub tone: Tone,
    /// Whether the line is dashed.
    pub dashed: bool,
    /// Text that appears under the mouse.
    pub tooltip: String,
    /// The steps that it stands for, in order: numbers of the function and of the edge of its automaton.
    pub stands_for: Vec<(u32, u32)>,
}

/// Outline of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// An ellipse.
    #[default]
    Ellipse,
    /// An ellipse with a double line.
    DoubleEllipse,
    /// A box with round corners.
    Box,
    /// A box with a double line.
    DoubleBox,
    /// A box with a dashed line.
    DashedBox,
}

impl Shape {
    /// Whether it has a double line.
    pub fn is_double(self) -> bool {
        matches!(self, Shape::DoubleEllipse | Shape::DoubleBox)
    }

    /// Whether it is a box.
    pub fn is_box(self) -> bool {
        matches!(self, Shape::Box | Shape::DoubleBox | Shape::DashedBox)
    }
}

/// What a colour says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tone {
    /// Nothing special.
    #[default]
    Plain,
    /// A start.
    Start,
    /// An end.
    End,
    /// A choice.
    Choice,
    /// An error.
    Error,
    /// Less important than the others.
    Faint,
    /// Stands out by a grey inside.
    Shaded,
}

impl Tone {
    /// Colour of lines and text.
    pub(super) fn line(self) -> &'static str {
        match self {
            Tone::Plain => "#24292f",
            Tone::Start => "#1a7f37",
            Tone::End => "#57606a",
            Tone::Choice => "#0550ae",
            Tone::Error => "#cf222e",
            Tone::Faint => "#8c959f",
            Tone::Shaded => "#24292f",
        }
    }

    /// Colour of a node's inside.
    pub(super) fn fill(self) -> &'static str {
        match self {
            Tone::Plain => "#f6f8fa",
            Tone::Start => "#dafbe1",
            Tone::End => "#eaeef2",
            Tone::Choice => "#ddf4ff",
            Tone::Error => "#ffebe9",
            Tone::Faint => "#ffffff",
            Tone::Shaded => "#d0d7de",
        }
    }
}
