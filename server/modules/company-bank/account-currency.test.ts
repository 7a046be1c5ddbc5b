import { describe, expect, it } from 'vitest';
import { addDays } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { openTestApp } from '#test/app.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createAdmin, createPersonBy } from '#test/factories/people.ts';
import { BANK_DAY, BankDesk, csvStatement } from '#test/bank-desk.ts';
import { findOpenBefore } from './items.ts';

const IBAN = 'DE89370400440532013000';

describe('an account from before the company changed its currency', () => {
  it('is in no sum of the company, and its lines are matched with no item in another currency', async () => {
    const changed = await openTestApp();
    try {
      const by = await createAdmin(changed.db, changed.services, { firstName: 'Renee' });
      const before = new BankDesk(changed, await changed.cookieOf(by));
      await before.addAccount(IBAN);
      await before.book([['WIRE IN', 45_000n]]);
      await changed.db.updateTable('companySettings').set({ currency: 'EUR' }).execute();
      await offerDeposits(changed.db, changed.services);
      const person = await createPersonBy(changed.db, { firstName: 'Keiko', lastName: 'Tanabe' });
      const to = await fundedWallet(changed.db, changed.services, person, 45_000n, 'savings');
      const { id } = await withTx(changed.db, async (tx) => {
        const amount = money(45_000n, 'EUR');
        const order = { walletId: to.id, method: 'ach', amount } as const;
        const asked = await requestDeposit(tx, changed.services, person, order);
        return depositActs.approve(tx, changed.services, by.by, { id: asked.id });
      });
      const { position } = await before.bank();
      expect(position).toMatchObject({ atBank: null, difference: null, openLines: 0 });
      const line = await before.open('WIRE IN');
      expect(line).toMatchObject({ amount: money(45_000n, 'USD'), suggestion: null });
      expect(await before.candidates(line)).toEqual([]);
      const items = [{ kind: 'deposit', itemId: id, minor: '45000' }];
      expect(await before.match(line, items)).toMatchObject({ code: 'bank_item_not_found' });
    } finally {
      await changed.close();
    }
  });

  it('does not hide what is open where the ledger had no account at the first statement', async () => {
    const fresh = await openTestApp();
    try {
      const by = await createAdmin(fresh.db, fresh.services, { firstName: 'Renee' });
      const first = new BankDesk(fresh, await fresh.cookieOf(by));
      await first.addAccount(IBAN);
      await first.book([['WIRE IN', 45_000n]]);
      await offerDeposits(fresh.db, fresh.services);
      const person = await createPersonBy(fresh.db, { firstName: 'Keiko', lastName: 'Tanabe' });
      const to = await fundedWallet(fresh.db, fresh.services, person, 45_000n, 'savings');
      await withTx(fresh.db, async (tx) => {
        const order = { walletId: to.id, method: 'ach', amount: money(700n, 'USD') } as const;
        const asked = await requestDeposit(tx, fresh.services, person, order);
        await depositActs.approve(tx, fresh.services, by.by, { id: asked.id });
      });
      const before = new Date(Date.now() + 1_000);
      const scope = { timeZone: 'America/New_York', currency: 'USD', before };
      const open = await findOpenBefore(fresh.db, scope);
      expect(open.map(({ kind }) => kind)).toContain('deposit');

      // The newest statement is that of the last day, whenever it was imported.
      const second = new BankDesk(fresh, await fresh.cookieOf(by));
      await second.addAccount('NL26VAYB8060476890');
      const former = addDays(BANK_DAY, -3);
      await second.load(csvStatement(0n, [['WIRE IN', 700n]], former));
      const { statements } = await first.bank();
      expect(statements.map(({ to: day }) => day)).toEqual([BANK_DAY, former]);
    } finally {
      await fresh.close();
    }
  });
});
