import { describe, expect, test } from 'vitest';
import { INITIAL_VIEW, panned, rotated, transformOf, viewBoxOf, zoomed } from './image-view.ts';

const CARD = { width: 800, height: 500 };

describe('zoom', () => {
  test('goes from 0.5 to 3 in steps of 0.25', () => {
    let view = INITIAL_VIEW;
    const seen = [view.zoom];
    for (let step = 0; step < 12; step += 1) seen.push((view = zoomed(view, 1)).zoom);
    expect(seen.slice(0, 3)).toEqual([1, 1.25, 1.5]);
    expect(view.zoom).toBe(3);
    for (let step = 0; step < 12; step += 1) view = zoomed(view, -1);
    expect(view.zoom).toBe(0.5);
  });

  test('keeps the center in place', () => {
    const moved = panned({ ...INITIAL_VIEW, zoom: 2 }, CARD, 100, -40);
    expect(zoomed(moved, 1)).toMatchObject({ zoom: 2.25, x: 112.5, y: -45 });
  });
});

describe('rotation', () => {
  test('turns by quarters in both directions', () => {
    expect(rotated(INITIAL_VIEW, -1).degrees).toBe(270);
    expect(rotated(rotated(INITIAL_VIEW, -1), 1).degrees).toBe(0);
  });

  test('fits the rotated image', () => {
    expect(viewBoxOf(INITIAL_VIEW, CARD)).toBe('-400 -250 800 500');
    expect(viewBoxOf(rotated(INITIAL_VIEW, 1), CARD)).toBe('-250 -400 500 800');
  });
});

test('panning keeps the image in view', () => {
  expect(panned(INITIAL_VIEW, CARD, 10_000, -10_000)).toMatchObject({ x: 400, y: -250 });
});

test('the transform moves, then rotates, then scales', () => {
  const view = { zoom: 1.5, degrees: 90, x: 10, y: -5 };
  expect(transformOf(view)).toBe('translate(10 -5) rotate(90) scale(1.5)');
});
