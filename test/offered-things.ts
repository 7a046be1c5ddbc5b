import { money } from '#contract/money.ts';
import { WITHDRAWAL_STATUSES } from '#contract/statuses.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { enterBankAccount, bankAccountActs } from '#server/modules/bank-accounts/index.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { deactivatePerson } from '#server/modules/identity/index.ts';
import { payOutLeaver, withdrawalActs } from '#server/modules/withdrawals/index.ts';
import { makeBills, outsidePayee } from './factories/bills.ts';
import { offerDeposits } from './factories/deposits.ts';
import {
  bankDetails,
  createPayee,
  fundedWallet,
  pendingBank,
  verifiedBank,
  withdrawalIn,
  KNOWN,
} from './factories/money.ts';
import type { Payee } from './factories/money.ts';
import { createPersonBy } from './factories/people.ts';
import type { createTestServices } from './factories/services.ts';

type TestServices = ReturnType<typeof createTestServices>;

/** Withdrawals, deposits, bills and bank accounts in each status, and those who act on them. */
export interface OfferedThings {
  /** She did every earlier act on the things. */
  renee: CommandContext;
  priya: CommandContext;
  /** Owner of the things. She reads them as an administrator as well. */
  maya: Payee;
  /** A payee without a bill, to which bills can be changed. */
  otherPayeeId: string;
  /** Bill that the bank sent back, and the payee of the other bills. */
  sentBack: { billId: string; payeeId: string };
}

interface Maker {
  db: Db;
  services: TestServices;
  renee: CommandContext;
  priya: CommandContext;
  maya: Payee;
  run: <Reply>(work: (tx: Tx) => Promise<Reply>) => Promise<Reply>;
}

export async function makeOfferedThings(db: Db, services: TestServices): Promise<OfferedThings> {
  await offerDeposits(db, services);
  const renee = await createPersonBy(db, {
    role: 'admin',
    firstName: 'Renee',
    lastName: 'Albright',
  });
  const priya = await createPersonBy(db, { role: 'admin', firstName: 'Priya', lastName: 'Nair' });
  // A third one, so that all duties can be in force.
  await createPersonBy(db, { role: 'admin', firstName: 'Theo', lastName: 'Marchetti' });
  const maya = await createPayee(db, services, { admin: renee, fundedMinor: 10_000_000n });
  const run: Maker['run'] = (work) => withTx(db, work);
  const maker = { db, services, renee, priya, maya, run };
  await makeWithdrawals(maker);
  await makeDeposits(maker);
  await makeBankAccounts(maker);
  await makeThingsOfLeaver(maker);
  return { renee, priya, maya, ...(await makeBillsOfMaya(maker)) };
}

async function makeWithdrawals({ db, services, renee, maya, run }: Maker) {
  const bank = await verifiedBank(db, services, { owner: maya.by, admin: renee });
  const returned = { payee: { ...maya, bank }, admin: renee, status: 'returned' } as const;
  await withdrawalIn(db, services, returned);
  // Requested after that return.
  services.clock.set(new Date(services.clock.now().getTime() + 1_000).toISOString());
  for (const status of WITHDRAWAL_STATUSES.filter((one) => one !== 'returned')) {
    await withdrawalIn(db, services, { payee: maya, admin: renee, status });
  }
  // One that is approved and cannot be sent, because the bank sent another one back.
  const other = await verifiedBank(db, services, { owner: maya.by, admin: renee });
  const payee = { ...maya, bank: other };
  const { id } = await withdrawalIn(db, services, { payee, admin: renee, status: 'completed' });
  await withdrawalIn(db, services, { payee, admin: renee, status: 'approved' });
  await run((tx) => withdrawalActs.return(tx, services, renee, { id, reason: 'Closed' }));
}

async function makeBillsOfMaya({ db, services, renee, maya }: Maker) {
  const bills = await makeBills(db, services, { payee: maya, admin: renee });
  const due = db.selectFrom('bill').select('payeeId').where('id', '=', bills.due);
  const { payeeId } = await due.executeTakeFirstOrThrow();
  return {
    otherPayeeId: await outsidePayee(db, services, maya.by, { name: 'Harbor Power' }),
    sentBack: { billId: bills.returned, payeeId },
  };
}

async function makeDeposits({ db, services, renee, maya, run }: Maker) {
  const request = (tx: Tx, method: 'ach' | 'mobile_check') => {
    const input = { walletId: maya.wallet.id, method, amount: money(500n, 'USD') };
    return requestDeposit(tx, services, maya.by, input);
  };
  await run(async (tx) => {
    await request(tx, 'ach');
    await request(tx, 'mobile_check');
    await depositActs.cancel(tx, services, maya.by, await request(tx, 'ach'));
    await depositActs.approve(tx, services, renee, await request(tx, 'ach'));
    const { id } = await request(tx, 'ach');
    await depositActs.reject(tx, services, renee, { id, reason: 'It did not arrive' });
  });
  const separate = (separateDepositMinor: bigint | null) =>
    db.updateTable('companySettings').set({ separateDepositMinor }).execute();
  await separate(1n);
  await run(async (tx) => {
    await depositActs.confirm(tx, services, renee, await request(tx, 'ach'));
  });
  await separate(null);
}

/** Besides those of the withdrawals: one that waits, one that was rejected, and one that nothing is paid to. */
async function makeBankAccounts({ db, services, renee, maya, run }: Maker) {
  await pendingBank(db, services, maya.by);
  const { id } = await pendingBank(db, services, maya.by);
  await run((tx) => bankAccountActs.reject(tx, services, renee, { id, reason: 'Names differ' }));
  await verifiedBank(db, services, { owner: maya.by, admin: renee });
}

/** Renee requested the money of a person without an approved identity, and entered another bank account. */
async function makeThingsOfLeaver({ db, services, renee, priya, run }: Maker) {
  const by = await createPersonBy(db, { firstName: 'Lena', lastName: 'Ostrow' });
  const personId = by.actor.id;
  await fundedWallet(db, services, by, 5_000n);
  await run((tx) => deactivatePerson(tx, services, renee, { id: personId, reason: 'Left' }));
  const enter = () =>
    run((tx) => enterBankAccount(tx, services, renee, { personId, account: bankDetails() }));
  const { id: bankAccountId } = await enter();
  await run((tx) =>
    bankAccountActs.verify(tx, services, priya, { id: bankAccountId, reason: KNOWN }),
  );
  await enter();
  const total = money(5_000n, 'USD');
  const payout = { personId, bankAccountId, total };
  await run((tx) => payOutLeaver(tx, services, renee, payout));
}
