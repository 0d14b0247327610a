//! What a build has made so far: pieces of a few hundred rows, each a file that is there as a
//! whole or not at all. An interrupted build goes on after the last one, and several machines'
//! pieces are merged to one dataset.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use topotrace_core::{Digest, Flaw, Split, ensure};

use super::units::Filled;
use crate::error::Error;
use crate::folder::{PIECES, piece_path, unfinished};
use crate::gates::Tally;
use crate::manifest::FileFacts;
use crate::plan::{Part, Place, Plan};
use crate::storage::{ClosedShard, ParquetShard, ShardWriter as _, fingerprint, read_column, read_metadata};

/// Rows of a piece: so many may be lost when a build is killed.
const PIECE_ROWS: usize = 256;
/// The key of what a piece's file holds beside its rows.
const NOTES: &str = "topotrace.piece";

/// What a build has to know of a piece beside its rows.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Notes {
    pub(crate) tally: Tally,
    /// Tasks and their states that no look shows well enough: they stay used.
    pub(crate) refused: Vec<(String, Digest)>,
}

/// Consecutive places that a part fills, all of one configuration and split.
pub(crate) struct Piece {
    pub(crate) number: usize,
    config: String,
    split: Split,
    pub(crate) places: Vec<Place>,
}

impl Piece {
    /// The pieces of a part, in the plan's order.
    pub(crate) fn of_part(plan: &Plan, part: Part) -> Vec<Piece> {
        let owner = plan.owner(part.of);
        let mut pieces: Vec<Piece> = Vec::new();
        for section in plan.sections() {
            let own = |place: &Place| owner(*place) == part.number;
            let places: Vec<Place> = section.places.into_iter().filter(own).collect();
            for places in places.chunks(PIECE_ROWS) {
                pieces.push(Piece {
                    number: pieces.len(),
                    config: section.config.clone(),
                    split: section.split,
                    places: places.to_vec(),
                });
            }
        }
        pieces
    }

    fn path(&self, folder: &Path) -> PathBuf {
        folder.join(piece_path(self.number))
    }

    /// Whether the piece lies in `folder`.
    pub(crate) fn is_there(&self, folder: &Path) -> bool {
        self.path(folder).is_file()
    }

    /// Writes the rows that fill the places.
    pub(crate) fn write(
        &self,
        folder: &Path,
        filled: Vec<Filled>,
        notes: &Notes,
    ) -> Result<FileFacts, Error> {
        let (path, partial) = (self.path(folder), folder.join(unfinished(&piece_path(self.number))));
        let parent = folder.join(PIECES);
        fs::create_dir_all(&parent).map_err(|e| Error::file("created", &parent, e))?;
        let mut shard = ParquetShard::create(&partial)?;
        for (index, filled) in filled.into_iter().enumerate() {
            shard.push(filled.row, index as u64)?;
        }
        shard.annotate(NOTES, serde_json::to_string(notes).expect("plain data can be written as JSON"));
        let closed = shard.close()?;
        fs::rename(&partial, &path).map_err(|e| Error::file("given its final name", &path, e))?;
        Ok(self.facts(closed))
    }

    /// The states and the notes of a piece that an interrupted build wrote.
    pub(crate) fn read(&self, folder: &Path) -> Result<(Vec<Digest>, Notes, FileFacts), Error> {
        let path = self.path(folder);
        let flawed = |flaw: Flaw| Error::content(&path, flaw);
        let texts = read_column(&path, "state_hash")?;
        let states: Vec<Digest> =
            texts.iter().map(|text| text.parse()).collect::<Result<_, Flaw>>().map_err(flawed)?;
        ensure(states.len() == self.places.len(), || {
            format!("it has {} rows, {} are needed", states.len(), self.places.len())
        })
        .map_err(flawed)?;
        let found = fingerprint(&path, None)?;
        let facts = self.facts(ClosedShard { bytes: found.bytes, sha256: found.sha256 });
        Ok((states, read_notes(&path)?, facts))
    }

    fn facts(&self, ClosedShard { bytes, sha256 }: ClosedShard) -> FileFacts {
        FileFacts {
            path: piece_path(self.number),
            config: self.config.clone(),
            split: self.split,
            rows: self.places.len() as u64,
            bytes,
            sha256,
        }
    }
}

/// The notes of a piece.
pub(crate) fn read_notes(path: &Path) -> Result<Notes, Error> {
    serde_json::from_str(&read_metadata(path, NOTES)?).map_err(|e| Error::content(path, e))
}

/// Removes all pieces from `folder`.
pub(crate) fn remove(folder: &Path) -> Result<(), Error> {
    let path = folder.join(PIECES);
    match fs::remove_dir_all(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::file("removed", &path, error))
        }
        _ => Ok(()),
    }
}
