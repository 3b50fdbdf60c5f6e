//! Columns that line up, whatever is painted in them.

use super::style::Style;

/// A table with a header row.
pub(crate) struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(header: &[&str]) -> Self {
        Table { header: header.iter().map(|title| (*title).to_owned()).collect(), rows: Vec::new() }
    }

    /// A row is one line, whatever is in its cells.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.into_iter().map(|cell| cell.replace('\n', "⏎")).collect());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// One line per row; the last column is not padded.
    pub(crate) fn render(&self, style: Style) -> String {
        let width = |column: usize| {
            let cells = self.rows.iter().chain(std::iter::once(&self.header));
            cells.filter_map(|row| row.get(column)).map(|cell| shown_width(cell)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.header.len()).map(width).collect();
        let line = |row: &[String], paint: &dyn Fn(&str) -> String| {
            let last = row.len().saturating_sub(1);
            let mut text = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                text.push_str(&paint(cell));
                if column < last {
                    text.push_str(&" ".repeat(width.saturating_sub(shown_width(cell)) + 2));
                }
            }
            text.push('\n');
            text
        };
        let mut text = line(&self.header, &|cell| style.bold(cell));
        for row in &self.rows {
            text.push_str(&line(row, &str::to_owned));
        }
        text
    }
}

/// Characters as a terminal shows them: colour codes take no room, pictographs take two places.
fn shown_width(text: &str) -> usize {
    let mut width = 0;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => {
                let _ = characters.by_ref().find(|next| *next == 'm');
            }
            '\u{fe0f}' | '\u{200d}' => {}
            '\u{1f300}'..='\u{1faff}' | '\u{2e80}'..='\u{ffdc}' | '⚡' | '⏳' => width += 2,
            _ => width += 1,
        }
    }
    width
}
