//! Texts made to exhaust whoever reads them are refused, and cheaply: the reader pays for every value before
//! it makes it, so what it may cost is bounded by its budget and not by the text.

use hermes_testkit::yaml_bombs;

use super::support::problems;

#[test]
fn every_bomb_is_refused_by_its_reason() {
    for (name, text, why) in yaml_bombs() {
        let said = problems(&text).join("\n");
        assert!(said.contains(why), "{name}: {}", said.chars().take(500).collect::<String>());
    }
}
