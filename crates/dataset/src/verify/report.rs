use std::fmt;

/// The longest reason that is kept, in characters.
const LONGEST_REASON: usize = 300;
/// The most reasons that are kept for one place.
const MOST_REASONS: usize = 12;

/// What verification found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The number of files in the manifest.
    pub files: u64,
    /// The number of rows that were read.
    pub rows: u64,
    /// What is wrong, in the order of the files.
    pub problems: Vec<Problem>,
    /// The number of problems beyond those listed.
    pub omitted: u64,
    most: usize,
}

/// Something that is wrong, with every reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub place: Place,
    /// What; never empty.
    pub reasons: Vec<String>,
}

/// Where a problem lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The manifest, compared with the rows as a whole.
    Manifest,
    /// A data file, by its path within the dataset.
    File(String),
    /// One record.
    Record {
        /// Its id as it stands in the file.
        id: String,
        /// The file's path within the dataset.
        file: String,
    },
}

impl Report {
    pub(super) fn new(most: usize) -> Self {
        Report { most, ..Report::default() }
    }

    /// Whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.problems.is_empty() && self.omitted == 0
    }

    pub(super) fn add(&mut self, place: Place, mut reasons: Vec<String>) {
        if self.problems.len() >= self.most {
            self.omitted += 1;
            return;
        }
        let more = reasons.len().saturating_sub(MOST_REASONS);
        reasons.truncate(MOST_REASONS);
        for reason in &mut reasons {
            if let Some((end, _)) = reason.char_indices().nth(LONGEST_REASON) {
                reason.truncate(end);
                reason.push('…');
            }
        }
        if more > 0 {
            reasons.push(format!("and {more} more reasons"));
        }
        self.problems.push(Problem { place, reasons });
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Manifest => f.write_str("manifest"),
            Place::File(path) => write!(f, "file {path}"),
            Place::Record { id, file } => write!(f, "record {id} in {file}"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reasons.join("; "))
    }
}
