//! Two texts next to each other.

use crate::file::text::unified::Compared;

/// Columns of one side.
const WIDTH: usize = 60;

/// Lines of both sides with a sign between them: `|` differs, `<` only left, `>` only right.
pub(crate) fn side_by_side(compared: &Compared<'_>, context: usize) -> String {
    let mut text = String::new();
    for (index, group) in compared.groups(context).iter().enumerate() {
        if index > 0 {
            text.push_str("…\n");
        }
        for run in group {
            let rows = run.old.len().max(run.new.len());
            for row in 0..rows {
                let left = (row < run.old.len()).then(|| compared.old.get(run.old.start + row)).flatten();
                let right = (row < run.new.len()).then(|| compared.new.get(run.new.start + row)).flatten();
                let sign = match (run.is_same, left, right) {
                    (true, ..) => ' ',
                    (false, Some(_), Some(_)) => '|',
                    (false, Some(_), None) => '<',
                    (false, None, _) => '>',
                };
                let (left, right) = (cell(left), cell(right));
                text.push_str(format!("{left:<WIDTH$} {sign} {right}").trim_end());
                text.push('\n');
            }
        }
    }
    text
}

fn cell(line: Option<&&str>) -> String {
    let line = line.map_or("", |line| line.trim_end_matches(['\n', '\r'])).replace('\t', "    ");
    match line.char_indices().nth(WIDTH) {
        None => line,
        Some(_) => {
            let kept: String = line.chars().take(WIDTH - 1).collect();
            format!("{kept}…")
        }
    }
}
