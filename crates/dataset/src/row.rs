use topotrace_core::{Flaw, Record, ensure};

/// A record with its pictures: one row of a dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Everything but the pictures.
    pub record: Record,
    /// The pictures as PNG files, in order.
    pub pictures: Vec<Vec<u8>>,
}

impl Row {
    /// The bare file name of picture number `index`. It tells nothing but the record's id.
    pub fn picture_name(&self, index: usize) -> String {
        if self.pictures.len() == 1 {
            format!("{}.png", self.record.id)
        } else {
            format!("{}-{index}.png", self.record.id)
        }
    }
}

/// What stands in `prompt_verl` for one picture.
pub(crate) const PLACEHOLDER: &str = "<image>";

/// The prompt with one placeholder a picture before the text.
pub(crate) fn prompt_with_placeholders(row: &Row) -> String {
    format!("{}\n{}", PLACEHOLDER.repeat(row.pictures.len()), row.record.prompt)
}

/// Demands that a prompt holds no placeholder of its own: trainers count them.
pub(crate) fn check_prompt(record: &Record) -> Result<(), Flaw> {
    ensure(!record.prompt.contains(PLACEHOLDER), || {
        format!("the prompt of record {} contains {PLACEHOLDER:?}, which stands for a picture", record.id)
    })
}

/// Width and height as a PNG file's header declares them; `None` when it is no 8-bit RGB PNG.
pub(crate) fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
    let header = bytes.get(..26).filter(|header| header.starts_with(SIGNATURE))?;
    let number = |at: usize| header[at..at + 4].iter().fold(0_u32, |sum, &byte| sum << 8 | u32::from(byte));
    (header[24] == 8 && header[25] == 2).then(|| (number(16), number(20)))
}

/// Demands that a PNG file holds its header, its pixels and its end, and nothing beside or after
/// them: neither words nor what makes viewers show other colors.
pub(crate) fn check_chunks(bytes: &[u8]) -> Result<(), String> {
    const END: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";
    let mut rest = bytes.get(8..).unwrap_or_default();
    let mut chunks = 0;
    while rest != END {
        let (length, kind) = rest
            .get(..8)
            .map(|head| (u32::from_be_bytes([head[0], head[1], head[2], head[3]]), &head[4..]))
            .ok_or("has no end")?;
        let wanted: &[u8] = if chunks == 0 { b"IHDR" } else { b"IDAT" };
        match kind {
            b"IEND" => return Err("goes on after its end".to_owned()),
            _ if kind != wanted => return Err(format!("holds a chunk {:?}", String::from_utf8_lossy(kind))),
            _ => chunks += 1,
        }
        rest = rest.get(12 + length as usize..).ok_or("has no end")?;
    }
    if chunks < 2 { Err("has no pixels".to_owned()) } else { Ok(()) }
}
