import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WITHDRAWAL_STATUSES } from '#contract/statuses.ts';
import type { Thing } from '#contract/things/thing.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
});
afterAll(() => company.close());

const NOT_SO = { code: '23514', constraint: 'withdrawal_status_change' };

describe.each(WITHDRAWAL_STATUSES)('a withdrawal that is %s', (from) => {
  test.each(WITHDRAWAL_STATUSES)('becomes %s only as the contract lets it', async (to) => {
    const acts: Thing['acts'] = withdrawal.acts;
    const isLegal = Object.values(acts).some((act) => act.to === to && act.from.includes(from));
    const refused = await company.refusal((tx) =>
      sql`UPDATE withdrawal SET status = ${to} WHERE id = ${company.withdrawals[from]}`.execute(tx),
    );
    if (isLegal) expect(refused).not.toEqual(NOT_SO);
    else expect(refused).toEqual(NOT_SO);
  });
});
