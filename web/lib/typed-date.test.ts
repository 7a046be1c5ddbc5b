import { describe, expect, test } from 'vitest';
import { parseTypedDate } from '#contract/typed-day.ts';
import { typedDate, typedDateProblem, typedDateWords } from './typed-date.ts';

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

describe('a day in words', () => {
  test.each([
    ['12/03/2026', 'Thursday, December 3, 2026 (month first)'],
    ['03.04.2026', 'Wednesday, March 4, 2026 (month first)'],
    ['3. 4. 2026', 'Wednesday, March 4, 2026 (month first)'],
    ['03/04/2026', 'Wednesday, March 4, 2026 (month first)'],
    ['03/03/2026', 'Tuesday, March 3, 2026'],
    ['12/31/2026', 'Thursday, December 31, 2026'],
    ['2026-03-04', 'Wednesday, March 4, 2026'],
    ['\u200e03/14/2030\u00a0', 'Thursday, March 14, 2030'],
  ])('%s reads as %s', (typed, words) => {
    expect(typedDateWords(typed)).toBe(words);
  });

  test.each([
    ['31.12.2026', 'Enter the month first: 12/31/2026'],
    ['13/12/2026', 'Enter the month first: 12/13/2026'],
    ['31/02/2026', 'Enter a date as MM/DD/YYYY'],
    ['13/13/2026', 'Enter a date as MM/DD/YYYY'],
    ['02/30/2026', 'This day does not exist'],
    ['01/01/0000', 'This day does not exist'],
  ])('%s is not turned: %s', (typed, problem) => {
    expect(typedDateWords(typed)).toBeUndefined();
    expect(typedDateProblem(typed)).toBe(problem);
  });
});
