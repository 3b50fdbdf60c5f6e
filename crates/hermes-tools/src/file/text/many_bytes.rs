//! Texts in East Asian encodings, where two bytes are one character. Seen as Latin-1 they have twice as many, and an edit
//! may end between the two.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, SHIFT_JIS};

/// An encoding, and whether a pair of bytes speaks for it: it is common there and hardly ever seen in Latin-1.
type Known = (&'static Encoding, fn(u8, u8) -> bool);

const KNOWN: [Known; 5] = [
    (SHIFT_JIS, |lead, trail| matches!((lead, trail), (0x81..=0x83, _) | (0x88..=0x9f, 0x80..))),
    (GB18030, is_of_rows),
    (EUC_KR, is_of_rows),
    (EUC_JP, is_of_rows),
    (BIG5, |lead, trail| matches!((lead, trail), (0xa4..=0xc6, 0xa1..))),
];

/// Signs, kana and the characters in daily use, which these encodings have in the same rows.
fn is_of_rows(lead: u8, trail: u8) -> bool {
    matches!((lead, trail), (0xa1..=0xa5 | 0xb0..=0xd7, 0xa1..))
}

/// Whether bytes that are not UTF-8 look like such a text: every one of them is a part of a character there, and at least
/// half of the pairs, of several, speak for it. An accent in front of a blank is enough to say that it is none.
pub(super) fn is_likely(bytes: &[u8]) -> bool {
    KNOWN.iter().any(|(encoding, speaks)| {
        let (mut pairs, mut telling) = (0_usize, 0_usize);
        let mut rest = bytes.iter();
        while let Some(lead) = rest.find(|byte| !byte.is_ascii()) {
            let Some(trail) = rest.next() else { return false };
            pairs += 1;
            telling += usize::from(speaks(*lead, *trail));
        }
        telling > 1
            && telling * 2 >= pairs
            && encoding.decode_without_bom_handling_and_without_replacement(bytes).is_some()
    })
}

#[cfg(test)]
mod tests {
    use encoding_rs::WINDOWS_1252;

    use super::*;

    #[test]
    fn texts_of_two_bytes_are_told_from_accents() {
        let japanese = "# 設定ファイル\nname = \"日本語のテキスト\"\n";
        let chinese = "# 配置文件\nname = \"中文文本，测试\"\n";
        let traditional = "# 設定檔案\nname = \"中文文字\"\n";
        let korean = "# 설정 파일\nname = \"한국어 텍스트\"\n";
        for (encoding, text) in [
            (SHIFT_JIS, japanese),
            (EUC_JP, japanese),
            (GB18030, chinese),
            (BIG5, traditional),
            (EUC_KR, korean),
        ] {
            assert!(is_likely(&encoding.encode(text).0), "{}", encoding.name());
        }
        for text in [
            "café",
            "naïve Müller",
            "Größe der Füße",
            "20 °C, 30 °F",
            "it’s what they don’t",
            "l’état",
            "“État”",
            "ÄÖÜ",
            "«Élysée»",
            "CRÉÉE",
            "señor",
            "¿Qué?",
            "£5 and €6",
            "smörgåsbord",
            "ÅÄÖ åäö",
            "© Müller®",
            "l’évêque a été là – où ?",
            "Ærøskøbing",
        ] {
            assert!(!is_likely(&WINDOWS_1252.encode(text).0), "{text}");
            assert!(!is_likely(&WINDOWS_1252.encode(&format!("a = 1\n{text}\n")).0), "{text}");
        }
        assert!(!is_likely(b"plain"));
    }
}
