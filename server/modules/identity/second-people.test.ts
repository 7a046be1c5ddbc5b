import { describe, expect, test } from 'vitest';
import { processorMs } from '#test/processor-time.ts';
import { oneUntil } from './second-people.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 10, 26, hour));
const link = (causedBy: string, userId: string, hour: number) => ({
  causedBy,
  userId,
  until: at(hour),
});

describe('the time until which two people count as one', () => {
  test.each([
    ['nobody', [], null],
    ['another way round', [link('b', 'a', 9)], null],
    ['the person', [link('a', 'b', 9)], at(9)],
    ['who let the person in', [link('a', 'c', 9), link('c', 'b', 7)], at(7)],
    [
      'two ways, the one that ends last',
      [link('a', 'b', 5), link('a', 'c', 9), link('c', 'b', 7)],
      at(7),
    ],
    ['the person twice', [link('a', 'b', 5), link('a', 'b', 8)], at(8)],
    [
      'a circle',
      [link('a', 'c', 9), link('c', 'a', 9), link('c', 'd', 4), link('d', 'b', 6)],
      at(4),
    ],
  ])('where one let in %s', (_what, links, until) => {
    expect(oneUntil(links, 'a', 'b')).toEqual(until);
  });

  test('takes no longer for many ways: 200 people of whom each let in all after them', async () => {
    const people = Array.from({ length: 200 }, (_, number) => String(number));
    const links = people.flatMap((causedBy, number) =>
      people.slice(number + 1).map((userId) => link(causedBy, userId, (23 + number * 7) % 24)),
    );
    const usedMs = await processorMs(() => {
      expect(oneUntil(links, '0', '199')).toEqual(at(23));
      expect(oneUntil(links, '199', '0')).toBeNull();
    });
    // It takes 10 ms. To follow each of the ways would take forever.
    expect(usedMs).toBeLessThan(1_000);
  });
});
