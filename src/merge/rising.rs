//! The longest parts of a list that rise.

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

/// For each element, whether it is in any of the longest parts that rise.
pub fn is_rising(list: &[usize]) -> Vec<bool> {
    let mut lasts: Vec<usize> = Vec::new();
    let up: Vec<usize> = list.iter().map(|element| count(&mut lasts, *element, |last| last < *element)).collect();
    let mut firsts: Vec<usize> = Vec::new();
    let down = list.iter().rev().map(|element| count(&mut firsts, *element, |first| first > *element));
    let down: Vec<usize> = down.collect();
    // An element is in both counts.
    up.iter().zip(down.iter().rev()).map(|(up, down)| up + down == lasts.len() + 1).collect()
}

/// How many elements has the longest part that ends with `element`: `lasts` has the best last element for each length.
fn count(lasts: &mut Vec<usize>, element: usize, may_precede: impl Fn(usize) -> bool) -> usize {
    let shorter = lasts.partition_point(|last| may_precede(*last));
    match lasts.get_mut(shorter) {
        Some(last) => *last = element,
        None => lasts.push(element),
    }
    shorter + 1
}

#[cfg(test)]
mod tests {
    use super::{is_rising, rising};

    #[test]
    fn what_is_in_any_of_the_longest_parts() {
        assert_eq!(is_rising(&[]), Vec::<bool>::new());
        assert_eq!(is_rising(&[4, 0, 1, 2, 3]), [false, true, true, true, true]);
        assert_eq!(is_rising(&[1, 2, 0, 3]), [true, true, false, true]);
        assert_eq!(is_rising(&[0, 2, 1, 3]), [true; 4]);
        assert_eq!(is_rising(&[3, 2, 1]), [true; 3]);
    }

    #[test]
    fn the_longest_part_that_rises() {
        assert_eq!(rising(&[]), Vec::<usize>::new());
        assert_eq!(rising(&[4, 0, 1, 2, 3]), [1, 2, 3, 4]);
        assert_eq!(rising(&[1, 2, 0, 3]), [0, 1, 3]);
        assert_eq!(rising(&[3, 2, 1]).len(), 1);
    }
}
