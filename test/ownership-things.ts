import { randomUUID } from 'node:crypto';
import { payslipId } from '#contract/account-documents.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { loadOwnApplication } from '#server/modules/kyc/index.ts';
import { changeTransfers } from '#server/modules/transfers/index.ts';
import {
  billActs,
  createStandingBill,
  scheduleBill,
  takeBills,
} from '#server/modules/payments/index.ts';
import { askQuestion } from '#server/modules/questions/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import type { TestApp } from './app.ts';
import { outsidePayee } from './factories/bills.ts';
import { giveCheckImages } from './factories/deposits.ts';
import { depositsArrived } from './factories/payouts.ts';
import { fundAsSeen, proposedRecovery } from './factories/payroll.ts';
import { picture } from './factories/images.ts';
import { giveDocument } from './factories/kyc.ts';
import { pendingBank, withdrawalIn } from './factories/money.ts';
import type { Payee } from './factories/money.ts';
import type { TestPerson } from './factories/people.ts';

export type SignedIn<T> = T & { cookie: string };
export type Someone = SignedIn<Payee | TestPerson>;

interface Company {
  purser: TestApp;
  admin: CommandContext;
  /** Owners of the things. */
  owner: SignedIn<Payee>;
  /** A person whom the owner may pay. */
  colleagueId: string;
  /** A payee of each person. */
  payeeOf: ReadonlyMap<string, string>;
}

export const AMOUNT = money(1_000n, 'USD');

