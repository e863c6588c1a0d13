//! Counts the steps of a scan, so that a test can see that a text of twice the length takes twice as many.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts `count` steps. Outside of tests, nothing is counted.
#[cfg(test)]
pub(super) fn step(count: usize) {
    STEPS.with(|steps| steps.set(steps.get() + count));
}

/// Counts `count` steps. Outside of tests, nothing is counted.
#[cfg(not(test))]
pub(super) fn step(_count: usize) {}

/// The steps that `run` takes.
#[cfg(test)]
pub(super) fn steps(run: impl FnOnce()) -> usize {
    STEPS.with(|steps| steps.set(0));
    run();
    STEPS.with(std::cell::Cell::get)
}
