use serde::{Deserialize, Serialize};

use crate::answer::AnswerKind;

/// The property of a picture that survives stretching and that a task asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Property {
    /// Is it one piece?
    Continuity,
    /// Does it fall into parts?
    Separation,
    /// Which comes next along the string?
    Order,
    /// Inside or outside? How many holes?
    Enclosure,
    /// Does it come apart?
    Knots,
}

impl Property {
    /// The property's name, as in records.
    pub const fn name(self) -> &'static str {
        match self {
            Property::Continuity => "continuity",
            Property::Separation => "separation",
            Property::Order => "order",
            Property::Enclosure => "enclosure",
            Property::Knots => "knots",
        }
    }
}

/// Whether a task is answered once or acted out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskKind {
    /// One question about finished pictures.
    Reasoning,
    /// A closed loop of observation, action and next state.
    Planning,
}

impl TaskKind {
    /// The kind's name, as in listings.
    pub const fn name(self) -> &'static str {
        match self {
            TaskKind::Reasoning => "reasoning",
            TaskKind::Planning => "planning",
        }
    }
}

/// How an answer is judged. The name and number stand in every record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Contract {
    /// Right when equal to the one answer: numbers and labels by value, sets without regard to
    /// order or repeats, sequences with regard to both.
    #[serde(rename = "equal/1")]
    Equal,
    /// Right when running the plan reaches the goal within the action budget.
    #[serde(rename = "plan/1")]
    Plan,
}

impl Contract {
    /// The contract's name and number.
    pub const fn name(self) -> &'static str {
        match self {
            Contract::Equal => "equal/1",
            Contract::Plan => "plan/1",
        }
    }

    /// What stands in a record: how answers are judged, and the names of the rewards that follow
    /// from the verdict (the fields of [`Rewards`](crate::Rewards)), as JSON text.
    pub fn to_json(self) -> String {
        format!(r#"{{"judge":"{}","rewards":["exact","formatted","penalised"]}}"#, self.name())
    }
}

/// What a solver has to do, for slicing results across tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Operation {
    /// Find what can be reached from somewhere.
    Reachability,
    /// Find what has to be taken away to join two things.
    Cut,
    /// Follow a string and say what comes in which order.
    Tracing,
    /// Count what has a property.
    Counting,
    /// Compare two pictures or a picture with options.
    Comparison,
    /// Judge a change that is not in the picture.
    WhatIf,
    /// Choose actions towards a goal.
    Planning,
}

impl Operation {
    /// The operation's name, as in records.
    pub const fn name(self) -> &'static str {
        match self {
            Operation::Reachability => "reachability",
            Operation::Cut => "cut",
            Operation::Tracing => "tracing",
            Operation::Counting => "counting",
            Operation::Comparison => "comparison",
            Operation::WhatIf => "what_if",
            Operation::Planning => "planning",
        }
    }
}

/// The facts of a task, declared once as data: cards, listings and records are made from them.
#[derive(Debug, PartialEq, Eq)]
pub struct TaskInfo {
    /// `scene/question`, such as `maze-2d/reach`; the scene alone for a planning task.
    pub id: &'static str,
    /// Goes up whenever the same seed gives another record.
    pub version: u32,
    /// The property that is asked about.
    pub property: Property,
    /// Answered once or acted out.
    pub kind: TaskKind,
    /// The kind of its answers.
    pub answer: AnswerKind,
    /// How answers are judged.
    pub contract: Contract,
    /// What a solver has to do.
    pub operations: &'static [Operation],
    /// The number of pictures of every instance.
    pub pictures: usize,
    /// Into how many residue classes of the state hash a build may cut its work, from 1 to 8:
    /// 8 where sampling a state costs little, 1 where it is dear.
    pub units: u32,
    /// Whether the task belongs to the published benchmark (preset `full`) or extends it.
    pub published: bool,
    /// What is asked, in one sentence.
    pub summary: &'static str,
}

impl TaskInfo {
    /// The scene's name: the part of the id before the slash.
    pub fn scene(&self) -> &'static str {
        self.id.split('/').next().unwrap_or(self.id)
    }

    /// The id with the slash replaced, for file names: `maze-2d-reach`.
    pub fn slug(&self) -> String {
        self.id.replace('/', "-")
    }
}
