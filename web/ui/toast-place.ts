/** Where toasts may stand, in the order of preference. The styles say where each is. */
const PLACES = ['bottom-right', 'bottom-left', 'top', 'under-bar', 'top-right', 'middle'] as const;

/** What a person may want to press. */
const ACTIONS = 'a[href], button, input, select, textarea, label, [role="tab"], [role="option"]';

/** Closer together than the smallest control is high. */
const STEP_PX = 12;

/** Screens change under a toast: a step of a wizard, a dialog that opens. */
const CHECK_EVERY_MS = 250;

/**
 * Moves the toasts, as long as there are any, to the first place where they lie over no action; where
 * every place has one, to that with the fewest.
 *
 * @returns ends it
 */
export function keepOffActions(region: HTMLElement): () => void {
  const place = () => {
    if (countCovered(region) > 0) moveToBestPlace(region);
  };
  moveToBestPlace(region);
  const timer = setInterval(place, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}

function moveToBestPlace(region: HTMLElement): void {
  let best: { place: string; covered: number } | undefined;
  for (const place of PLACES) {
    region.dataset['place'] = place;
    const covered = countCovered(region);
    if (best === undefined || covered < best.covered) best = { place, covered };
    if (covered === 0) return;
  }
  if (best !== undefined) region.dataset['place'] = best.place;
}

/** At how many points of the region an action lies under it. */
function countCovered(region: HTMLElement): number {
  const { left, right, top, bottom } = region.getBoundingClientRect();
  let covered = 0;
  for (let y = top; y < bottom + STEP_PX; y += STEP_PX) {
    for (let x = left; x < right + STEP_PX; x += STEP_PX) {
      const under = document
        .elementsFromPoint(Math.min(x, right), Math.min(y, bottom))
        .find((element) => !region.contains(element));
      if (under?.closest(ACTIONS) != null) covered += 1;
    }
  }
  return covered;
}
