/// Names as an English list: `A`, `A and B`, `A, B and C` with the conjunction `and`; empty where
/// there are none.
pub fn english_list<T: AsRef<str>>(names: &[T], conjunction: &str) -> String {
    match names {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} {conjunction} {}", first.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_every_length() {
        assert_eq!(english_list::<&str>(&[], "and"), "");
        assert_eq!(english_list(&["A"], "and"), "A");
        assert_eq!(english_list(&["A", "B"], "or"), "A or B");
        assert_eq!(english_list(&["A", "B", "C"], "and"), "A, B and C");
    }
}
