//! Sets of features, each a number.

/// A set of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Features(u128);

impl Features {
    /// How many features there can be.
    pub(super) const ROOM: usize = u128::BITS as usize;

    /// The set of one feature, which has a number below [`Features::ROOM`].
    pub(super) fn only(place: usize) -> Self {
        Features(u32::try_from(place).ok().and_then(|place| 1_u128.checked_shl(place)).unwrap_or_default())
    }

    /// The numbers of the features in the set.
    pub(super) fn places(self) -> impl Iterator<Item = usize> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let place = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(place)
        })
    }

    pub(super) fn with(self, other: Features) -> Self {
        Features(self.0 | other.0)
    }

    pub(super) fn holds(self, all: Features) -> bool {
        all.0 != 0 && self.0 & all.0 == all.0
    }

    pub(super) fn meets(self, any: Features) -> bool {
        self.0 & any.0 != 0
    }
}
