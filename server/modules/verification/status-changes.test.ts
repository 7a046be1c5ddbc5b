import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WITHDRAWAL_STATUSES } from '#contract/statuses.ts';
import { withdrawalCan } from '#contract/withdrawals.ts';
import type { WithdrawalAction, WithdrawalStatus } from '#contract/withdrawals.ts';
import { openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
});
afterAll(() => company.close());

const NOT_SO = { code: '23514', constraint: 'withdrawal_status_change' };

/** Status to which each action leads; the database has a list of its own. */
const LEADS_TO: Record<WithdrawalAction, WithdrawalStatus> = {
  cancel: 'cancelled',
  approve: 'approved',
  reject: 'rejected',
  startProcessing: 'processing',
  complete: 'completed',
  stop: 'rejected',
  return: 'returned',
};

describe.each(WITHDRAWAL_STATUSES)('a withdrawal that is %s', (from) => {
  test.each(WITHDRAWAL_STATUSES)('becomes %s only as the contract lets it', async (to) => {
    const actions = Object.keys(LEADS_TO) as WithdrawalAction[];
    const isLegal = actions.some(
      (action) =>
        LEADS_TO[action] === to &&
        (withdrawalCan[action] as readonly WithdrawalStatus[]).includes(from),
    );
    const refused = await company.refusal((tx) =>
      sql`UPDATE withdrawal SET status = ${to} WHERE id = ${company.withdrawals[from]}`.execute(tx),
    );
    if (isLegal) expect(refused).not.toEqual(NOT_SO);
    else expect(refused).toEqual(NOT_SO);
  });
});
