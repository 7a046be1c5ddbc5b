import { expect, test } from 'vitest';
import { newId } from './ids.ts';

test('an id is a UUID of version 7 that begins with its time', () => {
  const id = newId(0x0123456789ab);
  expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ids created one after another sort in that order, also within a millisecond', () => {
  const now = Date.now();
  const ids = Array.from({ length: 1_000 }, (_, index) => newId(now + Math.floor(index / 500)));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('ids of a moment sort in the order of creation, whatever is created between them', () => {
  const began = Date.now();
  const ids = Array.from({ length: 200 }, (_, index) => {
    newId(began + 1 + index);
    return newId(began);
  });
  expect(ids.toSorted()).toEqual(ids);
});

test('more ids than a millisecond can count are different, and sort in the order of creation', () => {
  const ids = Array.from({ length: 10_000 }, () => newId(1));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});
