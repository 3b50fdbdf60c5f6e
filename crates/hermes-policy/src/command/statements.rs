//! SQL and the backslash or dot commands of its clients, statement by statement.

/// What a statement does that a read does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Harm {
    /// Loses data; said as "it …".
    Loses(String),
    /// Runs a program, or loads code.
    Runs(String),
    Writes(String),
    /// Changes who may do what.
    Rights,
    /// Changes data, within a condition.
    Changes,
}

pub(crate) fn harms(text: &str) -> Vec<Harm> {
    let mut harms = Vec::new();
    for line in text.lines() {
        client_command(line.trim(), &mut harms);
        // `source x.sql; system id` of mysql: a command of the client behind a statement.
        for later in line.split(';').skip(1).map(str::trim).filter(|later| later.starts_with("system ")) {
            client_command(later, &mut harms);
        }
    }
    files(text, &mut harms);
    for statement in statements(text) {
        let words: Vec<&str> = statement.split_whitespace().collect();
        sql(&words, &statement, &mut harms);
    }
    harms
}

/// `\! rm`, `\o |sh`, `.shell`, `system`.
fn client_command(line: &str, harms: &mut Vec<Harm>) {
    let mut words = line.split_whitespace();
    let (first, rest) = (
        words.next().unwrap_or(""),
        line.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim()),
    );
    let lower = first.to_ascii_lowercase();
    match lower.as_str() {
        ".restore" if !rest.is_empty() => {
            harms.push(Harm::Loses("replaces the whole database".to_owned()));
        }
        ".shell" | ".system" | "system" if !rest.is_empty() => harms.push(Harm::Runs(rest.to_owned())),
        ".load" | ".import" | ".output" | ".once" | ".excel" | ".log" | ".trace" | ".save" | ".backup"
        | ".open" | ".read" => {
            let target = rest.split_whitespace().rfind(|word| !word.starts_with('-')).unwrap_or("");
            let first = first_argument(rest);
            if first.starts_with('|') || lower == ".load" {
                harms.push(Harm::Runs(first.trim_start_matches('|').to_owned()));
            } else if !matches!(lower.as_str(), ".import" | ".open" | ".read") && !target.is_empty() {
                harms.push(Harm::Writes(target.trim_matches(['\'', '"']).to_owned()));
            }
        }
        _ => {}
    }
    if let Some((_, program)) = line.split_once("\\!") {
        harms.push(Harm::Runs(program.trim().to_owned()));
    }
    for command in ["\\o", "\\g", "\\w", "\\copy", "\\gx"] {
        if let Some(rest) = line.strip_prefix(command).filter(|rest| rest.starts_with([' ', '|'])) {
            if rest.trim_start().starts_with('|') || rest.to_ascii_lowercase().contains(" program ") {
                harms.push(Harm::Runs(rest.trim().trim_start_matches('|').to_owned()));
            } else if command != "\\copy" && !rest.trim().is_empty() {
                harms.push(Harm::Writes(rest.trim().to_owned()));
            }
        }
    }
    if lower == "\\setenv" || lower == "pager" || lower == "\\p" && rest.contains('/') {
        harms.push(Harm::Runs(rest.to_owned()));
    }
}

/// What stands in quotes, or all there is.
fn first_argument(rest: &str) -> &str {
    let rest = rest.trim_start();
    let quoted = ['\'', '"'].into_iter().find_map(|quote| rest.strip_prefix(quote)?.split(quote).next());
    quoted.unwrap_or(rest)
}

/// Files that statements name: what follows is their path.
const WRITERS: &[&str] = &[
    " to '",
    "outfile '",
    "dumpfile '",
    "writefile('",
    "attach '",
    "attach database '",
    "vacuum into '",
    "export database '",
];

/// Paths that the client or the server would write, and those that it would read into a table.
fn files(text: &str, harms: &mut Vec<Harm>) {
    if !text.contains('\'') {
        return;
    }
    let squeezed = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(");
    let lower = squeezed.to_ascii_lowercase();
    let path_at = |end: usize| squeezed.get(end..).and_then(|rest| rest.split('\'').next()).unwrap_or("");
    for mark in WRITERS {
        for (place, _) in lower.match_indices(mark).take(16) {
            let path = path_at(place + mark.len());
            if path.starts_with(['/', '~']) {
                harms.push(Harm::Writes(path.to_owned()));
            }
        }
    }
    for (place, mark) in lower.match_indices("infile '").take(16) {
        if path_at(place + mark.len()).starts_with(['/', '~']) {
            harms.push(Harm::Loses("reads a file of the machine into a table".to_owned()));
        }
    }
}

/// Statements in capitals, without comments and with strings emptied.
fn statements(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut now = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '"' => {
                // A name or a string: its inside is data.
                while let Some(inner) = letters.next() {
                    if inner == '\\' {
                        letters.next();
                    } else if inner == letter {
                        break;
                    }
                }
                now.push_str(" '' ");
            }
            '-' if letters.peek() == Some(&'-') => {
                letters.by_ref().find(|c| *c == '\n');
                now.push(' ');
            }
            '#' if now.ends_with(char::is_whitespace) || now.is_empty() => {
                letters.by_ref().find(|c| *c == '\n');
                now.push(' ');
            }
            '/' if letters.peek() == Some(&'*') => {
                letters.next();
                let mut before = ' ';
                // `/*! … */` is run by MySQL.
                if letters.peek() == Some(&'!') {
                    letters.next();
                    while letters.next_if(char::is_ascii_digit).is_some() {}
                    now.push(' ');
                    continue;
                }
                for inner in letters.by_ref() {
                    if before == '*' && inner == '/' {
                        break;
                    }
                    before = inner;
                }
                now.push(' ');
            }
            ';' => found.push(std::mem::take(&mut now)),
            '(' | ')' | ',' | '=' => {
                now.push(' ');
                now.push(letter);
                now.push(' ');
            }
            letter => now.push(letter.to_ascii_uppercase()),
        }
    }
    found.push(now);
    found.retain(|statement| !statement.trim().is_empty());
    found
}

