//! The reader of a policy text: it knows what paths and names mean here.

use std::ops::{Deref, DerefMut};

use hermes_core::yaml;

use crate::profile::ground::{Ground, Known};

pub(super) struct Reader<'a> {
    pub(super) yaml: yaml::Reader,
    pub(super) ground: &'a Ground,
    pub(super) known: &'a Known,
}

impl Deref for Reader<'_> {
    type Target = yaml::Reader;

    fn deref(&self) -> &yaml::Reader {
        &self.yaml
    }
}

impl DerefMut for Reader<'_> {
    fn deref_mut(&mut self) -> &mut yaml::Reader {
        &mut self.yaml
    }
}
