//! Arithmetic with numbers that are certain.

use super::chars;

/// Deeper parentheses are not followed.
const MAX_DEPTH: usize = 32;

/// The value of an expression. `variable` gives the value of a name; without one there is none.
pub(super) fn evaluate(text: &str, variable: &mut dyn FnMut(&str) -> Option<i64>) -> Option<i64> {
    let mut reader = Expression { rest: text.trim(), depth: 0, variable };
    if reader.rest.is_empty() {
        return Some(0);
    }
    let value = reader.comma()?;
    reader.rest.trim().is_empty().then_some(value)
}

/// The names that an expression assigns to: their values are not certain afterwards.
pub(super) fn assigned_names(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = text;
    let mut stepped = false;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii() && chars::is_name_start(first as u8) {
            let end = rest.bytes().take_while(|byte| chars::is_name_byte(*byte)).count();
            let (name, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
            if stepped || assigns(after) {
                names.push(name);
            }
            stepped = false;
            rest = after;
        } else {
            if rest.starts_with("++") || rest.starts_with("--") {
                stepped = true;
            } else if !first.is_whitespace() && first != '+' && first != '-' {
                stepped = false;
            }
            rest = rest.get(first.len_utf8()..).unwrap_or("");
        }
    }
    names
}

/// Whether an assignment may follow a name.
fn assigns(after: &str) -> bool {
    let after = after.trim_start();
    // Whether an element is only read is not looked for.
    if after.starts_with("++") || after.starts_with("--") || after.starts_with('[') {
        return true;
    }
    let signs = ["<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="];
    signs.iter().any(|sign| after.starts_with(sign)) || (after.starts_with('=') && !after.starts_with("=="))
}

struct Expression<'t, 'v> {
    rest: &'t str,
    depth: usize,
    variable: &'v mut dyn FnMut(&str) -> Option<i64>,
}

/// Binary operators, tightest last.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Expression<'_, '_> {
    fn comma(&mut self) -> Option<i64> {
        let mut value = self.choice()?;
        while self.eat(",") {
            value = self.choice()?;
        }
        Some(value)
    }

    fn choice(&mut self) -> Option<i64> {
        self.depth = self.depth.checked_add(1).filter(|depth| *depth < MAX_DEPTH)?;
        let condition = self.binary(0)?;
        let value = if self.eat("?") {
            let yes = self.choice()?;
            if !self.eat(":") {
                return None;
            }
            let no = self.choice()?;
            if condition != 0 { yes } else { no }
        } else {
            condition
        };
        self.depth = self.depth.saturating_sub(1);
        Some(value)
    }

    fn binary(&mut self, level: usize) -> Option<i64> {
        let Some(signs) = LEVELS.get(level) else { return self.power() };
        let mut left = self.binary(level.saturating_add(1))?;
        'more: loop {
            for sign in *signs {
                if self.eat_operator(sign) {
                    let right = self.binary(level.saturating_add(1))?;
                    left = apply(sign, left, right)?;
                    continue 'more;
                }
            }
            return Some(left);
        }
    }

    fn power(&mut self) -> Option<i64> {
        let base = self.unary()?;
        if self.eat("**") {
            let exponent = u32::try_from(self.unary()?).ok()?;
            return Some(base.wrapping_pow(exponent.min(64)));
        }
        Some(base)
    }

    fn unary(&mut self) -> Option<i64> {
        let mut signs = Vec::new();
        loop {
            self.rest = self.rest.trim_start();
            match self.rest.bytes().next() {
                Some(sign @ (b'-' | b'+' | b'!' | b'~')) if signs.len() < MAX_DEPTH => {
                    if self.rest.starts_with("++") || self.rest.starts_with("--") {
                        return None;
                    }
                    signs.push(sign);
                    self.rest = self.rest.get(1..).unwrap_or("");
                }
                _ => break,
            }
        }
        let mut value = self.primary()?;
        for sign in signs.into_iter().rev() {
            value = match sign {
                b'-' => value.wrapping_neg(),
                b'!' => i64::from(value == 0),
                b'~' => !value,
                _ => value,
            };
        }
        Some(value)
    }

    fn primary(&mut self) -> Option<i64> {
        if self.eat("(") {
            self.depth = self.depth.checked_add(1).filter(|depth| *depth < MAX_DEPTH)?;
            let value = self.comma()?;
            self.depth = self.depth.saturating_sub(1);
            return self.eat(")").then_some(value);
        }
        self.rest = self.rest.trim_start();
        let end = self
            .rest
            .bytes()
            .take_while(|byte| chars::is_name_byte(*byte) || matches!(byte, b'#' | b'@'))
            .count();
        let (word, after) = self.rest.split_at_checked(end)?;
        self.rest = after;
        if !word.bytes().next()?.is_ascii_digit() {
            if after.starts_with('[') || assigns(after) {
                return None;
            }
            return (self.variable)(word);
        }
        if let Some((base, digits)) = word.split_once('#') {
            let base: u32 = base.parse().ok().filter(|base| (2..=36).contains(base))?;
            return i64::from_str_radix(digits, base).ok();
        }
        match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
            Some(hex) => i64::from_str_radix(hex, 16).ok(),
            None if word.len() > 1 && word.starts_with('0') => i64::from_str_radix(word, 8).ok(),
            None => word.parse().ok(),
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(after) => {
                self.rest = after;
                true
            }
            None => false,
        }
    }

    /// Takes an operator unless it is the beginning of a longer one.
    fn eat_operator(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        let Some(after) = self.rest.strip_prefix(sign) else { return false };
        let longer = match sign {
            "|" => after.starts_with('|'),
            "&" => after.starts_with('&'),
            "<" => after.starts_with('<'),
            ">" => after.starts_with('>'),
            "*" => after.starts_with('*'),
            _ => false,
        };
        let assigns = after.starts_with('=') && !matches!(sign, "==" | "!=" | "<=" | ">=");
        if longer || assigns {
            return false;
        }
        self.rest = after;
        true
    }
}

fn apply(sign: &str, left: i64, right: i64) -> Option<i64> {
    Some(match sign {
        "||" => i64::from(left != 0 || right != 0),
        "&&" => i64::from(left != 0 && right != 0),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<<" => left.wrapping_shl(u32::try_from(right).ok()?),
        ">>" => left.wrapping_shr(u32::try_from(right).ok()?),
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "*" => left.wrapping_mul(right),
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        _ => return None,
    })
}
