import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { PayoutFile, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { scheduleBill, takeBills } from '#server/modules/payments/index.ts';
import { businessChecks } from '#server/modules/verification/index.ts';
import { openTestApp } from './app.ts';
import type { TestApp } from './app.ts';
import { BANK_DAY, BankDesk } from './bank-desk.ts';
import { outsidePayee } from './factories/bills.ts';
import { createPayee, expectSoundMoney, withdrawalIn } from './factories/money.ts';
import { createAdmin } from './factories/people.ts';
import type { TestPerson } from './factories/people.ts';
import { problemsIn } from './sound-books.ts';

const DAY_MS = 86_400_000;
const CHECKS = businessChecks.filter(({ name }) =>
  /^(?:withdrawal|bill|payout|micro|settlement|posting|transaction|system|bank-)/.test(name),
);

interface Company {
  app: TestApp;
  admin: TestPerson;
  other: TestPerson;
  /** Cookie of the administrator, who has confirmed that it is them. */
  cookie: string;
  desk: BankDesk;
}

/**
 * A company that pays by NACHA files and reads statements, for the tests of one file. After each test its money and its
 * books are sound.
 *
 * @param onOpen given the company, before the first test
 */
export function payoutLinesFixture(onOpen: (company: Company) => void) {
  let app: TestApp;
  let admin: TestPerson;
  let cookie: string;
  let desk: BankDesk;
  let keys = 0;
  beforeAll(async () => {
    app = await openTestApp();
    admin = await createAdmin(app.db, app.services, { firstName: 'Renee', lastName: 'Albright' });
    const other = await createAdmin(app.db, app.services, {
      firstName: 'Theo',
      lastName: 'Marchetti',
    });
    cookie = await app.cookieOf(admin, { isConfirmed: true });
    desk = new BankDesk(app, cookie);
    await app.db
      .updateTable('companySettings')
      .set({
        payoutCoolingHours: 0,
        payoutFormat: 'nacha',
        payoutBankName: 'Northgate',
        payoutRoutingNumber: '084207311',
        payoutAccountNumber: '00964410',
        payoutCompanyId: '1912345678',
      })
      .execute();
    onOpen({ app, admin, other, cookie, desk });
  });
  afterEach(() => expectSoundMoney(app.db));
  afterEach(() => expectSoundBooks());
  afterAll(() => app.close());

  const expectSoundBooks = async () => {
    expect(await withTx(app.db, (tx) => problemsIn(tx, CHECKS))).toEqual([]);
  };

  async function ask<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    keys += 1;
    const request = { cookie, key: `bank-line-${keys}`, ...(body !== undefined && { body }) };
    const response = await app.ask(method, `/api/admin/payouts${path}`, request);
    return (await response.json()) as Reply;
  }

  async function approved(amountMinor: bigint) {
    const payee = await createPayee(app.db, app.services, {
      admin: admin.by,
      fundedMinor: 100_000n,
    });
    const input = { payee, admin: admin.by, status: 'approved', amountMinor } as const;
    return { payee, id: (await withdrawalIn(app.db, app.services, input)).id };
  }

  /** A bill to a business, which can leave today. */
  async function dueBill(amountMinor: bigint) {
    const { by, wallet } = await createPayee(app.db, app.services, {
      admin: admin.by,
      fundedMinor: 100_000n,
    });
    const payeeId = await outsidePayee(app.db, app.services, by, { name: 'Puget Power & Light' });
    const input = { walletId: wallet.id, payeeId, payOn: BANK_DAY, dueOn: null, memo: 'December' };
    const { id } = await withTx(app.db, (tx) =>
      scheduleBill(tx, app.services, by, { ...input, amount: money(amountMinor, 'USD') }),
    );
    // The next banking day may be after a holiday.
    const clock = { now: () => new Date(Date.now() + 5 * DAY_MS) };
    await takeBills(app.db, { clock });
    return id;
  }

  /** A file that was made and sent. */
  async function sent(
    withdrawalIds: string[],
    billIds: string[] = [],
    bankAccountIds: string[] = [],
  ): Promise<PayoutFile> {
    const { id } = await ask<PayoutFile>('POST', '', { withdrawalIds, billIds, bankAccountIds });
    await ask('POST', `/${id}/download`);
    const file = await ask<PayoutFile>('POST', `/${id}/send`);
    expect(file).toMatchObject({ status: 'sent' });
    return file;
  }
  const fileOf = ({ number }: Pick<PayoutFile, 'number'>) =>
    ask<RouteReply<'adminGetPayoutFile'>>('GET', `/${number}`);
  const asItem = ({ id }: Pick<PayoutFile, 'id'>, minor: bigint) => ({
    kind: 'payout_file',
    itemId: id,
    minor: String(minor),
  });
  const groupsOf = async () =>
    ((await desk.bank()).position.onItsWay?.groups ?? []).map(({ group, amount, names }) => [
      group,
      amount.minor,
      ...names,
    ]);
  /** Balances of clearing accounts by their codes, in minor units. */
  async function clearing() {
    const { rows } = await sql<{ code: string; minor: bigint }>`
      SELECT code, posted AS minor FROM ledger_account
       WHERE code IN ('payouts_in_transit', 'payout_clearing', 'bill_clearing') ORDER BY code`.execute(
      app.db,
    );
    return Object.fromEntries(rows.map(({ code, minor }) => [code, minor]));
  }
  const matchRest = async () => {
    for (const line of await desk.lines()) {
      await desk.match(line, [{ kind: 'own', itemId: null, minor: line.amount.minor }]);
    }
  };
  return { ask, approved, dueBill, sent, fileOf, asItem, groupsOf, clearing, matchRest };
}
