import { expect, test } from 'vitest';
import { stillCoolingOff } from './payable-from.ts';

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

test('a wait is shown while it lasts', () => {
  const later = inMs(60_000);
  expect(stillCoolingOff({ payableFrom: later })).toBe(later);
  expect(stillCoolingOff({ payableFrom: inMs(-1) })).toBeNull();
  expect(stillCoolingOff({ payableFrom: null })).toBeNull();
});
