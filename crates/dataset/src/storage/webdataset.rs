//! Tar files of samples: adjacent members `KEY.json` and `KEY.png`, or `KEY.0.png`, `KEY.1.png` …
//! where there are several pictures. A key is the row's number in nine digits and its id.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use tar::{Archive, Builder, EntryType, Header};
use topotrace_core::{Flaw, ensure};

use super::hashed_file::HashedFile;
use super::json_row::{self, Decoded, Layout};
use super::key::{picture_under, sample_key};
use super::page::{BadRow, Page};
use super::{ClosedShard, Pages, ShardWriter, Storage};
use crate::error::Error;
use crate::folder;
use crate::row::Row;

/// Rows that are read at a time.
const PAGE_ROWS: usize = 100;
/// The most bytes of a member.
const LARGEST_MEMBER: u64 = 64 << 20;

pub(super) struct WebDatasetShard {
    path: PathBuf,
    tar: Builder<HashedFile>,
}

impl WebDatasetShard {
    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        // Nothing of this machine or moment is in the header.
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_uid(0);
        header.set_gid(0);
        header.set_mtime(0);
        header.set_size(bytes.len() as u64);
        self.tar.append_data(&mut header, name, bytes).map_err(|e| Error::file("written", &self.path, e))
    }
}

impl ShardWriter for WebDatasetShard {
    const STORAGE: Storage = Storage::WebDataset;

    fn create(path: &Path) -> Result<Self, Error> {
        Ok(WebDatasetShard { path: path.to_owned(), tar: Builder::new(HashedFile::create(path)?) })
    }

    fn push(&mut self, row: Row, index: u64) -> Result<(), Error> {
        let json = json_row::encode(&row, index, Layout::Keyed).map_err(|e| Error::content(&self.path, e))?;
        let key = sample_key(index, row.record.id);
        self.add(&format!("{key}.json"), json.as_bytes())?;
        let count = row.pictures.len();
        let mut pictures = row.pictures.iter().enumerate();
        pictures.try_for_each(|(at, bytes)| self.add(&picture_under(&key, at, count), bytes))
    }

    fn bytes(&self) -> u64 {
        self.tar.get_ref().bytes()
    }

    fn close(self) -> Result<ClosedShard, Error> {
        self.tar.into_inner().map_err(|e| Error::file("written", &self.path, e))?.close()
    }
}

/// The rows of a tar file, some at a time.
pub(super) fn pages(path: &Path) -> Result<Pages, Error> {
    let samples = samples(path)?;
    let mut reader = Reader { path: path.to_owned(), file: folder::open(path)? };
    let pages: Vec<Vec<Sample>> = chunks(samples);
    Ok(Box::new(pages.into_iter().map(move |samples| reader.page(&samples))))
}

/// A member by its place in the tar file.
struct Member {
    name: String,
    position: u64,
    size: u64,
}

/// Adjacent members of one key.
struct Sample {
    key: String,
    json: Member,
    pictures: Vec<Member>,
}

/// The samples of a tar file, none of their contents read.
fn samples(path: &Path) -> Result<Vec<Sample>, Error> {
    let failed = |e| Error::content(path, e);
    let mut archive = Archive::new(BufReader::new(folder::open(path)?));
    let mut samples: Vec<Sample> = Vec::new();
    for entry in archive.entries_with_seek().map_err(failed)? {
        let member = member(&entry.map_err(failed)?).map_err(|flaw| Error::content(path, flaw))?;
        let (key, extension) = member.name.split_once('.').unwrap_or((&member.name, ""));
        match (extension, samples.last_mut()) {
            ("json", _) => {
                samples.push(Sample { key: key.to_owned(), json: member, pictures: Vec::new() });
            }
            (_, Some(sample)) if sample.key == key => sample.pictures.push(member),
            _ => {
                let flaw = Flaw::new(format!("member {:?} does not follow the JSON of its key", member.name));
                return Err(Error::content(path, flaw));
            }
        }
    }
    check_end(path, samples.last())?;
    Ok(samples)
}

/// Demands that the file ends with the last member, padded, and the two blocks that say so.
fn check_end(path: &Path, last: Option<&Sample>) -> Result<(), Error> {
    const BLOCK: u64 = 512;
    let members = last.into_iter().flat_map(|sample| sample.pictures.iter().chain([&sample.json]));
    let end = members.map(|member| member.position + member.size).max().unwrap_or(0);
    let wanted = end.next_multiple_of(BLOCK) + 2 * BLOCK;
    let found = path.metadata().map_err(|e| Error::file("read", path, e))?.len();
    ensure(found == wanted, || format!("it has {found} bytes, its members make {wanted}"))
        .map_err(|flaw: Flaw| Error::content(path, flaw))
}

fn member<R: Read>(entry: &tar::Entry<'_, R>) -> Result<Member, Flaw> {
    let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
    let size = entry.size();
    ensure(entry.header().entry_type() == EntryType::Regular, || {
        format!("member {name:?} is no plain file")
    })?;
    ensure(size <= LARGEST_MEMBER, || {
        format!("member {name:?} has {size} bytes, at most {LARGEST_MEMBER} are allowed")
    })?;
    Ok(Member { name, position: entry.raw_file_position(), size })
}

fn chunks(samples: Vec<Sample>) -> Vec<Vec<Sample>> {
    let mut samples = samples.into_iter();
    let pages = std::iter::from_fn(|| Some(samples.by_ref().take(PAGE_ROWS).collect::<Vec<_>>()));
    pages.take_while(|page| !page.is_empty()).collect()
}

struct Reader {
    path: PathBuf,
    file: File,
}

impl Reader {
    fn page(&mut self, samples: &[Sample]) -> Result<Page, Error> {
        let (mut rows, mut texts) = (Vec::new(), Vec::new());
        for sample in samples {
            let failed = |e| Error::file("read", &self.path, e);
            let json = read(&mut self.file, &sample.json).map_err(failed)?;
            let text = String::from_utf8_lossy(&json).into_owned();
            let pictures: io::Result<Vec<Vec<u8>>> =
                sample.pictures.iter().map(|member| read(&mut self.file, member)).collect();
            rows.push(row(sample, &text, pictures.map_err(failed)?));
            texts.push(text);
        }
        Ok(Page::of_json(rows, texts, Layout::Keyed))
    }
}

fn read(file: &mut File, member: &Member) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(member.position))?;
    let mut bytes = vec![0; member.size as usize];
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn row(sample: &Sample, text: &str, pictures: Vec<Vec<u8>>) -> Result<Row, BadRow> {
    let Decoded { record, index, .. } =
        json_row::decode(text).map_err(|(id, flaw)| BadRow::new(&id, flaw))?;
    let bad = |flaw| BadRow::new(&record.id.to_string(), flaw);
    let key = sample_key(index, record.id);
    ensure(sample.key == key, || format!("its key is {:?}, not {key:?}", sample.key)).map_err(bad)?;
    let count = pictures.len();
    ensure(count > 0, || "it has no picture".to_owned()).map_err(bad)?;
    for (at, member) in sample.pictures.iter().enumerate() {
        let wanted = picture_under(&sample.key, at, count);
        ensure(member.name == wanted, || format!("its picture {at} is {:?}, not {wanted:?}", member.name))
            .map_err(bad)?;
    }
    Ok(Row { record, pictures })
}
