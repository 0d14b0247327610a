use serde::{Deserialize, Serialize};
use topotrace_core::{
    Action, Answer, AnswerKind, Contract, Domain, Episode, EpisodeOptions, Flaw, Game, Item, Operation,
    Outcome, Planning, PromptRng, Property, Rejected, Run, SemanticRng, Shortcut, Status, TaskInfo, TaskKind,
    TaskProgram, ensure, plan_of, plan_succeeds,
};

use super::certificate::{self, TrapProof};
use super::grammar::{self, ChatNoirAim, ChatNoirParams};
use super::position::Position;
use super::scene::{Garden, GardenStyle};
use super::search::{Found, MOST_WORK, TooMany, shortest};
use super::{explain, rings, shortcuts, wording};

/// Block cells until the cat has no way to the rim.
pub struct ChatNoir;

/// The bounded argument of the question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatNoirQuery {
    /// The number of actions that are allowed: at least as many as a shortest plan has, at most as
    /// many as there are open cells without the cat.
    pub budget: u32,
}

/// A shortest plan. For validated items there is one.
fn reference(position: &Position) -> Option<Found> {
    shortest(position, MOST_WORK).ok().flatten()
}

/// A shortest plan from any position, or where the search for it takes more work than this, the
/// blocks of a simple way to play if they trap the cat: a plan, if not a shortest one. After odd
/// blocks a search may take that long. Empty where there is no plan or none is found.
fn plan_within(position: &Position, most_work: u32) -> Vec<u32> {
    if position.status() != Status::Open {
        return Vec::new();
    }
    match shortest(position, most_work) {
        Ok(found) => found.map_or_else(Vec::new, |found| found.plan),
        Err(TooMany) => shortcuts::trap_by_best_blocks(position).unwrap_or_default(),
    }
}

/// A guess as an answer: what goes beyond the budget would not be carried out.
fn guess(mut plan: Vec<u32>, budget: u32) -> Answer {
    plan.truncate(budget as usize);
    plan_of(&plan)
}

impl TaskProgram for ChatNoir {
    const INFO: TaskInfo = TaskInfo {
        id: "chat-noir",
        version: 1,
        property: Property::Enclosure,
        kind: TaskKind::Planning,
        answer: AnswerKind::Plan,
        contract: Contract::Plan,
        operations: &[Operation::Planning, Operation::Cut],
        pictures: 1,
        units: 8,
        published: true,
        summary: "Block cells of a hexagonal board until the cat has no way to the rim.",
    };

