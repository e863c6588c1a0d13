//! The longest part of a list that rises.

/// The places of the elements of the longest part that rises, in order.
pub fn rising(list: &[usize]) -> Vec<usize> {
    // For each length, the place of the lowest last element; and for each element, the place of the one before it.
    let mut lasts: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(list.len());
    for (at, element) in list.iter().enumerate() {
        let shorter = lasts.partition_point(|last| list.get(*last).is_some_and(|other| other < element));
        before.push(shorter.checked_sub(1).and_then(|last| lasts.get(last)).copied());
        match lasts.get_mut(shorter) {
            Some(last) => *last = at,
            None => lasts.push(at),
        }
    }
    let mut out: Vec<usize> =
        std::iter::successors(lasts.last().copied(), |at| before.get(*at).copied().flatten()).collect();
    out.reverse();
    out
}

#[cfg(test)]
mod tests {
    use super::rising;

    #[test]
    fn the_longest_part_that_rises() {
        assert_eq!(rising(&[]), Vec::<usize>::new());
        assert_eq!(rising(&[4, 0, 1, 2, 3]), [1, 2, 3, 4]);
        assert_eq!(rising(&[1, 2, 0, 3]), [0, 1, 3]);
        assert_eq!(rising(&[3, 2, 1]).len(), 1);
    }
}
