import { money } from '#contract/money.ts';
import type { DepositMethodId } from '#contract/deposits.ts';
import { WITHDRAWAL_STATUSES } from '#contract/statuses.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { bankAccountActs, updateBankAccount } from '#server/modules/bank-accounts/index.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { moveMoney, payPerson } from '#server/modules/payments/index.ts';
import { proposeChange } from '#server/modules/company/proposals.ts';
import { createApiKey } from '#server/modules/identity/api-keys/create-api-key.ts';
import { revokeApiKey } from '#server/modules/identity/api-keys/revoke-api-key.ts';
import { createInvite } from '#server/modules/identity/index.ts';
import { waitAsSecondPerson } from '#server/modules/identity/second-people.ts';
import { recordSettings, settingValues, updateSettings } from '#server/modules/settings/index.ts';
import { createWebhook } from '#server/modules/webhooks/endpoints.ts';
import { record } from '#server/modules/journal/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { withdrawalActs, requestWithdrawal } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import {
  bankDetails,
  pendingBank,
  verifiedBank,
  withdrawalIn,
  withdrawalOf,
  KNOWN,
} from './factories/money.ts';
import type { Payee } from './factories/money.ts';
import { makeBills, makeStandingBill } from './factories/bills.ts';
import { giveCheckImages, offerDeposits } from '#test/factories/deposits.ts';
import { createAdmin, createEmployee } from './factories/people.ts';
import {
  transferAutomatically,
  changeUsualPays,
  takeBack,
  recoverFrom,
  payEverybody,
  createPayee,
  walletOf,
} from './busy-payroll.ts';
import type { BusyCompany, Ending } from './busy-ids.ts';

const REASON = 'The account is closed';

/**
 * A company in which everything has happened that can happen to money, all of it by the commands of
 * the server: nothing in it contradicts anything else.
 */
export async function makeBusyCompany(db: Db, services: Services): Promise<BusyCompany> {
  const admin = (await createAdmin(db, services, { firstName: 'Renee', lastName: 'Albright' })).by;
  const otherAdmin = (await createAdmin(db, services)).by;
  const maya = await createPayee(db, services, { firstName: 'Maya', admin });
  const ben = await createPayee(db, services, { firstName: 'Ben', admin });
  const batches = await payEverybody(db, services, { admin, otherAdmin, ben });
  const { id: newcomerId } = await createEmployee(db, services, { lastName: 'Fenn' });
  const deposits = await makeDeposits(db, services, { maya, admin });
  const withdrawals = await makeWithdrawals(db, services, { payee: maya, admin });
  // Another's, so that a finding about Maya's is not one about everybody's.
  await withdrawalIn(db, services, { payee: ben, admin: otherAdmin, status: 'completed' });
  await withdrawalIn(db, services, { payee: ben, admin: otherAdmin, status: 'pending' });
  const banks = await makeBanks(db, services, { owner: maya.by, admin });
  const payment = await payEachOther(db, services, { maya, ben });
  const move = await moveToSavings(db, services, maya);
  const bills = await makeBills(db, services, { payee: maya, admin });
  const standingBill = await makeStandingBill(db, services, maya);
  const doors = await makeDoors(db, services, { admin, maya });
  const usualPay = await changeUsualPays(db, services, { admin, otherAdmin, ben });
  const reversals = {
    whole: await takeBack(db, services, { admin, ben, minor: 2_000n }),
    part: await takeBack(db, services, { admin, ben, minor: 500n }),
  };
  const recoveries = await recoverFrom(db, services, { admin, ben });
  const automatic = await transferAutomatically(db, services, { admin, otherAdmin });
  return {
    recoveries,
    automatic,
    admin,
    otherAdmin,
    maya,
    ben,
    newcomerId,
    withdrawals,
    deposits,
    banks,
    payment,
    move,
    bills,
    standingBill,
    doors,
    batches,
    usualPay,
    reversals,
  };
}

/** Lets a person sign in with an app and a passkey, without an app and a device. */
async function giveSecondFactor(tx: Tx, { clock }: Services, by: CommandContext): Promise<void> {
  const { id } = by.actor;
  const [userId, at] = [id, clock.now()];
  await tx.updateTable('appUser').set({ twoFactorEnabled: true }).where('id', '=', id).execute();
  await tx
    .insertInto('authTwoFactor')
    .values({ userId, secret: 'encrypted', backupCodes: '["one"]', verifiedAt: at })
    .execute();
  record(tx, by, 'two_factor.turned_on', { id, at });
  await tx
    .insertInto('authPasskey')
    .values({ userId, credentialId: 'device', publicKey: 'key', counter: 0, name: 'Laptop' })
    .execute();
  record(tx, by, 'passkey.added', { id, at, words: { passkey: 'Laptop' } });
}

async function makeDoors(
  db: Db,
  services: Services,
  { admin, maya }: { admin: CommandContext; maya: Payee },
): Promise<BusyCompany['doors']> {
  const scopes = ['people:read' as const];
  return withTx(db, async (tx) => {
    await recordSettings(tx);
    const schedule = { frequency: 'biweekly', day: null, days: '15_last' } as const;
    const after = await updateSettings(tx, services, admin, {
      schedule: { ...schedule, firstPayday: '2026-12-11' },
    });
    const before = settingValues(after);
    await proposeChange(tx, services, admin, {
      names: ['secondPersonHours'],
      before,
      after: { ...before, secondPersonHours: 24 },
    });
    const proposal = await tx.selectFrom('securityProposal').select('id').executeTakeFirstOrThrow();
    const { id: apiKey } = await createApiKey(tx, services, admin, {
      name: 'Reports',
      scopes,
      days: 30,
    });
    const { id: revokedKey } = await createApiKey(tx, services, admin, {
      name: 'Former',
      scopes,
      days: 30,
    });
    await revokeApiKey(tx, services, admin, { id: revokedKey });
    const { id: webhook } = await createWebhook(tx, services, admin, {
      url: 'https://example.com/events',
      events: ['deposit.approved'],
    });
    // Verification compares the waits of the last 30 days, by the time of the database.
    await waitAsSecondPerson(tx, {
      userId: maya.by.actor.id,
      since: new Date(),
      causes: [admin.actor.id],
    });
    const { id: invite } = await createInvite(tx, services, { actor: 'system' });
    await giveSecondFactor(tx, services, admin);
    return { apiKey, revokedKey, webhook, invite, proposal: proposal.id };
  });
}