    const SHORTCUTS: &'static [Shortcut<Item<Self>>] = &[
        Shortcut {
            name: "beside the cat",
            guess: |i| guess(shortcuts::beside_the_cat(&i.state, i.query.budget), i.query.budget),
        },
        Shortcut {
            name: "next cell of its way",
            guess: |i| guess(shortcuts::next_on_its_way(&i.state, i.query.budget), i.query.budget),
        },
        Shortcut {
            name: "rim cell of its way",
            guess: |i| guess(shortcuts::end_of_its_way(&i.state, i.query.budget), i.query.budget),
        },
        Shortcut {
            name: "least cut at the start",
            guess: |i| guess(shortcuts::first_cut(&i.state), i.query.budget),
        },
        Shortcut {
            name: "nearest cell of a least cut",
            guess: |i| guess(shortcuts::nearest_of_the_cut(&i.state, i.query.budget), i.query.budget),
        },
    ];

    type Scene = Garden;
    type Params = ChatNoirParams;
    type Aim = ChatNoirAim;
    type Marks = ();
    type Query = ChatNoirQuery;
    type Evidence = TrapProof;

    fn aim(params: &ChatNoirParams, rng: &mut SemanticRng) -> ChatNoirAim {
        ChatNoirAim::draw(params, rng)
    }

    fn sample(aim: &ChatNoirAim, rng: &mut SemanticRng) -> Result<Position, Rejected> {
        grammar::build(aim, rng)
    }

    fn pose(
        aim: &ChatNoirAim,
        position: &Position,
        rng: &mut SemanticRng,
    ) -> Result<((), ChatNoirQuery), Rejected> {
        grammar::thin_out(position, rng)?;
        let least = grammar::least_of_several(position)?;
        Ok(((), ChatNoirQuery { budget: aim.budget.budget(position, least) }))
    }

    fn validate(item: &Item<Self>) -> Result<(), Flaw> {
        item.state.validate()?;
        ensure(item.state.status() == Status::Open, || {
            "the cat is trapped already or stands on the rim".to_owned()
        })?;
        let most = item.state.free().count_ones();
        ensure(item.query.budget <= most, || {
            format!("budget {} is above the {most} cells that can be blocked", item.query.budget)
        })?;
        let found = shortest(&item.state, MOST_WORK)
            .map_err(|TooMany| {
                Flaw::new(format!("the board takes a search of more than {MOST_WORK} flows and steps"))
            })?
            .ok_or_else(|| Flaw::new("no plan traps the cat"))?;
        ensure(found.plan.len() as u32 <= item.query.budget, || {
            format!(
                "budget {} is below the {} blocks of a shortest plan",
                item.query.budget,
                found.plan.len()
            )
        })
    }

    fn domain(item: &Item<Self>) -> Domain {
        Domain::Plan { shape: item.state.shape(), at_most: item.query.budget as usize }
    }

    fn execute(item: &Item<Self>) -> Outcome<TrapProof> {
        let plan = reference(&item.state).map_or_else(Vec::new, |found| found.plan);
        Outcome { answer: plan_of(&plan), evidence: TrapProof::of(&item.state, &plan) }
    }

    fn recount(item: &Item<Self>) -> Answer {
        // No validated item has been found that reaches this limit. One that did would be reported
        // as a mismatch.
        plan_of(&rings::least_plan(&item.state, rings::MOST_WORK).ok().flatten().unwrap_or_default())
    }

    fn check(item: &Item<Self>, outcome: &Outcome<TrapProof>) -> Result<(), Flaw> {
        certificate::check(&item.state, outcome)
    }

    fn prompt(item: &Item<Self>, style: &GardenStyle, rng: &mut PromptRng) -> String {
        let mut sentences = wording::rules(&item.state, style, rng);
        sentences.extend(wording::habit_in_full(&item.state, item.query.budget, rng));
        sentences.push(wording::all_at_once(item.query.budget, rng));
        sentences.push(Self::domain(item).sentence());
        sentences.join(" ")
    }

    fn effort(item: &Item<Self>) -> u64 {
        reference(&item.state).map_or(0, |found| 10 * found.plan.len() as u64 + u64::from(found.nodes))
    }

    fn accepts(item: &Item<Self>, _right: &Answer, candidate: &Answer) -> bool {
        match candidate {
            Answer::Plan(plan) => plan_succeeds(&item.state, plan, item.query.budget),
            _ => false,
        }
    }

    fn explain(item: &Item<Self>, outcome: &Outcome<TrapProof>, style: &GardenStyle) -> Vec<String> {
        vec![explain::overlay(&item.state, outcome, style)]
    }

    fn episode(
        item: &Item<Self>,
        style: &GardenStyle,
        options: EpisodeOptions,
        prompt_seed: u64,
    ) -> Option<Box<dyn Episode>> {
        Some(Run::<Self>::open(item, style, options, prompt_seed))
    }
}

impl Planning for ChatNoir {
    const LISTS_LEGAL_ACTIONS: bool = true;

    fn budget(item: &Item<Self>) -> u32 {
        item.query.budget
    }

    fn rules(item: &Item<Self>, style: &GardenStyle, rng: &mut PromptRng) -> String {
        let mut sentences = wording::rules(&item.state, style, rng);
        sentences.push(wording::habit_in_short(item.state.habit, rng));
        sentences.push(wording::one_at_a_time(item.query.budget, rng));
        sentences.join(" ")
    }

    fn situation(position: &Position) -> String {
        format!("The cat is on cell {}.", position.cat)
    }

    fn oracle(position: &Position) -> Vec<Action<Self>> {
        plan_within(position, MOST_WORK)
    }

    fn greedy(position: &Position, rng: &mut SemanticRng) -> Option<Action<Self>> {
        let best = shortcuts::best_blocks(position);
        (!best.is_empty()).then(|| *rng.pick(&best))
    }
}

#[cfg(test)]
mod tests {
    use super::super::cat::Habit;
    use super::super::grammar::{BudgetRule, build};
    use super::*;

    #[test]
    fn where_the_search_is_given_up_a_simple_way_to_play_is_followed() {
        let mut rng = SemanticRng::from_seed(51);
        let (mut trapped, mut empty) = (0, 0);
        for round in 0..60 {
            let habit = [Habit::Wandering, Habit::Direct, Habit::Wary][round % 3];
            let aim = ChatNoirAim { habit, radius: 3, blocks: 11, budget: BudgetRule::Open };
            let Ok(start) = build(&aim, &mut rng) else { continue };
            if shortest(&start, 1).is_ok() {
                // One block traps it.
                continue;
            }
            let plan = plan_within(&start, 1);
            let mut end = start.clone();
            for cell in &plan {
                end = end.apply(cell).unwrap();
            }
            if plan.is_empty() {
                empty += 1;
            } else {
                assert_eq!(end.status(), Status::Success);
                assert!(plan.len() >= plan_within(&start, MOST_WORK).len());
                assert!(plan_within(&end, 1).is_empty());
                trapped += 1;
            }
        }
        assert!(trapped >= 10 && empty >= 1, "{trapped} {empty}");
    }
}
