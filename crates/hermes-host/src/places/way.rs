//! The folders on the way to a place.

use std::path::{Path, PathBuf};

/// Those between the place and the nearest open folder around it: whoever moves one of them takes the place along, and
/// puts another in its stead. `None` where no open folder is around it.
pub(crate) fn way_to(place: &Path, open: &[PathBuf]) -> Option<Vec<PathBuf>> {
    let around = open.iter().filter(|folder| place.starts_with(folder) && *folder != place);
    let nearest = around.max_by_key(|folder| folder.as_os_str().len())?;
    Some(place.ancestors().skip(1).take_while(|way| way != nearest).map(Path::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_begins_at_the_nearest_open_folder() {
        let open = ["/tmp", "/tmp/a", "/srv"].map(PathBuf::from);
        let way = |place: &str| way_to(Path::new(place), &open);
        assert_eq!(way("/tmp/a/b/c/d"), Some(vec!["/tmp/a/b/c".into(), "/tmp/a/b".into()]));
        assert_eq!(way("/tmp/x"), Some(Vec::new()));
        assert_eq!((way("/srv"), way("/home/x")), (None, None));
    }
}
