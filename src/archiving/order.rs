//! Whether the dates of entries contradict their places: a file grows at one of its ends.

/// The seconds of a day.
const DAY: i64 = 86_400;

/// The date of an entry is doubtful if most entries before it, in a file that grows at its end, are so much newer, or most entries
/// after it so much older.
pub const FAR: i64 = 60 * DAY;

/// So far is one from both beside it that are a [`FEW`] days apart.
const MONTH: i64 = 30 * DAY;

/// A few days.
const FEW: i64 = 4 * DAY;

/// With so many neighbours the date of an entry is compared.
const NEIGHBOURS: usize = 8;

/// Whether no entry is a month older than one before it, as in most files: then no date contradicts its place. Each entry in `order`
/// is a section, by its place, with its moment.
pub fn is_in_order(order: &[(usize, i64)]) -> bool {
    let mut latest = i64::MIN;
    order.iter().all(|(_, at)| {
        latest = latest.max(*at);
        latest.saturating_sub(*at) < MONTH
    })
}

/// Whether the date of the entry at `index` contradicts its place; of one that `stays` for another reason, which may be as old as it
/// says, only by what comes after it. `parents` are the sections that sections are in.
pub fn contradicts(order: &[(usize, i64)], parents: &[Option<usize>], index: usize, stays: bool) -> bool {
    let Some(&(_, at)) = order.get(index) else { return false };
    let before = order.iter().take(index).rev().take(NEIGHBOURS).map(|(_, other)| *other);
    let after = order.iter().skip(index + 1).take(NEIGHBOURS).map(|(_, other)| *other);
    !stays && is_most(before, |other| other > at.saturating_add(FAR))
        || is_most(after, |other| other < at.saturating_sub(FAR))
        || !stays && is_between(order, parents, index)
}

/// Whether the entry at `index` is a month and more from both beside it in its section, which are of a few days.
fn is_between(order: &[(usize, i64)], parents: &[Option<usize>], index: usize) -> bool {
    let section = |index: usize| order.get(index).and_then(|(place, at)| Some((parents.get(*place)?, *at)));
    let beside = index.checked_sub(1).and_then(section).zip(section(index + 1)).zip(section(index));
    let Some((((first, before), (second, after)), (parent, own))) = beside else { return false };
    if first != parent || second != parent {
        return false;
    }
    before.abs_diff(after) <= FEW.unsigned_abs()
        && own.abs_diff(before).min(own.abs_diff(after)) >= MONTH.unsigned_abs()
}

/// Whether most of the moments are such, of at least two.
fn is_most(moments: impl Iterator<Item = i64>, is: impl Fn(i64) -> bool) -> bool {
    let (mut count, mut such) = (0_usize, 0_usize);
    for moment in moments {
        count += 1;
        such += usize::from(is(moment));
    }
    count > 1 && such * 2 > count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn order(days: &[i64]) -> Vec<(usize, i64)> {
        days.iter().map(|day| day * DAY).enumerate().collect()
    }

    #[test]
    fn a_date_far_from_its_neighbours_contradicts_its_place() {
        for (days, index, is_in_order_expected, expected) in [
            (&[100, 101, 1, 102, 103][..], 2, false, true),
            (&[100, 101, 200, 102, 103], 2, false, true),
            (&[100, 101, 72, 103], 2, true, false),
            (&[100, 101, 71, 102], 2, false, true),
            (&[100, 101, 102], 1, true, false),
        ] {
            let order = order(days);
            assert_eq!(is_in_order(&order), is_in_order_expected, "{days:?}");
            assert_eq!(contradicts(&order, &vec![None; days.len()], index, false), expected, "{days:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_contradicts_where_all_is_in_order(steps in prop::collection::vec(-40_i64..80, 0..12), stays: bool) {
            let days: Vec<i64> = steps.iter().scan(0, |day, step| { *day += step; Some(*day) }).collect();
            let (order, parents) = (order(&days), vec![None; days.len()]);
            if is_in_order(&order) {
                prop_assert!((0..days.len()).all(|index| !contradicts(&order, &parents, index, stays)));
            }
        }
    }
}
