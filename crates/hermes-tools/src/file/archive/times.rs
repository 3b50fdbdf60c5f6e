//! When a file was changed, as zip archives say it: as a clock on the wall shows it, and beside that as seconds that mean
//! the same everywhere.

use jiff::Timestamp;
use jiff::civil::DateTime as Civil;
use jiff::tz::TimeZone;
use zip::DateTime;
use zip::extra_fields::ExtraField;
use zip::read::ZipFile;

/// The field that holds seconds.
pub(super) const SECONDS_FIELD: u16 = 0x5455;

/// The field's content: which times follow, and the time of the last change. `None` beyond what it can hold.
pub(super) fn seconds_field(seconds: i64) -> Option<[u8; 5]> {
    let [a, b, c, d] = u32::try_from(seconds).ok()?.to_le_bytes();
    Some([1, a, b, c, d])
}

/// What a clock here showed. Years that the format does not have are left out.
pub(super) fn on_the_wall(seconds: i64) -> Option<DateTime> {
    let shown = Timestamp::from_second(seconds).ok()?.to_zoned(TimeZone::system()).datetime();
    let part = |value: i8| u8::try_from(value).ok();
    DateTime::from_date_and_time(
        u16::try_from(shown.year()).ok()?,
        part(shown.month())?,
        part(shown.day())?,
        part(shown.hour())?,
        part(shown.minute())?,
        part(shown.second())?,
    )
    .ok()
}

/// When an entry was changed last, in seconds since the epoch.
pub(super) fn modified<R: std::io::Read>(entry: &ZipFile<'_, R>) -> Option<i64> {
    let exact = entry.extra_data_fields().find_map(|field| match field {
        ExtraField::ExtendedTimestamp(times) => times.mod_time(),
        _ => None,
    });
    exact.map(i64::from).or_else(|| by_the_wall(entry.last_modified()?))
}

fn by_the_wall(shown: DateTime) -> Option<i64> {
    let part = |value: u8| i8::try_from(value).ok();
    let civil = Civil::new(
        i16::try_from(shown.year()).ok()?,
        part(shown.month())?,
        part(shown.day())?,
        part(shown.hour())?,
        part(shown.minute())?,
        part(shown.second())?,
        0,
    );
    Some(civil.ok()?.to_zoned(TimeZone::system()).ok()?.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_on_the_wall_go_by_two_seconds_and_begin_in_1980() {
        let seconds = 1_700_000_002;
        assert_eq!(on_the_wall(seconds).and_then(by_the_wall), Some(seconds));
        assert_eq!(on_the_wall(0), None);
        assert_eq!(seconds_field(-1), None);
        assert_eq!(seconds_field(258), Some([1, 2, 1, 0, 0]));
    }
}
