//! Numbers as readers want them.

/// `12.3 %`
pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// `one task`, `3 tasks`
pub(crate) fn counted(count: u64, noun: &str) -> String {
    if count == 1 { format!("one {noun}") } else { format!("{count} {noun}s") }
}

/// `11,030`
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let texts = [0, 999, 1_000, 11_030, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "11,030", "1,234,567"]);
    }
}
