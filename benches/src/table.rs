//! Rows of numbers, each with its baseline and its target.

use crate::measure::Time;

/// The rows of one group.
pub struct Table {
    name: &'static str,
    rows: Vec<Row>,
}

struct Row {
    what: String,
    value: f64,
    /// The processor's time, where the value is a time.
    cpu: Option<f64>,
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
        self.rows.push(Row { what: what.into(), value, cpu: None, unit, baseline: None, target: None });
        Entry(self.rows.last_mut().expect("the row just added"))
    }

    pub fn time(&mut self, what: impl Into<String>, time: Time) -> Entry<'_> {
        let entry = self.add(what, time.wall, Unit::Nanoseconds);
        entry.0.cpu = Some(time.cpu);
        entry
    }

    pub fn print(&self) {
        let width = self.rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
        let (name, pad) = (self.name, width.saturating_sub(self.name.chars().count()) + 2);
        println!("\n{name}{:pad$}  {:>10}  {:>10}  {:<24}  against", "", "", "cpu", "target");
        for row in &self.rows {
            let pad = width - row.what.chars().count();
            let cpu = row.cpu.map(|cpu| write(cpu, row.unit)).unwrap_or_default();
            let value = write(row.value, row.unit);
            let (target, ratio) = (row.verdict(), row.ratio());
            println!("  {}{:pad$}  {value:>10}  {cpu:>10}  {target:<24}  {ratio}", row.what, "");
        }
    }
}

impl Row {
    fn verdict(&self) -> String {
        let Some(target) = self.target else { return String::new() };
        let verdict = match self.cpu {
            _ if self.value <= target => "met",
            Some(cpu) if cpu <= target => "met in cpu time",
            _ => "missed",
        };
        format!("{} {verdict}", write(target, self.unit))
    }

    fn ratio(&self) -> String {
        match &self.baseline {
            Some((name, base)) if *base > 0.0 => {
                let ratio = self.value / base;
                let digits = if ratio >= 100.0 { 0 } else { 2 };
                format!("{ratio:.digits$} × {name} ({})", write(*base, self.unit))
            }
            _ => String::new(),
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

    /// The most that the number should be.
    pub fn target(self, target: f64) -> Self {
        self.0.target = Some(target);
        self
    }
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
