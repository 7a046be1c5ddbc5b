import { describe, expect, test } from 'vitest';
import { parseTypedDate, typedDate } from './typed-date.ts';

describe('parseTypedDate', () => {
  test.each([
    ['03/14/2030', '2030-03-14'],
    ['3/4/2030', '2030-03-04'],
    ['3-4-2030', '2030-03-04'],
    [' 03.14.2030 ', '2030-03-14'],
    ['2030-03-14', '2030-03-14'],
    ['02/29/2024', '2024-02-29'],
  ])('reads %s', (typed, day) => {
    expect(parseTypedDate(typed)).toBe(day);
  });

  test.each(['', '02/30/2024', '02/29/2023', '14/03/2030', '3/14/30', '3/14', 'soon'])(
    'does not read %j',
    (typed) => {
      expect(parseTypedDate(typed)).toBeUndefined();
    },
  );

  test('writes what it reads', () => {
    expect(typedDate('2030-03-14')).toBe('03/14/2030');
    expect(parseTypedDate(typedDate('1991-12-01'))).toBe('1991-12-01');
  });
});