/** Makers of an employee's things, of each kind that an operation takes an id of. */
export function ownedThings({ purser, admin, owner, colleagueId, payeeOf }: Company) {
  const { db, services } = purser;
  const inDb = [db, services] as const;

  const pending = async () => {
    const order = {
      payee: owner,
      admin,
      amountMinor: 1_000n,
      status: 'pending',
    } as const;
    return (await withdrawalIn(...inDb, order)).id;
  };
  const payslip = async () => {
    const { id } = await db
      .selectFrom('payrollLine')
      .select('id')
      .where('userId', '=', owner.by.actor.id)
      .executeTakeFirstOrThrow();
    return payslipId(id);
  };
  /** The event of their history that payroll posted. */
  const paidEvent = async () => {
    const { ledgerTransactionId } = await db
      .selectFrom('payrollLine')
      .select('ledgerTransactionId')
      .where('userId', '=', owner.by.actor.id)
      .executeTakeFirstOrThrow();
    return `${ledgerTransactionId}.salary`;
  };
  const question = async () => {
    const body = { eventId: `${await pending()}.salary`, question: 'Why is it lower?' };
    return (await withTx(db, (tx) => askQuestion(tx, services, owner.by, body))).id;
  };
  const deposit = async () => {
    const method = 'mobile_check' as const;
    const body = { walletId: owner.wallet.id, method, amount: money(10_000n, 'USD') };
    return (await withTx(db, (tx) => requestDeposit(tx, services, owner.by, body))).id;
  };
  const checkImage = async () => {
    await giveCheckImages(...inDb, owner.by, await deposit());
    const { id } = await db
      .selectFrom('depositImage')
      .select('id')
      .where('userId', '=', owner.by.actor.id)
      .limit(1)
      .executeTakeFirstOrThrow();
    return id;
  };
  const avatar = async () => {
    const response = await purser.ask('POST', '/api/avatar', {
      cookie: owner.cookie,
      body: await picture('png'),
    });
    const { avatarUrl } = (await response.json()) as { avatarUrl: string };
    return avatarUrl.split('/').at(-1) ?? '';
  };
  const bankAccount = async () => (await pendingBank(...inDb, owner.by)).id;
  /** A bank account whose micro-deposits arrived some days ago. */
  const depositedAccount = async () => {
    const id = await bankAccount();
    await depositsArrived(...inDb, admin, id);
    return id;
  };
  const document = async ({ by }: Someone) =>
    (await giveDocument(...inDb, by, { type: 'id_front' })).id;
  const applicationOf = ({ by }: Someone) => loadOwnApplication(...inDb, by.actor.id);
  const application = async (holder: Someone) => (await applicationOf(holder)).id;
  const versionOf = async (holder: Someone) => ({ version: (await applicationOf(holder)).version });
  const savedPayee = async () => {
    const id = newId();
    const row = { id, userId: owner.by.actor.id, kind: 'colleague' as const };
    await db
      .insertInto('payee')
      .values({ ...row, colleagueId: colleagueId, createdAt: new Date() })
      .execute();
    return id;
  };
  const newest = async (table: 'authSession' | 'notification') => {
    const { id } = await db
      .selectFrom(table)
      .select('id')
      .where('userId', '=', owner.by.actor.id)
      .orderBy('createdAt', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return id;
  };
  const session = async () => {
    await purser.cookieOf(owner.by.actor);
    return newest('authSession');
  };

  const passkey = async () => {
    const { id } = await withTx(db, (tx) =>
      tx
        .insertInto('authPasskey')
        .values({
          userId: owner.by.actor.id,
          credentialId: randomUUID(),
          publicKey: '',
          counter: 0,
        })
        .returning('id')
        .executeTakeFirstOrThrow(),
    );
    return id;
  };

  /** One of its own for each case: the same details again would be the payee that the bills go to. */
  const payeeOutside = () => outsidePayee(...inDb, owner.by, { name: `Harbor ${randomUUID()}` });
  /** A bill of the person, in the form of a request. */
  const billOf = ({ by, wallet }: Payee) => ({
    walletId: wallet.id,
    payeeId: payeeOf.get(by.actor.id) ?? '',
    amount: AMOUNT,
    payOn: dayIn('America/New_York', new Date()),
  });
  const standingOf = (who: Payee) => {
    const { payOn: startsOn, ...bill } = billOf(who);
    return { ...bill, frequency: 'weekly' as const, startsOn };
  };
  const standingBill = async (who = owner) => {
    const bill = { ...standingOf(who), endsOn: null, memo: '' };
    return (await withTx(db, (tx) => createStandingBill(tx, services, who.by, bill))).id;
  };
  const scheduledBill = async (who = owner) => {
    const bill = { ...billOf(who), dueOn: null, memo: '' };
    return (await withTx(db, (tx) => scheduleBill(tx, services, who.by, bill))).id;
  };

  /** A bill of the person that the bank sent back. Takes each bill that is scheduled for today. */
  const returnedBill = async (who: SignedIn<Payee>) => {
    const payeeId = await outsidePayee(...inDb, who.by, { name: `Harbor ${randomUUID()}` });
    const bill = { ...billOf(who), payeeId, dueOn: null, memo: '' };
    const { id } = await withTx(db, (tx) => scheduleBill(tx, services, who.by, bill));
    // Also on a day that is no banking day.
    const clock = { now: () => new Date(Date.now() + 5 * 86_400_000) };
    await takeBills(db, { ...services, clock });
    await withTx(db, async (tx) => {
      await billActs.send(tx, services, admin, { id });
      await billActs.complete(tx, services, admin, { id });
      await billActs.return(tx, services, admin, { id, reason: 'The account is closed' });
    });
    return { id, payeeId };
  };
  /** A withdrawal of the person that the bank sent back, from an account that was verified again. */
  const returnedWithdrawal = async (who = owner) => {
    // Its bank account is verified again, and another case has the company ask for micro-deposits.
    await withTx(db, (tx) => updateSettings(tx, services, admin, { bankAccountProof: 'none' }));
    const order = { payee: who, admin, status: 'returned', amountMinor: 1_000n } as const;
    return (await withdrawalIn(...inDb, order)).id;
  };

  /** A recovery that is proposed to the owner, of a funding of its own. */
  const recovery = async () => {
    const batch = await fundAsSeen(...inDb, admin, {
      id: owner.by.actor.id,
      type: 'custom',
      walletId: owner.wallet.id,
      amount: AMOUNT,
      description: 'Paid by mistake',
    });
    return proposedRecovery(...inDb, admin, batch.id);
  };

  /** The version of the owner's automatic transfers: zero where they have none. */
  const transferVersion = async () => {
    const plan = await db
      .selectFrom('transferPlan')
      .select('version')
      .where('walletId', '=', owner.wallet.id)
      .executeTakeFirst();
    return plan?.version ?? 0;
  };
  /** The owner's wallet, with an automatic transfer to their bank account. */
  const automaticTransfers = async () => {
    const to = { kind: 'bank', id: owner.bank.id } as const;
    const rules = [{ kind: 'fixed', amount: AMOUNT, to } as const];
    const version = await transferVersion();
    await withTx(db, (tx) =>
      changeTransfers(tx, services, owner.by, { walletId: owner.wallet.id, version, rules }),
    );
    return owner.wallet.id;
  };

  return {
    recovery,
    transferVersion,
    automaticTransfers,
    pending,
    payslip,
    paidEvent,
    question,
    deposit,
    checkImage,
    avatar,
    bankAccount,
    depositedAccount,
    document,
    application,
    versionOf,
    savedPayee,
    newest,
    session,
    passkey,
    payeeOutside,
    billOf,
    standingOf,
    standingBill,
    scheduledBill,
    returnedBill,
    returnedWithdrawal,
  };
}
