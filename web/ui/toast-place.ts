/** Elements that a person may want to press. */
const ACTIONS = 'a[href], button, input, select, textarea, label, [role="tab"], [role="option"]';

/** Smaller than the lowest control, so that no control is skipped. */
const STEP_PX = 12;

/** Screens change under a toast: a step of a wizard, a dialog that opens. */
const CHECK_EVERY_MS = 250;

/** Maximum distance of the toasts from the edge of the window. */
const MAX_LIFT_PX = 192;

/**
 * Keeps the toasts in their corner. While there are any, it moves them away from the edge just far
 * enough to cover no action. If every position covers one, it picks the position that covers the
 * fewest.
 *
 * @returns a function that stops it
 */
export function keepOffActions(region: HTMLElement): () => void {
  const place = () => {
    if (countCovered(region) > 0) liftOffActions(region);
  };
  liftOffActions(region);
  const timer = setInterval(place, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}

function liftOffActions(region: HTMLElement): void {
  let best = { liftPx: 0, covered: Infinity };
  for (let liftPx = 0; liftPx <= MAX_LIFT_PX && best.covered > 0; liftPx += STEP_PX) {
    region.style.setProperty('--lift', `${liftPx}px`);
    const covered = countCovered(region);
    if (covered < best.covered) best = { liftPx, covered };
  }
  region.style.setProperty('--lift', `${best.liftPx}px`);
}

/** Number of points of the region with an action under them. */
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
