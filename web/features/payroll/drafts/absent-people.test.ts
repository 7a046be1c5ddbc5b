import { expect, it } from 'vitest';
import type { PayrollFileCheck } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { AbsentChoice } from '#contract/payroll-file.ts';
import { openAbsent, sumOfChoice } from './absent-people.tsx';
import type { AbsentChoices } from './use-file-amounts.ts';

const usd = (minor: bigint) => money(minor, 'USD');
/** Five people were paid 15.00 in all, of whom the reply names two with 1.00 and 2.00. */
const check = {
  counts: { absent: 5 },
  absent: [
    { id: 'a', last: usd(100n) },
    { id: 'b', last: usd(200n) },
  ],
  absentLast: usd(1_500n),
} as unknown as PayrollFileCheck;
const choices = (named: Record<string, AbsentChoice>, rest?: AbsentChoice): AbsentChoices => ({
  named: new Map(Object.entries(named)),
  rest,
});

it.each([
  [choices({}), 5, 0, 0n],
  [choices({ a: 'last' }), 4, 1, 100n],
  [choices({ a: 'last', b: 'out' }), 3, 1, 100n],
  [choices({}, 'out'), 0, 0, 0n],
  [choices({ b: 'last' }, 'out'), 0, 1, 200n],
  [choices({}, 'last'), 0, 5, 1_500n],
  [choices({ a: 'sheet' }, 'last'), 0, 4, 1_400n],
])('choices %# leave %i open and pay %i as last time', (chosen, open, people, minor) => {
  expect(openAbsent(check, chosen)).toBe(open);
  expect(sumOfChoice(check, chosen, 'last')).toEqual({ people, minor });
});
