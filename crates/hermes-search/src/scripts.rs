//! Which scripts a text is written in. The encoder reads Latin letters; of other scripts it sees only that it
//! knows none of them, and what it does not know all looks alike.

/// The scripts of a text beside the Latin one, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scripts(u16);

impl Scripts {
    /// All that occur.
    pub(crate) fn of(text: &str) -> Self {
        Scripts(text.chars().fold(0, |all, letter| all | bit(letter)))
    }

    /// Those that most of the letters are of; none where those are Latin.
    pub(crate) fn mainly_of(text: &str) -> Self {
        let letters = text.chars().filter(|letter| letter.is_alphabetic());
        let (mut other, mut latin) = (0_usize, 0_usize);
        for letter in letters {
            *(if bit(letter) == 0 { &mut latin } else { &mut other }) += 1;
        }
        if other > latin { Self::of(text) } else { Scripts::default() }
    }

    pub(crate) fn is_latin(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn shares(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// The words of a text that the encoder reads.
pub(crate) fn readable(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').filter(|word| Scripts::of(word).is_latin()).collect();
    words.join(" ")
}

fn bit(letter: char) -> u16 {
    if letter.is_ascii() || !letter.is_alphabetic() {
        return 0;
    }
    match u32::from(letter) {
        0x0000..=0x036F | 0x1D00..=0x1DBF | 0x1E00..=0x1EFF | 0x2C60..=0x2C7F | 0xA720..=0xA7FF => 0,
        0xAB30..=0xAB6F | 0xFB00..=0xFB06 | 0xFF21..=0xFF5A | 0x2071..=0x209C => 0,
        0x0370..=0x03FF | 0x1F00..=0x1FFF => 1,
        0x0400..=0x052F | 0x1C80..=0x1C8F => 1 << 1,
        0x0590..=0x05FF => 1 << 2,
        0x0600..=0x077F | 0x08A0..=0x08FF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFF => 1 << 3,
        0x0900..=0x0DFF => 1 << 4,
        0x0E00..=0x0EFF => 1 << 5,
        0x1000..=0x109F => 1 << 6,
        0x1780..=0x17FF => 1 << 7,
        0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7AF => 1 << 8,
        0x3040..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F => 1 << 9,
        0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x323AF => 1 << 10,
        _ => 1 << 11,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_share_scripts_or_do_not() {
        assert!(Scripts::of("Größe, Đà Nẵng").is_latin());
        assert!(Scripts::mainly_of("Отправить email").shares(Scripts::of("письмо по email")));
        assert!(Scripts::mainly_of("メールを送る").shares(Scripts::of("发送邮件送")));
        assert!(!Scripts::mainly_of("メールを送る").shares(Scripts::of("отправить")));
        assert!(Scripts::mainly_of("Send an email (メール)").is_latin());
    }
}
