import { describe, expect, test } from 'vitest';
import { MAX_IMAGE_BYTES } from '#contract/kyc.ts';
import { doubtSentence, imageProblem, judgeLuma } from './image-check.ts';

describe('imageProblem', () => {
  test.each(['image/jpeg', 'image/png', 'image/webp'])('takes %s of 5 MB', (type) => {
    expect(imageProblem({ type, size: MAX_IMAGE_BYTES })).toBeUndefined();
  });

  test.each(['image/svg+xml', 'image/gif', 'application/pdf', ''])('refuses %j', (type) => {
    expect(imageProblem({ type, size: 1 })).toBe(
      'Please select a valid image file (JPEG, PNG, or WebP)',
    );
  });

  test('refuses a byte more', () => {
    const size = MAX_IMAGE_BYTES + 1;
    expect(imageProblem({ type: 'image/png', size })).toBe('Image size must be less than 5MB');
  });
});

const SIDE = 60;

function picture(draw: (x: number, y: number) => number): Uint8ClampedArray {
  return Uint8ClampedArray.from({ length: SIDE * SIDE }, (_, i) =>
    draw(i % SIDE, Math.floor(i / SIDE)),
  );
}

/** Print: black strokes on grey paper. */
const print = (x: number, y: number) => ((x + (y % 4)) % 6 < 2 ? 20 : 210);
const isInSpot = (x: number, y: number) => x < 18 && y < 18;

describe('judgeLuma', () => {
  test.each([
    ['sharp print', print, []],
    ['a smooth shade', (x: number) => 100 + x, ['blurred']],
    ['print in the dark', (x: number, y: number) => print(x, y) / 4, ['dark']],
    ['a bright spot', (x: number, y: number) => (isInSpot(x, y) ? 255 : print(x, y)), ['glare']],
    ['print on white paper', (x: number, y: number) => (print(x, y) > 100 ? 255 : 20), []],
  ] as const)('%s', (_, draw, doubts) => {
    expect(judgeLuma(picture(draw), SIDE, SIDE)).toEqual(doubts);
  });
});

test('doubts read as one sentence', () => {
  expect(doubtSentence(['blurred', 'glare'])).toBe(
    'This image may be hard to read: it looks blurred and there is glare on it. You can replace it or keep it.',
  );
});
