//! A relation of being over, resolved into levels.

use std::collections::BTreeSet;

/// Nodes of which some are over others. Nodes may be joined into groups that share a level.
pub(super) struct Order {
    /// For the first node of each group, the nodes over it.
    above: Vec<BTreeSet<usize>>,
    /// Another node of the same group, or the node itself for the first one.
    group: Vec<usize>,
}

impl Order {
    pub(super) fn new(nodes: usize) -> Self {
        Order { above: vec![BTreeSet::new(); nodes], group: (0..nodes).collect() }
    }

    pub(super) fn put_above(&mut self, low: usize, high: usize) {
        let (low, high) = (self.first(low), self.first(high));
        if low != high {
            self.above[low].insert(high);
        }
    }

    /// Puts two nodes on one level, unless one of them must be over the other.
    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        if a != b && !self.is_below(a, b) && !self.is_below(b, a) {
            self.group[b] = a;
            let above = std::mem::take(&mut self.above[b]);
            self.above[a].extend(above);
        }
    }

    fn first(&self, mut node: usize) -> usize {
        while self.group[node] != node {
            node = self.group[node];
        }
        node
    }

    /// Whether one group must be below another one.
    fn is_below(&self, low: usize, high: usize) -> bool {
        let mut seen = vec![false; self.group.len()];
        let mut waiting = vec![low];
        while let Some(node) = waiting.pop() {
            for next in self.above[node].iter().map(|next| self.first(*next)) {
                if next == high {
                    return true;
                }
                if !std::mem::replace(&mut seen[next], true) {
                    waiting.push(next);
                }
            }
        }
        false
    }

    /// Each node's level: above those of all nodes below it. Pieces cut between their events
    /// can't go round in a circle; things that pass through each other can, and then the deepest
    /// that waits is painted first.
    pub(super) fn levels(&self, depths: &[f64]) -> Vec<usize> {
        let count = self.group.len();
        let firsts: BTreeSet<usize> = (0..count).filter(|node| self.group[*node] == *node).collect();
        let above = |node: usize| -> BTreeSet<usize> {
            self.above[node].iter().map(|high| self.first(*high)).filter(|high| *high != node).collect()
        };
        let mut below = vec![0; count];
        for node in &firsts {
            above(*node).into_iter().for_each(|high| below[high] += 1);
        }
        let mut levels = vec![0; count];
        let mut left = firsts;
        while !left.is_empty() {
            let ready = left.iter().copied().find(|node| below[*node] == 0);
            let deepest = || left.iter().copied().max_by(|a, b| depths[*a].total_cmp(&depths[*b]));
            let Some(node) = ready.or_else(deepest) else { break };
            left.remove(&node);
            for high in above(node) {
                if left.contains(&high) {
                    levels[high] = levels[high].max(levels[node] + 1);
                    below[high] -= 1;
                }
            }
        }
        (0..count).map(|node| levels[self.first(node)]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_respect_the_order_and_circles_are_broken_at_the_deepest() {
        let mut order = Order::new(5);
        for (low, high) in [(0, 1), (1, 2), (0, 2), (0, 2), (3, 3)] {
            order.put_above(low, high);
        }
        assert_eq!(order.levels(&[0.0; 5]), [0, 1, 2, 0, 0]);
        let mut circle = Order::new(3);
        for (low, high) in [(0, 1), (1, 2), (2, 0)] {
            circle.put_above(low, high);
        }
        assert_eq!(circle.levels(&[1.0, 3.0, 2.0]), [2, 0, 1]);
    }

    #[test]
    fn joined_nodes_share_a_level_where_the_order_allows_it() {
        let mut order = Order::new(6);
        for (low, high) in [(0, 1), (1, 2), (3, 4)] {
            order.put_above(low, high);
        }
        // 3 goes up to 1, and 4 with it; 5 with them.
        order.join(1, 3);
        order.join(5, 4);
        assert_eq!(order.levels(&[0.0; 6]), [0, 1, 2, 1, 2, 2]);
        // 0 is below 3 now, and 2 and 5 are above it.
        for (a, b) in [(0, 3), (3, 2), (0, 5)] {
            order.join(a, b);
        }
        assert_eq!(order.levels(&[0.0; 6]), [0, 1, 2, 1, 2, 2]);
    }
}
