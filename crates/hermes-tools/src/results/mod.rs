//! Results that were too large to show at once.

mod read_result;