/** Two payments between the two, in both directions; answers the first. */
async function payEachOther(
  db: Db,
  services: Services,
  { maya, ben }: { maya: Payee; ben: Payee },
): Promise<string> {
  const pay = async (from: Payee, to: Payee, minor: bigint) => {
    const amount = money(minor, 'USD');
    const recipientId = to.by.actor.id;
    const input = { walletId: from.wallet.id, recipientId, amount, note: 'Tea', savePayee: true };
    return (await withTx(db, (tx) => payPerson(tx, services, from.by, input))).id;
  };
  const first = await pay(maya, ben, 6_000n);
  await pay(ben, maya, 2_500n);
  return first;
}

async function moveToSavings(db: Db, services: Services, { by, wallet }: Payee): Promise<string> {
  return withTx(db, async (tx) => {
    const opened = await openWallet(tx, services, { userId: by.actor.id, type: 'savings' });
    const wallets = { fromWalletId: wallet.id, toWalletId: opened.id };
    return (await moveMoney(tx, services, by, { ...wallets, amount: money(3_000n, 'USD') })).id;
  });
}

async function makeDeposits(
  db: Db,
  services: Services,
  { maya, admin }: { maya: Payee; admin: CommandContext },
): Promise<BusyCompany['deposits']> {
  const ask = async (method: DepositMethodId, amountMinor: bigint) => {
    const input = { walletId: maya.wallet.id, method, amount: money(amountMinor, 'USD') };
    return (await withTx(db, (tx) => requestDeposit(tx, services, maya.by, input))).id;
  };
  await offerDeposits(db, services);
  const pending = await ask('mobile_check', 42_000n);
  await giveCheckImages(db, services, maya.by, pending);
  const cancelled = await ask('physical_check', 8_000n);
  const rejected = await ask('ach', 30_000n);
  // A fee with a share of a cent, and one that is fixed.
  const approved = await ask('card', 33_333n);
  const wired = await ask('wire', 250_000n);
  await withTx(db, async (tx) => {
    await depositActs.cancel(tx, services, maya.by, { id: cancelled });
    await depositActs.reject(tx, services, admin, { id: rejected, reason: REASON });
    await depositActs.approve(tx, services, admin, { id: approved });
    await depositActs.approve(tx, services, admin, { id: wired });
  });
  return { pending, approved, rejected, cancelled };
}

async function makeWithdrawals(
  db: Db,
  services: Services,
  { payee, admin }: { payee: Payee; admin: CommandContext },
): Promise<BusyCompany['withdrawals']> {
  const ids: Partial<Record<Ending, string>> = {};
  // The returned one first: its bank account is entered and verified again afterwards.
  for (const status of WITHDRAWAL_STATUSES.toReversed()) {
    const { id } = await withdrawalIn(db, services, { payee, admin, status, amountMinor: 40_000n });
    ids[status] = id;
  }
  ids.stopped = await stopped(db, services, { payee, admin, isProcessing: false });
  await stopped(db, services, { payee, admin, isProcessing: true });
  return ids as Record<Ending, string>;
}

function stopped(
  db: Db,
  services: Services,
  { payee, admin, isProcessing }: { payee: Payee; admin: CommandContext; isProcessing: boolean },
): Promise<string> {
  return withTx(db, async (tx) => {
    const request = withdrawalOf(payee, 25_000n);
    const { id } = await requestWithdrawal(tx, services, payee.by, request);
    await withdrawalActs.approve(tx, services, admin, { id });
    if (isProcessing) await withdrawalActs.startProcessing(tx, services, admin, { id });
    await withdrawalActs.stop(tx, services, admin, { id, reason: REASON });
    return id;
  });
}

async function makeBanks(
  db: Db,
  services: Services,
  { owner, admin }: { owner: CommandContext; admin: CommandContext },
): Promise<BusyCompany['banks']> {
  const pending = await pendingBank(db, services, owner);
  const rejected = await pendingBank(db, services, owner);
  const edited = await verifiedBank(db, services, { owner, admin });
  const removed = await verifiedBank(db, services, { owner, admin });
  await withTx(db, async (tx) => {
    await bankAccountActs.reject(tx, services, admin, { id: rejected.id, reason: REASON });
    await bankAccountActs.remove(tx, services, owner, { id: removed.id });
  });
  // Paid to, then changed and verified again: what was paid keeps the bank account as it was.
  await withdrawalIn(db, services, {
    payee: { by: owner, wallet: await walletOf(db, owner), bank: edited },
    admin,
    status: 'completed',
  });
  const change = bankDetails({ bankName: 'First Harbor Bank' });
  await withTx(db, (tx) => updateBankAccount(tx, services, owner, { id: edited.id, change }));
  await withTx(db, (tx) =>
    bankAccountActs.verify(tx, services, admin, { id: edited.id, reason: KNOWN }),
  );
  return { pending: pending.id, rejected: rejected.id, edited: edited.id, removed: removed.id };
}
