use crate::error::Error;

/// The most threads that may be asked for.
const MAX_THREADS: usize = 1024;

/// Runs `work` on a pool of its own with so many threads, or on the common one.
///
/// # Errors
/// When the number is out of range or the threads can't be started.
pub(crate) fn with_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Error> {
    let Some(count) = threads else { return Ok(work()) };
    if !(1..=MAX_THREADS).contains(&count) {
        return Err(Error::plan(format!("threads {count} is not from 1 to {MAX_THREADS}")));
    }
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(count).build().map_err(|e| Error::threads(count, e))?;
    Ok(pool.install(work))
}
