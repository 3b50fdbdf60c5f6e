//! Reads the safetensors file that is part of the binary. Matrices stay where they are, as int8 rows.

use serde_json::Value;

static FILE: &[u8] = include_bytes!("../../model/encoder.safetensors");

pub(super) const HIDDEN: usize = 384;
pub(super) const INNER: usize = 1536;
pub(super) const LAYERS: usize = 3;
pub(super) const HEADS: usize = 12;

/// Rows of int8 numbers with one scale each, and a bias.
pub(super) struct Linear {
    pub(super) rows: &'static [i8],
    pub(super) scales: Vec<f32>,
    pub(super) bias: Vec<f32>,
    pub(super) width: usize,
}

/// Rows of int8 numbers with one scale each, looked up by number.
pub(super) struct Table {
    rows: &'static [i8],
    scales: Vec<f32>,
}

/// Factor and offset after normalising a row.
pub(super) struct Norm {
    pub(super) factor: Vec<f32>,
    pub(super) offset: Vec<f32>,
}

pub(super) struct Layer {
    pub(super) query: Linear,
    pub(super) key: Linear,
    pub(super) value: Linear,
    pub(super) mix: Linear,
    pub(super) after_attention: Norm,
    pub(super) widen: Linear,
    pub(super) narrow: Linear,
    pub(super) after_inner: Norm,
}

pub(super) struct Weights {
    pub(super) words: Table,
    pub(super) positions: Table,
    pub(super) kind: Table,
    pub(super) first: Norm,
    pub(super) layers: Vec<Layer>,
}

impl Table {
    /// Adds a row, made float, to `sum`.
    pub(super) fn add_row(&self, row: usize, sum: &mut [f32]) {
        let scale = self.scales.get(row).copied().unwrap_or_default();
        let numbers = self.rows.chunks_exact(HIDDEN).nth(row).unwrap_or_default();
        for (at, number) in sum.iter_mut().zip(numbers) {
            *at += f32::from(*number) * scale;
        }
    }
}

impl Weights {
    /// `None` only if the file of this build is broken, which a test would show.
    pub(super) fn load() -> Option<Self> {
        let file = File::open(FILE)?;
        let layers = (0..LAYERS).map(|layer| file.layer(layer)).collect::<Option<Vec<_>>>()?;
        Some(Weights {
            words: file.table("embeddings.word_embeddings.weight")?,
            positions: file.table("embeddings.position_embeddings.weight")?,
            kind: file.table("embeddings.token_type_embeddings.weight")?,
            first: file.norm("embeddings.LayerNorm")?,
            layers,
        })
    }
}

struct File {
    header: Value,
    data: &'static [u8],
}

impl File {
    fn open(bytes: &'static [u8]) -> Option<Self> {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (header, data) = rest.split_at_checked(length)?;
        Some(File { header: serde_json::from_slice(header).ok()?, data })
    }

    fn bytes(&self, name: &str) -> Option<&'static [u8]> {
        let offsets = self.header.get(name)?.get("data_offsets")?;
        let at = |end: usize| usize::try_from(offsets.get(end)?.as_u64()?).ok();
        self.data.get(at(0)?..at(1)?)
    }

    fn floats(&self, name: &str) -> Option<Vec<f32>> {
        let (numbers, _) = self.bytes(name)?.as_chunks::<4>();
        Some(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    fn rows(&self, name: &str) -> Option<&'static [i8]> {
        Some(pulp::bytemuck::cast_slice(self.bytes(name)?))
    }

    fn table(&self, name: &str) -> Option<Table> {
        Some(Table { rows: self.rows(name)?, scales: self.floats(&format!("{name}.scale"))? })
    }

    fn norm(&self, name: &str) -> Option<Norm> {
        let part = |part: &str| self.floats(&format!("{name}.{part}"));
        Some(Norm { factor: part("weight")?, offset: part("bias")? })
    }

    fn linear(&self, name: &str, width: usize) -> Option<Linear> {
        let rows = self.rows(&format!("{name}.weight"))?;
        let scales = self.floats(&format!("{name}.weight.scale"))?;
        let bias = self.floats(&format!("{name}.bias"))?;
        let fits = rows.len() == scales.len() * width && bias.len() == scales.len();
        fits.then_some(Linear { rows, scales, bias, width })
    }

    fn layer(&self, number: usize) -> Option<Layer> {
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        Some(Layer {
            query: self.linear(&name("attention.self.query"), HIDDEN)?,
            key: self.linear(&name("attention.self.key"), HIDDEN)?,
            value: self.linear(&name("attention.self.value"), HIDDEN)?,
            mix: self.linear(&name("attention.output.dense"), HIDDEN)?,
            after_attention: self.norm(&name("attention.output.LayerNorm"))?,
            widen: self.linear(&name("intermediate.dense"), HIDDEN)?,
            narrow: self.linear(&name("output.dense"), INNER)?,
            after_inner: self.norm(&name("output.LayerNorm"))?,
        })
    }
}
