import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { payslipId } from '#contract/account-documents.ts';
import type { FundingType } from '#contract/funding.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { postPayroll, reverseLine } from '#server/modules/payroll/index.ts';
import {
  accountDocumentsFixture,
  factOf,
  minorOf,
  NOT_FOUND,
} from '#test/account-documents-fixture.ts';
import { fundAsSeen } from '#test/factories/payroll.ts';
import { draftOwnAmounts, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import { createPayee, fundedWallet } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { listAccountDocuments } from './list.ts';

let db: Db;
let admin: CommandContext;
let maya: Payee;
const { services, at, make, scopeOf } = accountDocumentsFixture((company) => {
  ({ db, admin, maya } = company);
});

describe('a payslip', () => {
  const paid = async (by = maya.by) =>
    (await listAccountDocuments(db, await scopeOf(by), null)).payslips;
  /** Takes a part of a payslip's payment back, of which that much is left. */
  const reversePart = (id: string, minor: bigint, left: bigint) =>
    withTx(db, (tx) =>
      reverseLine(tx, services, admin, {
        id: id.split('.')[1] ?? '',
        amount: money(minor, 'USD'),
        left: money(left, 'USD'),
        reason: 'paid_twice',
        message: 'Paid by mistake.',
      }),
    );

  it("has the line's payment, and payroll's payments into each account in the year up to it", async () => {
    at('2025-11-07T15:00:00.000Z');
    await fundedWallet(db, services, maya.by, 30_000n, 'savings');
    const { items, total, totalPaid } = await paid();
    expect({ total, totalPaid }).toEqual({ total: 2, totalPaid: money(530_000n, 'USD') });
    const [savings, salary] = items;

    const payslip = await make(savings?.id ?? '');
    expect(payslip).toMatchObject({ title: 'Payslip', subtitle: 'Pay date November 7, 2025' });
    expect(payslip.lead).toMatchObject({ amount: money(30_000n, 'USD') });
    expect(payslip.tables[0]?.rows.map((row) => [row[2], minorOf(row[3])])).toEqual([
      ['', 500_000n],
      [{ amount: money(30_000n, 'USD'), isSigned: false }, 30_000n],
    ]);
    expect(payslip.tables[0]?.total?.slice(2).map(minorOf)).toEqual([30_000n, 530_000n]);
    // The earlier payslip stays as it was.
    const earlier = await make(salary?.id ?? '');
    expect(earlier.tables[0]?.total?.slice(2).map(minorOf)).toEqual([500_000n, 500_000n]);
  });

  it('exists for a person paid only by individual funding, under its own kind', async () => {
    const sam = await createPayee(db, services, { admin, fundedMinor: 0n });
    const fund = (type: FundingType, minor: bigint, description = '') =>
      fundAsSeen(db, services, admin, {
        id: sam.by.actor.id,
        type,
        walletId: sam.wallet.id,
        description,
        amount: money(minor, 'USD'),
      });
    at('2025-11-10T15:00:00.000Z');
    await fund('bonus', 50_001n, 'First quarter');
    at('2025-11-12T15:00:00.000Z');
    await fund('reimbursement', 18_620n, 'Portland');

    const { items, totalPaid, reimbursed } = await paid(sam.by);
    expect(items.map(({ kind, amount }) => [kind, amount.minor])).toEqual([
      ['Reimbursement', '18620'],
      ['Bonus', '50001'],
    ]);
    expect([totalPaid, reimbursed]).toEqual([money(68_621n, 'USD'), money(18_620n, 'USD')]);

    const payslip = await make(items[0]?.id ?? '', sam);
    expect(payslip.lead.label).toBe('Reimbursement to Salary Wallet');
    expect(factOf(payslip, 'Kind')).toBe('Reimbursement');
    const table = (title: string) => payslip.tables.find((one) => one.title === title);
    const year = (title: string) => minorOf(table(title)?.total?.at(-1));
    expect(year('Paid into your accounts')).toBe(68_621n);
    expect(table('Earnings')?.rows.map(([kind]) => kind)).toEqual(['Bonus']);
    expect(year('Earnings')).toBe(50_001n);
    expect(year('Reimbursements, not earnings')).toBe(18_620n);
    expect(table('Individual funding this year')?.rows.map(([words]) => words)).toEqual([
      'Bonus, First quarter',
      'Reimbursement, Portland',
    ]);
    // The bonus was paid before anything was reimbursed.
    const earlier = await make(items[1]?.id ?? '', sam);
    expect(earlier.tables.map(({ title }) => title)).not.toContain('Reimbursements, not earnings');

    // A part of the bonus is taken back before the next funding.
    await reversePart(items[1]?.id ?? '', 20_001n, 50_001n);
    at('2025-11-14T15:00:00.000Z');
    await fund('bonus', 700n, 'Second quarter');
    const later = await make((await paid(sam.by)).items[0]?.id ?? '', sam);
    const fundings = later.tables.find((one) => one.title === 'Individual funding this year');
    expect(fundings?.rows.map((row) => minorOf(row.at(-1)))).toEqual([30_000n, 18_620n, 700n]);
  });

  it('shows the breakdown of the payroll provider, which Purser did not compute', async () => {
    const draft = await draftOwnAmounts(db, admin.actor, new Map([[maya.by.actor.id, 29_725n]]));
    const breakdown = [
      ['Gross_Pay', '39100'],
      ['Federal tax', '6375'],
      ['Pension', '3000'],
    ];
    await sql`UPDATE payroll_draft_person SET breakdown = ${JSON.stringify(breakdown)}::jsonb
               WHERE draft_id = ${draft.id}`.execute(db);
    const { id: batchId } = await sendDraftAsSeen(db, admin.actor, draft.id, services);
    await postPayroll(db, services, batchId);
    const [item, former] = (await paid()).items;
    const payslip = await make(item?.id ?? '');
    const table = payslip.tables.find(
      ({ title }) => title === 'As computed by the payroll provider',
    );
    expect(table?.rows.map(([name, amount]) => [name, minorOf(amount)])).toEqual([
      ['Gross_Pay', 39_100n],
      ['Federal tax', -6_375n],
      ['Pension', -3_000n],
    ]);
    expect(minorOf(table?.total?.[1])).toBe(29_725n);
    expect(payslip.lead.amount).toEqual(money(29_725n, 'USD'));
    const without = await make(former?.id ?? '');
    expect(without.tables.map(({ title }) => title)).not.toContain(table?.title);
  });

  it('counts a year by the calendar of the company', async () => {
    at('2026-01-01T04:59:59.000Z'); // the 31st in New York
    await fundedWallet(db, services, maya.by, 30_000n, 'savings');
    at('2026-01-01T05:00:00.000Z');
    await fundedWallet(db, services, maya.by, 7_000n, 'irs');
    const { items } = await paid();
    expect(items.map(({ amount }) => amount.minor)).toEqual(['7000']);
    const payslip = await make(items[0]?.id ?? '');
    expect(payslip.tables[0]?.total?.slice(2).map(minorOf)).toEqual([7_000n, 7_000n]);
  });

  it('says that the line was reversed, and leaves it out of the sums', async () => {
    const id = (await paid()).items[0]?.id ?? '';
    at('2025-11-03T15:00:00.000Z');
    await reversePart(id, 100_000n, 500_000n);
    expect(await paid()).toMatchObject({
      items: [
        { amount: money(500_000n, 'USD'), reversed: money(100_000n, 'USD'), isReversed: false },
      ],
      totalPaid: money(400_000n, 'USD'),
    });
    const partly = await make(id);
    expect(partly.notice).toBe('$1,000.00 of this payment was taken back on Nov 3, 2025.');
    expect(minorOf(factOf(partly, 'Left of this payment'))).toBe(400_000n);
    expect(minorOf(factOf(partly, 'Taken back'))).toBe(100_000n);
    await reversePart(id, 400_000n, 400_000n);
    expect(await paid()).toMatchObject({
      items: [{ isReversed: true }],
      totalPaid: money(0n, 'USD'),
    });
    const payslip = await make(id);
    expect(factOf(payslip, 'Taken back on')).toBe('Nov 3, 2025');
    expect(payslip.notice).toBe('This payment was taken back on Nov 3, 2025.');
    // The sums of the payslip itself stay those of its day.
    expect(payslip.tables[0]?.total?.slice(2).map(minorOf)).toEqual([500_000n, 500_000n]);
  });

  it("is not found for another person's line, or an unknown one", async () => {
    const id = (await paid()).items[0]?.id ?? '';
    const other = await createPayee(db, services, { admin, fundedMinor: 100n });
    await expect(make(id, other)).rejects.toMatchObject(NOT_FOUND);
    await expect(make(payslipId(newId()))).rejects.toMatchObject(NOT_FOUND);
    expect((await make(id)).lead.amount.minor).toBe('500000');
  });
});
