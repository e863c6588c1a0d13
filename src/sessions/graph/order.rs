//! The order of what is in one layer: such that few edges cross.

/// How often the layers are sorted, forwards and backwards in turn.
const SWEEPS: usize = 8;

/// Sorts each of `layers` by the places of the neighbours in the layer beside it. `before` and `after` have the neighbours of each
/// item, one layer away.
pub(super) fn sort(layers: &mut [Vec<usize>], before: &[Vec<usize>], after: &[Vec<usize>]) {
    let count = before.len();
    let mut places = vec![0_usize; count];
    for layer in layers.iter() {
        number(layer, &mut places);
    }
    for sweep in 0..SWEEPS {
        let forwards = sweep % 2 == 0;
        let neighbours = if forwards { before } else { after };
        let last = layers.len().saturating_sub(1);
        for at in 0..layers.len() {
            let Some(layer) = layers.get_mut(if forwards { at } else { last - at }) else { continue };
            let mut sorted: Vec<(usize, usize)> =
                layer.iter().map(|item| (middle(*item, neighbours, &places), *item)).collect();
            sorted.sort_by_key(|(middle, _)| *middle);
            *layer = sorted.into_iter().map(|(_, item)| item).collect();
            number(layer, &mut places);
        }
    }
}

/// The middle of the places of the neighbours, in thousandths; its own place without neighbours.
fn middle(item: usize, neighbours: &[Vec<usize>], places: &[usize]) -> usize {
    let place = |item: &usize| places.get(*item).copied().unwrap_or(0) * 1000;
    let all = neighbours.get(item).map(Vec::as_slice).unwrap_or_default();
    if all.is_empty() { place(&item) } else { all.iter().map(place).sum::<usize>() / all.len() }
}

fn number(layer: &[usize], places: &mut [usize]) {
    for (place, item) in layer.iter().enumerate() {
        if let Some(of) = places.get_mut(*item) {
            *of = place;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_that_need_not_cross_do_not() {
        // 0 → 3, 1 → 2.
        let mut layers = [vec![0, 1], vec![2, 3]];
        let before = [vec![], vec![], vec![1], vec![0]];
        let after = [vec![3], vec![2], vec![], vec![]];
        sort(&mut layers, &before, &after);
        assert!(layers == [vec![0, 1], vec![3, 2]] || layers == [vec![1, 0], vec![2, 3]], "{layers:?}");
    }
}
