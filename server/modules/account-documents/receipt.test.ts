import { describe, expect, it } from 'vitest';
import { receiptId } from '#contract/account-documents.ts';
import { firstView } from '#contract/list.ts';
import { receiptList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { historyScope } from '#server/modules/history/index.ts';
import { setTimeZone } from '#server/modules/ledger/index.ts';
import { readSettings, updateSettings } from '#server/modules/settings/index.ts';
import { withdrawalActs } from '#server/modules/withdrawals/index.ts';
import {
  accountDocumentsFixture,
  factOf,
  minorOf,
  NOT_FOUND,
} from '#test/account-documents-fixture.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { ownReceipts } from './receipt-list.ts';

let db: Db;
let admin: CommandContext;
let maya: Payee;
const { services, at, make, deposit, newestTransaction } = accountDocumentsFixture((company) => {
  ({ db, admin, maya } = company);
});

describe('a receipt', () => {
  it('has the amount, the balance after it, and the fee of a deposit', async () => {
    at('2025-11-05T15:00:00.000Z');
    const receipt = await make(receiptId(`${await deposit(30_000n)}.salary`));
    expect(receipt).toMatchObject({
      title: 'Receipt',
      lead: { label: 'Money in', amount: money(30_000n, 'USD'), isSigned: true },
    });
    expect(factOf(receipt, 'Processed by')).toBe('Renee Albright');
    expect(factOf(receipt, 'Balance after')).toMatchObject({ amount: money(530_000n, 'USD') });
    expect(minorOf(receipt.tables[0]?.total?.[2])).toBe(30_000n);
  });

  it("has the company's registered name and address", async () => {
    await withTx(db, (tx) =>
      updateSettings(
        tx,
        services,
        { actor: 'system' },
        { legalName: 'Tallis & Reed, Inc.', mailingAddress: '418 Mercer Street\nSeattle' },
      ),
    );
    expect((await make(receiptId(`${await deposit(100n)}.salary`))).company).toEqual({
      name: 'Tallis & Reed, Inc.',
      address: ['418 Mercer Street', 'Seattle'],
    });
  });

  it('names the reversal of a withdrawal that came back', async () => {
    at('2025-11-05T15:00:00.000Z');
    await withdrawalIn(db, services, { payee: maya, admin, status: 'returned' });
    const { items } = await receipts({});
    expect(items.map(({ amount }) => amount.minor)).toEqual(['40000', '-40000']);
    const receipt = await make(items[1]?.documentId ?? '');
    expect(factOf(receipt, 'Reversed by')).toBe(items[0]?.reference);
  });

  it('has the day a withdrawal left the bank, and the bank’s reference', async () => {
    at('2025-11-05T15:00:00.000Z');
    const { id } = await withdrawalIn(db, services, { payee: maya, admin, status: 'processing' });
    at('2025-11-06T15:00:00.000Z');
    const entered = { leftBankOn: '2025-11-05', bankReference: 'ACH 2311' };
    await withTx(db, (tx) => withdrawalActs.complete(tx, services, admin, { id, ...entered }));
    const receipt = await make(receiptId(`${await newestTransaction()}.salary`));
    expect(factOf(receipt, 'Date')).toContain('Nov 6, 2025');
    expect(factOf(receipt, 'Left the bank on')).toBe('Nov 5, 2025');
    expect(factOf(receipt, 'Bank reference')).toBe('ACH 2311');
  });

  it('does not exist for an event that is not posted, for payroll, or for another person', async () => {
    const payroll = await newestTransaction();
    await expect(make(receiptId(`${payroll}.salary`))).rejects.toMatchObject(NOT_FOUND);
    const { id } = await withdrawalIn(db, services, { payee: maya, admin, status: 'pending' });
    await expect(make(receiptId(`${id}.salary`))).rejects.toMatchObject(NOT_FOUND);
    const own = receiptId(`${await deposit(30_000n)}.salary`);
    const other = await createPayee(db, services, { admin, fundedMinor: 100n });
    await expect(make(own, other)).rejects.toMatchObject(NOT_FOUND);
    await expect(make(own.replace('.salary', '.irs'))).rejects.toMatchObject(NOT_FOUND);
  });

  it('is listed by days of the company', async () => {
    at('2025-11-01T03:59:59.000Z');
    await deposit(101n);
    at('2025-11-01T04:00:00.000Z');
    await deposit(202n);
    const amounts = async (span: { from?: string; to?: string }) =>
      (await receipts(span)).items.map(({ amount }) => amount.minor);
    expect(await amounts({})).toEqual(['202', '101']);
    expect(await amounts({ from: '2025-11-01' })).toEqual(['202']);
    expect(await amounts({ to: '2025-10-31' })).toEqual(['101']);
  });

  it('is counted as it is listed, in whole months and in others', async () => {
    await withTx(db, (tx) => setTimeZone(tx, 'America/New_York'));
    const times = ['2025-11-01T03:59', '2025-11-01T04:00', '2025-12-01T04:59', '2025-12-01T05:00'];
    for (const time of times) {
      at(`${time}:00.000Z`);
      await deposit(101n);
    }
    const scope = await historyScope(db, maya.by.actor.id, await readSettings(db));
    for (const [span, expected] of [
      [{}, 4],
      [{ from: '2025-10-01', to: '2025-10-31' }, 1],
      [{ from: '2025-11-01', to: '2025-12-31' }, 3],
      [{ from: '2025-11-01', to: '2025-11-29' }, 1],
      [{ from: '2025-11-02', to: '2025-11-30' }, 1],
      [{ from: '2025-12-01' }, 1],
      [{ to: '9999-12-31' }, 4],
      [{ from: '2026-02-01', to: '2026-02-28' }, 0],
    ] as const) {
      const { items } = await receipts(span);
      const { total } = await ownReceipts.count(db, { ...firstView(receiptList), ...span }, scope);
      expect([items.length, total], JSON.stringify(span)).toEqual([expected, expected]);
    }
  });

  async function receipts(span: { from?: string; to?: string }) {
    const scope = await historyScope(db, maya.by.actor.id, await readSettings(db));
    return ownReceipts.page(db, { ...firstView(receiptList), pageSize: 100, ...span }, scope);
  }
});
