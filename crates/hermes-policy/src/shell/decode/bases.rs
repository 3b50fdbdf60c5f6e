//! Base64, base32 and hexadecimal digits.

/// `base64`, `base32`, `basenc`.
pub(super) fn coreutils(name: &str, args: &[String], input: &str) -> Option<String> {
    let mut decode = false;
    let mut base = match name {
        "base32" => 32,
        "basenc" => 0,
        _ => 64,
    };
    let mut args = args.iter().map(String::as_str);
    while let Some(arg) = args.next() {
        match arg {
            "--decode" => decode = true,
            "--ignore-garbage" | "-" => {}
            "--base64" | "--base64url" => base = 64,
            "--base32" => base = 32,
            "--base16" => base = 16,
            "-w" | "--wrap" => {
                args.next()?;
            }
            arg if arg.starts_with("-w") || arg.starts_with("--wrap=") => {}
            arg => {
                let flags =
                    arg.strip_prefix('-').filter(|flags| !flags.is_empty() && !flags.starts_with('-'))?;
                if !flags.chars().all(|c| matches!(c, 'd' | 'D' | 'i')) {
                    return None;
                }
                decode |= flags.contains(['d', 'D']);
            }
        }
    }
    match (decode, base) {
        (true, 64) => from_base64(input),
        (true, 32) => text(digits(input, 5, base32_digit)?),
        (true, 16) => from_hex(input),
        (false, 64) => Some(encode64(input.as_bytes())),
        _ => None,
    }
}

/// `openssl base64 -d` and `openssl enc -base64 -d`.
pub(super) fn openssl(args: &[String], input: &str) -> Option<String> {
    let (first, rest) = args.split_first()?;
    let mut base64 = matches!(first.as_str(), "base64");
    if !base64 && first != "enc" {
        return None;
    }
    let mut decode = false;
    for arg in rest {
        match arg.as_str() {
            "-d" => decode = true,
            "-e" => decode = false,
            "-a" | "-base64" => base64 = true,
            "-A" => {}
            _ => return None,
        }
    }
    match (base64, decode) {
        (true, true) => from_base64(input),
        (true, false) => Some(encode64(input.as_bytes())),
        _ => None,
    }
}

/// `xxd -r -p`
pub(super) fn xxd(args: &[String], input: &str) -> Option<String> {
    let (mut reverse, mut plain) = (false, false);
    for arg in args {
        match arg.as_str() {
            "-r" | "-revert" => reverse = true,
            "-p" | "-ps" | "-plain" | "-postscript" => plain = true,
            "-rp" | "-pr" => (reverse, plain) = (true, true),
            "-" => {}
            _ => return None,
        }
    }
    if !(reverse && plain) {
        return None;
    }
    from_hex(input)
}

/// The text behind base64 digits.
pub(super) fn from_base64(digits_of: &str) -> Option<String> {
    text(digits(digits_of, 6, base64_digit)?)
}

/// The text behind hexadecimal digits.
pub(super) fn from_hex(digits_of: &str) -> Option<String> {
    text(hex(digits_of)?)
}

fn text(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok()
}

fn base64_digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte.wrapping_sub(b'A'),
        b'a'..=b'z' => byte.wrapping_sub(b'a').wrapping_add(26),
        b'0'..=b'9' => byte.wrapping_sub(b'0').wrapping_add(52),
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    }))
}

fn base32_digit(byte: u8) -> Option<u32> {
    Some(u32::from(match byte {
        b'A'..=b'Z' => byte.wrapping_sub(b'A'),
        b'2'..=b'7' => byte.wrapping_sub(b'2').wrapping_add(26),
        _ => return None,
    }))
}

/// Puts digits of so many bits together to bytes.
fn digits(input: &str, bits: u32, digit: fn(u8) -> Option<u32>) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(input.len());
    let (mut buffer, mut held) = (0u32, 0u32);
    for byte in input.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        if byte == b'=' {
            // Padding: what is left over of the last digit belongs to no byte.
            (buffer, held) = (0, 0);
            continue;
        }
        buffer = (buffer << bits) | digit(byte)?;
        held = held.saturating_add(bits);
        if held >= 8 {
            held = held.saturating_sub(8);
            out.push((buffer >> held) as u8);
            buffer &= (1 << held) - 1;
        }
    }
    Some(out)
}

fn hex(input: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(input.len() / 2);
    let mut high: Option<u32> = None;
    for c in input.chars().filter(|c| !c.is_ascii_whitespace()) {
        let value = c.to_digit(16)?;
        match high.take() {
            None => high = Some(value),
            Some(high) => out.push((high << 4 | value) as u8),
        }
    }
    Some(out)
}

fn encode64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let value = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4usize {
            if place > chunk.len() {
                out.push('=');
                continue;
            }
            let shift = 18usize.saturating_sub(place.saturating_mul(6));
            let digit = DIGITS.get((value >> shift & 63) as usize).copied().unwrap_or(b'=');
            out.push(char::from(digit));
        }
    }
    out.push('\n');
    out
}
