/** Elements that a person may want to press. */
const ACTIONS = 'a[href], button, input, select, textarea, label, [role="tab"], [role="option"]';

/** Smaller than the lowest control, so that no control is skipped. */
const STEP_PX = 12;

/** Screens change under a toast: a step of a wizard, a dialog that opens. */
const CHECK_EVERY_MS = 250;

/** Maximum distance of the toasts from the edge of the window. */
const MAX_LIFT_PX = 192;

/** Distance from its box at which an action still answers: a small button answers around what is drawn of it. */
const REACH_PX = 16;

/** Answers whether there is an action under a point of the window. */
type HasAction = (x: number, y: number) => boolean;

/**
 * Keeps the toasts in their corner. While there are any, it moves them away from the edge just far
 * enough to cover no action. If every position covers one, it picks the position that covers the
 * fewest.
 *
 * @returns a function that stops it
 */
export function keepOffActions(region: HTMLElement): () => void {
  let seen = '';
  const place = () => {
    const box = region.getBoundingClientRect();
    const boxes = boxesNear(region, box);
    // An overlay that opens or closes brings its own actions, or takes them away.
    const { length } = document.querySelectorAll(ACTIONS);
    const now = JSON.stringify([length, box, boxes]);
    if (now === seen) return;
    seen = now;
    if (countCovered(box, askOnce(region, boxes)) > 0) liftOffActions(region);
  };
  liftOffActions(region);
  const timer = setInterval(place, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}

/** Moves the region twice to measure, not once for each position: the browser lays the page out each time. */
function liftOffActions(region: HTMLElement): void {
  const boxAt = (liftPx: number) => {
    region.style.setProperty('--lift', `${liftPx}px`);
    return region.getBoundingClientRect();
  };
  const farthest = boxAt(MAX_LIFT_PX);
  const nearest = boxAt(0);
  const direction = Math.sign(farthest.top - nearest.top);
  const hasAction = askOnce(region, boxesNear(region, nearest));
  let best = { liftPx: 0, covered: Infinity };
  for (let liftPx = 0; liftPx <= MAX_LIFT_PX && best.covered > 0; liftPx += STEP_PX) {
    const { x, y, width, height } = nearest;
    const covered = countCovered(new DOMRect(x, y + direction * liftPx, width, height), hasAction);
    if (covered < best.covered) best = { liftPx, covered };
  }
  region.style.setProperty('--lift', `${best.liftPx}px`);
}

/** Number of points of a box with an action under them. */
function countCovered({ left, right, top, bottom }: DOMRect, hasAction: HasAction): number {
  let covered = 0;
  for (let y = top; y < bottom + STEP_PX; y += STEP_PX) {
    for (let x = left; x < right + STEP_PX; x += STEP_PX) {
      if (hasAction(Math.min(x, right), Math.min(y, bottom))) covered += 1;
    }
  }
  return covered;
}

/** Boxes of the actions that the region covers at this box, or would cover when it is lifted from there. */
function boxesNear(region: HTMLElement, box: DOMRect): DOMRect[] {
  const farPx = MAX_LIFT_PX + REACH_PX;
  return Array.from(document.querySelectorAll(ACTIONS))
    .filter((action) => !region.contains(action))
    .map((action) => action.getBoundingClientRect())
    .filter(({ width, left, right }) => {
      return width > 0 && right > box.left - REACH_PX && left < box.right + REACH_PX;
    })
    .filter(({ top, bottom }) => bottom > box.top - farPx && top < box.bottom + farPx);
}

/** Asks the browser once for each point, and only for points near one of the boxes: each answer takes it long. */
function askOnce(region: HTMLElement, boxes: readonly DOMRect[]): HasAction {
  const known = new Map<string, boolean>();
  return (x, y) => {
    const key = `${x} ${y}`;
    const isKnown = known.get(key);
    if (isKnown !== undefined) return isKnown;
    const isNear = boxes.some(
      ({ left, right, top, bottom }) =>
        x > left - REACH_PX && x < right + REACH_PX && y > top - REACH_PX && y < bottom + REACH_PX,
    );
    const hasAction = isNear && actionAt(region, x, y);
    known.set(key, hasAction);
    return hasAction;
  };
}

function actionAt(region: HTMLElement, x: number, y: number): boolean {
  const under = document.elementsFromPoint(x, y).find((element) => !region.contains(element));
  return under?.closest(ACTIONS) != null;
}
