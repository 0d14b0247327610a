use std::io::{self, BufRead, Read as _};

/// The longest line that is read, in bytes: 64 MiB.
pub const LONGEST_LINE: usize = 64 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, counted from 1.
    pub number: u64,
    /// Its bytes without the line end; `None` when it is too long to be read.
    pub text: Option<Vec<u8>>,
}

impl Line {
    /// Whether there is nothing but white space.
    pub fn is_blank(&self) -> bool {
        self.text.as_ref().is_some_and(|text| text.trim_ascii().is_empty())
    }
}

/// The lines of a stream of bytes, whatever these are. Only one line is in memory at once, and of
/// one that is too long no more than the limit.
///
/// A byte order mark before the first line is dropped, and so are the two kinds of line end.
pub struct Lines<R> {
    input: R,
    longest: usize,
    number: u64,
    bytes: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `input` with at most `longest` bytes each.
    pub fn new(input: R, longest: usize) -> Self {
        Lines { input, longest, number: 0, bytes: 0 }
    }

    /// The number of bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    fn read(&mut self) -> io::Result<Option<Line>> {
        let mut text = Vec::new();
        let read = self.input.by_ref().take(self.longest as u64 + 1).read_until(b'\n', &mut text)?;
        if read == 0 {
            return Ok(None);
        }
        self.bytes += read as u64;
        self.number += 1;
        if text.last() == Some(&b'\n') {
            text.pop();
        } else if text.len() > self.longest {
            drop(text);
            self.bytes += self.input.skip_until(b'\n')? as u64;
            return Ok(Some(Line { number: self.number, text: None }));
        }
        if text.last() == Some(&b'\r') {
            text.pop();
        }
        if self.number == 1 && text.starts_with(BYTE_ORDER_MARK) {
            text.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some(Line { number: self.number, text: Some(text) }))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8], longest: usize) -> Vec<(u64, Option<String>)> {
        Lines::new(input, longest)
            .map(|line| line.unwrap())
            .map(|line| (line.number, line.text.map(|text| String::from_utf8(text).unwrap())))
            .collect()
    }

    #[test]
    fn line_ends_and_marks_are_dropped() {
        let some = |text: &str| Some(text.to_owned());
        let lines = read(b"\xef\xbb\xbfa\r\n\nb\rc\n\xef\xbb\xbfd", 100);
        let wanted = [(1, some("a")), (2, some("")), (3, some("b\rc")), (4, some("\u{feff}d"))];
        assert_eq!(lines, wanted);
        assert!(read(b"", 100).is_empty());
        assert_eq!(read(b"\n", 100), [(1, some(""))]);
    }

    #[test]
    fn a_line_too_long_is_passed_over() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(read(b"abc\nabcd\nab", 3), [(1, some("abc")), (2, None), (3, some("ab"))]);
        assert_eq!(read(b"abcdefgh", 3), [(1, None)]);
        let mut lines = Lines::new(&b"abcd\nab\n"[..], 3);
        assert_eq!(lines.by_ref().count(), 2);
        assert_eq!(lines.bytes(), 8);
    }
}
