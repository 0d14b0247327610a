//! Rules on the crates' manifests.

/// What a family, core, draw and space must not need, as it stands at the start of a line.
const HEAVY: [&str; 7] =
    ["parquet", "arrow", "clap", "tokio", "topotrace-dataset", "topotrace ", "topotrace."];

/// Every member inherits the lints; families depend on core, draw and space and never on each other.
pub(super) fn check_manifest(path: &str, text: &str, families: &[&str]) -> Vec<String> {
    let parts: Vec<&str> = path.split('/').collect();
    let own = match parts.as_slice() {
        ["crates", own, "Cargo.toml"] => *own,
        ["xtask", "Cargo.toml"] => "xtask",
        _ => return Vec::new(),
    };
    let mut faults = Vec::new();
    if !text.contains("[lints]\nworkspace = true") {
        faults.push(format!("{path}: the lints are not inherited; add [lints] workspace = true"));
    }
    if !(families.contains(&own) || ["core", "draw", "space"].contains(&own)) {
        return faults;
    }
    let foreign = families.iter().filter(|name| **name != own).map(|name| format!("topotrace-{name}"));
    for unwanted in foreign.chain(HEAVY.map(str::to_owned)) {
        if text.lines().any(|line| line.starts_with(&unwanted)) {
            let unwanted = unwanted.trim_end_matches([' ', '.']);
            faults
                .push(format!("{path}: depends on {unwanted}; families stand on core, draw and space alone"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::samples::assert_one_fault;

    const FAMILIES: [&str; 2] = ["order", "knots"];
    const GOOD: &str = "[lints]\nworkspace = true\n\n[dependencies]\ntopotrace-core.workspace = true\n";

    fn check(path: &str, dependency: &str) -> Vec<String> {
        check_manifest(path, &format!("{GOOD}{dependency}\n"), &FAMILIES)
    }

    #[test]
    fn lints_are_inherited_by_every_member() {
        for path in ["crates/order/Cargo.toml", "crates/dataset/Cargo.toml", "xtask/Cargo.toml"] {
            assert_one_fault(check_manifest(path, "[dependencies]\n", &FAMILIES), "lints are not inherited");
            assert_eq!(check_manifest(path, GOOD, &FAMILIES), [""; 0]);
        }
        assert_eq!(check_manifest("examples/consumer/Cargo.toml", "", &FAMILIES), [""; 0]);
    }

    #[test]
    fn families_stand_alone() {
        let order = "crates/order/Cargo.toml";
        assert_one_fault(check(order, "topotrace-knots.workspace = true"), "depends on topotrace-knots;");
        for facade in ["topotrace = { path = \"..\" }", "topotrace.workspace = true"] {
            assert_one_fault(check(order, facade), "depends on topotrace;");
        }
        for shared in ["topotrace-draw.workspace = true", "topotrace-space.workspace = true"] {
            assert_eq!(check(order, shared), [""; 0]);
        }
        for light in ["core", "draw", "space"] {
            let path = format!("crates/{light}/Cargo.toml");
            assert_one_fault(check(&path, "clap.workspace = true"), "depends on clap;");
            assert_one_fault(check(&path, "topotrace-order.workspace = true"), "depends on topotrace-order;");
        }
        assert_eq!(check("crates/dataset/Cargo.toml", "parquet.workspace = true"), [""; 0]);
    }
}
