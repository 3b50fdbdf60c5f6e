//! Rows of numbers, each with its baseline and its target.

/// The rows of one group.
pub struct Table {
    name: &'static str,
    rows: Vec<Row>,
}

struct Row {
    what: String,
    value: f64,
    unit: Unit,
    baseline: Option<(String, f64)>,
    target: Option<f64>,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Nanoseconds,
    Bytes,
    PerSecond,
    Percent,
    Count,
}

impl Table {
    pub fn new(name: &'static str) -> Self {
        Table { name, rows: Vec::new() }
    }

    /// Adds a number; the returned row takes its baseline and target.
    pub fn add(&mut self, what: impl Into<String>, value: f64, unit: Unit) -> Entry<'_> {
        self.rows.push(Row { what: what.into(), value, unit, baseline: None, target: None });
        Entry(self.rows.last_mut().expect("the row just added"))
    }

    pub fn time(&mut self, what: impl Into<String>, nanoseconds: f64) -> Entry<'_> {
        self.add(what, nanoseconds, Unit::Nanoseconds)
    }

    pub fn print(&self) {
        println!("\n{}", self.name);
        let width = self.rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
        for row in &self.rows {
            let ratio = match &row.baseline {
                Some((name, base)) if *base > 0.0 => {
                    format!("{:>9}  of {name} ({})", times(row.value / base), write(*base, row.unit))
                }
                _ => String::new(),
            };
            let target = match row.target {
                Some(target) => {
                    let met = if row.value <= target { "met" } else { "MISSED" };
                    format!("target < {} {met}", write(target, row.unit))
                }
                None => String::new(),
            };
            let pad = width - row.what.chars().count();
            println!("  {}{:pad$}  {:>10}  {target:<26}{ratio}", row.what, "", write(row.value, row.unit));
        }
    }
}

/// The row that was added last.
pub struct Entry<'a>(&'a mut Row);

impl Entry<'_> {
    pub fn against(self, name: &str, baseline: f64) -> Self {
        self.0.baseline = Some((name.to_owned(), baseline));
        self
    }

    pub fn target(self, target: f64) -> Self {
        self.0.target = Some(target);
        self
    }
}

fn times(ratio: f64) -> String {
    if ratio >= 100.0 { format!("{ratio:.0} ×") } else { format!("{ratio:.2} ×") }
}

fn write(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Nanoseconds if value >= 1e9 => format!("{:.2} s", value / 1e9),
        Unit::Nanoseconds if value >= 1e6 => format!("{:.2} ms", value / 1e6),
        Unit::Nanoseconds if value >= 1e3 => format!("{:.2} µs", value / 1e3),
        Unit::Nanoseconds => format!("{value:.1} ns"),
        Unit::Bytes => format!("{:.1} MB", value / 1e6),
        Unit::PerSecond => format!("{value:.0} /s"),
        Unit::Percent => format!("{value:.1} %"),
        Unit::Count => format!("{value:.0}"),
    }
}
