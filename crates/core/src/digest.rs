use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::flaw::Flaw;

/// 128 bits of a BLAKE3 hash, written as 32 lower-case hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 16]);

impl Digest {
    /// Hashes `parts` under `context`. Every part is preceded by its length, so that no two
    /// different lists of parts run together.
    pub fn of(context: &str, parts: &[&str]) -> Self {
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&keyed_hash(context, parts)[..16]);
        Digest(bytes)
    }

    /// The first eight bytes as a number.
    pub fn low(self) -> u64 {
        u64::from_le_bytes(self.0[..8].try_into().expect("a digest has sixteen bytes"))
    }

    /// The last eight bytes as a number, independent of [`Digest::low`].
    pub fn high(self) -> u64 {
        u64::from_le_bytes(self.0[8..].try_into().expect("a digest has sixteen bytes"))
    }
}

/// 256 bits of BLAKE3 over length-prefixed parts, under a key derived from `context`.
pub(crate) fn keyed_hash(context: &str, parts: &[&str]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    *hasher.finalize().as_bytes()
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl FromStr for Digest {
    type Err = Flaw;

    fn from_str(text: &str) -> Result<Self, Flaw> {
        let flaw = || Flaw::new(format!("digest {text:?} is not 32 lower-case hexadecimal digits"));
        if text.len() != 32 || !text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(flaw());
        }
        let number = u128::from_str_radix(text, 16).map_err(|_| flaw())?;
        Ok(Digest(number.to_be_bytes()))
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        let digest = Digest::of("test", &["a", "b"]);
        assert_eq!(digest.to_string().parse::<Digest>().unwrap(), digest);
        assert!("ABC".parse::<Digest>().is_err());
        assert!("+0000000000000000000000000000000".parse::<Digest>().is_err());
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(Digest::of("test", &["ab", "c"]), Digest::of("test", &["a", "bc"]));
        assert_ne!(Digest::of("test", &["ab"]), Digest::of("rest", &["ab"]));
    }
}
