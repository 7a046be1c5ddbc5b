import { expect, test } from 'vitest';
import { zoneName } from './time-zones.ts';

test.each([
  ['America/New_York', 'EST', 'EDT'],
  ['Europe/London', 'GMT', 'BST'],
  ['Europe/Lisbon', 'WET', 'WEST'],
  ['Europe/Berlin', 'CET', 'CEST'],
  ['Europe/Sofia', 'EET', 'EEST'],
  ['Asia/Nicosia', 'EET', 'EEST'],
  ['Asia/Tokyo', 'GMT+9', 'GMT+9'],
])('%s is called %s in winter and %s in summer', (zone, winter, summer) => {
  expect(zoneName(new Date('2027-01-15T12:00:00Z'), zone)).toBe(winter);
  expect(zoneName(new Date('2027-07-15T12:00:00Z'), zone)).toBe(summer);
});