fn sql(words: &[&str], statement: &str, harms: &mut Vec<Harm>) {
    let Some(first) = words.first() else { return };
    let has = |word: &str| words.contains(&word);
    let restricted = has("WHERE") && !is_always(words);
    let second = words.get(1).copied().unwrap_or("");
    match *first {
        "EXPLAIN" | "DESCRIBE" | "DESC" | "SHOW" if !has("ANALYZE") && !has("ANALYSE") => return,
        "DROP" => harms.push(Harm::Loses(format!("drops a {}", second.to_ascii_lowercase()))),
        "TRUNCATE" => harms.push(Harm::Loses("empties a table".to_owned())),
        "FLUSHALL" | "FLUSHDB" | "SHUTDOWN" | "KILL" => {
            harms.push(Harm::Loses("empties or stops the database".to_owned()))
        }
        "GRANT" | "REVOKE" => harms.push(Harm::Rights),
        "CREATE" | "ALTER" if matches!(second, "USER" | "ROLE" | "LOGIN") => harms.push(Harm::Rights),
        "ALTER" if has("DROP") || has("TRUNCATE") => {
            harms.push(Harm::Loses("drops part of a table".to_owned()));
        }
        // Columns are changed otherwise: these are rows.
        "ALTER" if (has("DELETE") || has("UPDATE")) && has("WHERE") && !restricted => {
            harms.push(Harm::Loses("deletes or changes every row of a table".to_owned()));
        }
        "ALTER" | "RENAME" if has("RENAME") => {
            harms.push(Harm::Loses("takes away a name that programs use".to_owned()));
        }
        "SET" if second == "PASSWORD" => harms.push(Harm::Rights),
        "ALTER" if second == "SYSTEM" => harms.push(Harm::Rights),
        "PURGE" | "RESET" | "DETACH"
            if *first != "RESET" || matches!(second, "MASTER" | "SLAVE" | "REPLICA") =>
        {
            harms.push(Harm::Loses("loses records of the database".to_owned()));
        }
        "LOAD" | "INSTALL" if !has("DATA") && second != "XML" => {
            harms.push(Harm::Runs(words.get(1..).unwrap_or_default().join(" ")))
        }
        "LOAD_EXTENSION" => harms.push(Harm::Runs(String::new())),
        "CREATE" | "INSERT" | "UPDATE" | "ALTER" | "REPLACE" | "MERGE" | "UPSERT" | "COPY" | "CALL"
        | "DO" | "EXEC" | "EXECUTE" => harms.push(Harm::Changes),
        _ => {}
    }
    // Inside `WITH … AS (DELETE …)`, a function, or behind `EXPLAIN ANALYZE`.
    for (place, word) in words.iter().enumerate() {
        let next = words.get(place + 1).copied().unwrap_or("");
        match *word {
            "DELETE" if next == "FROM" || place == 0 => match restricted {
                true => harms.push(Harm::Changes),
                false => harms.push(Harm::Loses("deletes every row of a table".to_owned())),
            },
            "UPDATE" if place == 0 && !restricted && has("SET") => {
                harms.push(Harm::Loses("changes every row of a table".to_owned()))
            }
            "PROGRAM" if has("COPY") => harms.push(Harm::Runs(String::new())),
            "OUTFILE" | "DUMPFILE" => {
                harms.push(Harm::Loses("writes a file on the database server".to_owned()))
            }
            "XP_CMDSHELL" | "SYS_EXEC" | "SYS_EVAL" | "LO_EXPORT" | "LOAD_EXTENSION" | "DBMS_SCHEDULER"
            | "UTL_FILE" => harms.push(Harm::Runs(String::new())),
            "PG_READ_FILE" | "LOAD_FILE" | "PG_READ_BINARY_FILE" | "LO_IMPORT" => {
                harms.push(Harm::Loses("reads files of the database server".to_owned()))
            }
            "MYSQL.USER"
            | "PG_SHADOW"
            | "PG_AUTHID"
            | "PG_CATALOG.PG_SHADOW"
            | "PG_CATALOG.PG_AUTHID"
            | "SYS.SQL_LOGINS"
            | "SYS.USER$"
            | "DBA_USERS"
            | "SYSTEM.USERS"
                if *first == "SELECT" || *first == "COPY" || *first == "TABLE" =>
            {
                harms.push(Harm::Loses("shows the passwords of the database".to_owned()))
            }
            "PG_TERMINATE_BACKEND" | "PG_DROP_REPLICATION_SLOT" => {
                harms.push(Harm::Loses("ends other people's sessions".to_owned()))
            }
            _ => {}
        }
    }
    if *first != "DROP" && statement.contains("FUNCTION") && statement.contains("LANGUAGE C") {
        harms.push(Harm::Runs(String::new()));
    }
}

/// `WHERE 1 = 1`, `WHERE TRUE`, `WHERE '' = ''`: no restriction at all.
fn is_always(words: &[&str]) -> bool {
    let Some(place) = words.iter().position(|word| *word == "WHERE") else { return false };
    match words.get(place + 1..).unwrap_or_default() {
        ["TRUE" | "1"] | ["1" | "''", "=", "1" | "''"] => true,
        [left, "=", right] => left == right,
        [.., "OR", "1", "=", "1"] | [.., "OR", "TRUE"] => true,
        _ => false,
    }
}
