use std::ops::ControlFlow;

use super::Progress;
use super::pieces::Piece;
use super::render::RenderOptions;
use super::units::Units;
use crate::error::Error;
use crate::plan::{Part, Plan};
use crate::row::Row;
use crate::threads::with_threads;

/// Makes the rows of `plan`, the very ones that a build would write, without writing them: `visit`
/// gets them a few hundred at a time, in the order of the files. Memory does not grow with their
/// number.
///
/// It goes on for as long as `visit` wants to. `visit` is called within the pool of `threads` threads, so that its own parallel work keeps to
/// their number.
///
/// # Errors
/// When a place of the plan can't be filled or the number of threads is out of range.
pub fn for_each_rows(
    plan: &Plan,
    threads: Option<usize>,
    visit: &mut (dyn FnMut(Vec<Row>, Progress<'_>) -> ControlFlow<()> + Send),
) -> Result<(), Error> {
    let options = plan.options();
    let render =
        RenderOptions { side: options.side, theme: options.theme.as_deref(), png: crate::PngEffort::Fast };
    let mut units = Units::new(plan, render)?;
    with_threads(threads, || {
        let (mut done, total) = (0, plan.rows());
        for piece in Piece::of_part(plan, Part::WHOLE) {
            let rows: Vec<Row> = units.fill(&piece.places)?.filled.into_iter().map(|f| f.row).collect();
            done += rows.len() as u64;
            let current = piece.places.last().map_or("", |place| plan.unit(*place).task);
            if visit(rows, Progress { done, total, current }).is_break() {
                break;
            }
        }
        Ok(())
    })?
}
