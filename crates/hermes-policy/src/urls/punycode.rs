//! Letters outside ASCII in host names, as RFC 3492 writes them.

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const FIRST_BIAS: u32 = 72;
const FIRST_CODE: u32 = 0x80;

/// A label in its ASCII form without the `xn--` in front; nothing if it is too long for the arithmetic.
pub(super) fn encode(label: &str) -> Option<String> {
    let mut output: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(output.len()).ok()?;
    if basic > 0 {
        output.push('-');
    }
    let (mut code, mut delta, mut bias, mut handled) = (FIRST_CODE, 0_u32, FIRST_BIAS, basic);
    let total = u32::try_from(label.chars().count()).ok()?;
    while handled < total {
        let next = label.chars().map(u32::from).filter(|c| *c >= code).min()?;
        delta = delta.checked_add((next - code).checked_mul(handled + 1)?)?;
        code = next;
        for c in label.chars().map(u32::from) {
            if c < code {
                delta = delta.checked_add(1)?;
            }
            if c == code {
                let mut rest = delta;
                let mut position = BASE;
                loop {
                    let threshold = threshold(position, bias);
                    if rest < threshold {
                        break;
                    }
                    output.push(digit(threshold + (rest - threshold) % (BASE - threshold))?);
                    rest = (rest - threshold) / (BASE - threshold);
                    position += BASE;
                }
                output.push(digit(rest)?);
                bias = adapt(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        delta = delta.checked_add(1)?;
        code += 1;
    }
    Some(output)
}

/// The label that an ASCII form stands for, if it stands for one.
pub(super) fn decode(ascii: &str) -> Option<String> {
    let (basic, extended) = ascii.rsplit_once('-').unwrap_or(("", ascii));
    let mut output: Vec<char> = basic.chars().collect();
    let (mut code, mut index, mut bias) = (FIRST_CODE, 0_u32, FIRST_BIAS);
    let mut digits = extended.chars().peekable();
    while digits.peek().is_some() {
        let before = index;
        let (mut weight, mut position) = (1_u32, BASE);
        loop {
            let value = digits.next()?.to_digit(BASE).map(|value| (value + 26) % BASE)?;
            index = index.checked_add(value.checked_mul(weight)?)?;
            let threshold = threshold(position, bias);
            if value < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
            position += BASE;
        }
        let length = u32::try_from(output.len()).ok()? + 1;
        bias = adapt(index - before, length, before == 0);
        code = code.checked_add(index / length)?;
        index %= length;
        output.insert(usize::try_from(index).ok()?, char::from_u32(code)?);
        index += 1;
    }
    Some(output.into_iter().collect())
}

fn threshold(position: u32, bias: u32) -> u32 {
    position.saturating_sub(bias).clamp(T_MIN, T_MAX)
}

fn digit(value: u32) -> Option<char> {
    // 0–25 are letters, 26–35 are numbers.
    char::from_digit((value + 10) % BASE, BASE)
}

fn adapt(delta: u32, count: u32, first: bool) -> u32 {
    let mut delta = if first { delta / DAMP } else { delta / 2 };
    delta += delta / count;
    let mut steps = 0;
    while delta > ((BASE - T_MIN) * T_MAX) / 2 {
        delta /= BASE - T_MIN;
        steps += BASE;
    }
    steps + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_names() {
        for (plain, ascii) in [
            ("münchen", "mnchen-3ya"),
            ("bücher", "bcher-kva"),
            ("例え", "r8jz45g"),
            ("испытание", "80akhbyknj4f"),
            ("straße", "strae-oqa"),
        ] {
            assert_eq!(encode(plain).as_deref(), Some(ascii));
            assert_eq!(decode(ascii).as_deref(), Some(plain));
        }
        assert_eq!(decode("localhost-").as_deref(), Some("localhost"));
        for bad in ["99999999", "é", "a-b c"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
