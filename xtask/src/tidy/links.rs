//! Links in the documentation lead somewhere.

use pulldown_cmark::{Event, LinkType, Parser, Tag};

/// Every relative link and picture of `README.md` and of the pages in `docs` leads to a file that
/// is there; `exists` is asked with paths from the root.
pub(super) fn check(path: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
    if path != "README.md" && !(path.starts_with("docs/") && path.ends_with(".md")) {
        return Vec::new();
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut faults = Vec::new();
    for (event, span) in Parser::new(text).into_offset_iter() {
        let (Event::Start(Tag::Link { link_type, dest_url, .. })
        | Event::Start(Tag::Image { link_type, dest_url, .. })) = event
        else {
            continue;
        };
        let file = dest_url.split('#').next().unwrap_or_default();
        if link_type == LinkType::Email || file.is_empty() || file.contains(':') {
            continue;
        }
        let target = if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") };
        if !exists(&target) {
            let line = text[..span.start].matches('\n').count() + 1;
            faults.push(format!("{path}:{line}: the link to {file} leads nowhere; there is no {target}"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::samples::assert_one_fault;

    fn exists(target: &str) -> bool {
        ["docs/there.md", "docs/tasks/pictures/a.png", "docs/tasks/../there.md"].contains(&target)
    }

    #[test]
    fn a_dead_link_is_named_with_its_line() {
        let text = "# Page\n\nSee [this](there.md) and [that](gone.md).\n";
        assert_one_fault(check("docs/page.md", text, exists), "docs/page.md:3: the link to gone.md");
        assert_one_fault(check("README.md", "[a](there.md)\n", exists), "there is no there.md");
        assert_one_fault(check("docs/tasks/a.md", "![a](pictures/b.png)\n", exists), "pictures/b.png");
    }

    #[test]
    fn other_links_pass() {
        let text = "[up](../there.md#part) ![a](pictures/a.png) [web](https://example.org/x) [here](#part) \
                    <mail@example.org> `[code](gone.md)`\n\n```text\n[code](gone.md)\n```\n";
        assert_eq!(check("docs/tasks/a.md", text, exists), [""; 0]);
        assert_eq!(check("CHANGELOG.md", "[a](gone.md)\n", exists), [""; 0]);
    }
}
