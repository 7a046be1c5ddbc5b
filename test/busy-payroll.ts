import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { invariant } from '#server/lib/errors.ts';
import {
  postPayroll,
  previewPayroll,
  payrollActs,
  reverseLine,
  sendPayroll,
} from '#server/modules/payroll/index.ts';
import { recoveryActs } from '#server/modules/payroll/recoveries/acts.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import {
  changeTransfers,
  runTransfers,
  takeBackTransfer,
} from '#server/modules/transfers/index.ts';
import { usualPayActs } from '#server/modules/usual-pay/acts.ts';
import { changeUsualPay } from '#server/modules/usual-pay/change-usual-pay.ts';
import { readUsualPay } from '#server/modules/usual-pay/queries.ts';
import { closeWallet, lockForReturn, openWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { acknowledgeAll, draftOwnAmounts, sendDraftAsSeen } from './payroll-fixture.ts';
import { fundAsSeen, proposedRecovery } from './factories/payroll.ts';
import { fundedWallet, verifiedBank } from './factories/money.ts';
import type { Payee } from './factories/money.ts';
import { approveIdentity } from './factories/kyc.ts';
import { createEmployee } from './factories/people.ts';
import type { BusyCompany } from './busy-ids.ts';

/** Pays a person with rules, runs these, and moves one of two transfers back. */
export async function transferAutomatically(
  db: Db,
  services: Services,
  { admin, otherAdmin }: Pick<BusyCompany, 'admin' | 'otherAdmin'>,
): Promise<BusyCompany['automatic']> {
  const who = await createPayee(db, services, { firstName: 'Cleo', admin });
  const userId = who.by.actor.id;
  const savings = await fundedWallet(db, services, who.by, 0n, 'savings');
  const [toSavings, toBank] = [
    { kind: 'wallet' as const, id: savings.id },
    { kind: 'bank' as const, id: who.bank.id },
  ];
  const amount = money(2_000n, 'USD');
  await withTx(db, (tx) =>
    changeTransfers(tx, services, who.by, {
      walletId: who.wallet.id,
      version: 0,
      rules: [
        { kind: 'fixed', amount, to: toSavings },
        { kind: 'fixed', amount, to: toSavings },
        { kind: 'percent', percentHundredths: 1_000, to: toBank },
      ],
    }),
  );
  const setAmount = (automaticPayoutBelowMinor: bigint | null) =>
    withTx(db, (tx) => updateSettings(tx, services, admin, { automaticPayoutBelowMinor }));
  await setAmount(1_000_000n);
  const { id: draftId } = await draftOwnAmounts(
    db,
    admin.actor,
    new Map([[userId, 50_000n]]),
    services,
  );
  const { id: batchId } = await sendDraftAsSeen(db, admin.actor, draftId, services);
  await postPayroll(db, services, batchId);
  await runTransfers(db, services);
  await setAmount(null);
  const { lineId, planId } = await db
    .selectFrom('transferRun')
    .select(['lineId', 'planId'])
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow();
  const made = await db
    .selectFrom('automaticTransfer')
    .select(['walletMoveId', 'withdrawalId'])
    .where('lineId', '=', lineId)
    .orderBy('position')
    .execute();
  const [move, taken] = made.flatMap(({ walletMoveId }) => walletMoveId ?? []);
  const [withdrawal] = made.flatMap(({ withdrawalId }) => withdrawalId ?? []);
  await withTx(db, (tx) => takeBackTransfer(tx, services, otherAdmin, invariant(taken, 'a move')));
  const { id: back } = await db
    .selectFrom('walletMove')
    .select('id')
    .where('takesBackId', '=', invariant(taken, 'a move'))
    .executeTakeFirstOrThrow();
  return {
    who,
    planId,
    lineId,
    back,
    move: invariant(move, 'a move'),
    withdrawal: invariant(withdrawal, 'a withdrawal'),
  };
}

/** Ben's pay is set, then changed by two, then a change waits. Afterwards it takes one again. */
export async function changeUsualPays(
  db: Db,
  services: Services,
  { admin, otherAdmin, ben }: Pick<BusyCompany, 'admin' | 'otherAdmin' | 'ben'>,
): Promise<BusyCompany['usualPay']> {
  const { id } = ben.by.actor;
  const { on: validFrom } = await readUsualPay(db, services, admin.actor, id);
  const change = (before: bigint, amount: bigint) =>
    withTx(db, async (tx) => {
      const amounts = { before: money(before, 'USD'), amount: money(amount, 'USD') };
      const { changes } = await changeUsualPay(tx, services, admin, {
        id,
        validFrom,
        reason: 'Yearly review',
        lines: [{ walletType: 'salary', ...amounts }],
      });
      return invariant(changes[0], 'a change is listed').id;
    });
  const separateFrom = (separateUsualPayMinor: bigint | null) =>
    withTx(db, (tx) => updateSettings(tx, services, admin, { separateUsualPayMinor }));
  const set = await change(0n, 294_000n);
  await separateFrom(10_000n);
  const confirmed = await change(294_000n, 318_000n);
  await withTx(db, (tx) => usualPayActs.confirm(tx, services, otherAdmin, { id: confirmed }));
  const waiting = await change(318_000n, 334_000n);
  await separateFrom(null);
  return { set, confirmed, waiting };
}

/** Funds Ben with 2,000 cents and takes so much of it back; answers the id of the reversal. */
export async function takeBack(
  db: Db,
  services: Services,
  { admin, ben, minor }: { admin: CommandContext; ben: Payee; minor: bigint },
): Promise<string> {
  const { id: batchId } = await fundAsSeen(db, services, admin, {
    id: ben.by.actor.id,
    type: 'custom',
    walletId: ben.wallet.id,
    amount: money(2_000n, 'USD'),
    description: 'Paid twice',
  });
  const line = await db
    .selectFrom('payrollLine')
    .select('id')
    .where('batchId', '=', batchId)
    .executeTakeFirstOrThrow();
  await withTx(db, (tx) =>
    reverseLine(tx, services, admin, {
      id: line.id,
      amount: money(minor, 'USD'),
      left: money(2_000n, 'USD'),
      reason: 'paid_twice',
      message: 'This was paid before.',
    }),
  );
  const reversal = await db
    .selectFrom('payrollReversal')
    .select('id')
    .where('lineId', '=', line.id)
    .executeTakeFirstOrThrow();
  return reversal.id;
}

/** Ben accepts that what a funding paid is recovered, a payroll takes an instalment, and he is asked for another one. */
export async function recoverFrom(
  db: Db,
  services: Services,
  { admin, ben }: Pick<BusyCompany, 'admin' | 'ben'>,
): Promise<BusyCompany['recoveries']> {
  const propose = async () => {
    const { id } = await fundAsSeen(db, services, admin, {
      id: ben.by.actor.id,
      type: 'custom',
      walletId: ben.wallet.id,
      amount: money(3_000n, 'USD'),
      description: 'Paid by mistake',
    });
    return proposedRecovery(db, services, admin, id);
  };
  const accepted = await propose();
  await withTx(db, (tx) => recoveryActs.accept(tx, services, ben.by, { id: accepted }));
  const amounts = new Map([[ben.by.actor.id, 4_000n]]);
  const draft = await draftOwnAmounts(db, admin.actor, amounts, services);
  const batch = await sendDraftAsSeen(db, admin.actor, draft.id, services);
  await postPayroll(db, services, batch.id);
  const { id: instalment } = await db
    .selectFrom('recoveryInstalment')
    .select('id')
    .executeTakeFirstOrThrow();
  return { accepted, instalment, proposed: await propose() };
}

export async function createPayee(
  db: Db,
  services: Services,
  { firstName, admin }: { firstName: string; admin: CommandContext },
): Promise<Payee> {
  const { by, id } = await createEmployee(db, services, { firstName, department: 'engineering' });
  await approveIdentity(db, services, by, admin);
  const wallet = await withTx(db, (tx) => openWallet(tx, services, { userId: id, type: 'salary' }));
  return { by, wallet, bank: await verifiedBank(db, services, { owner: by, admin }) };
}

/** Sends a payroll for everybody with that amount and answers the batch's id. */
async function sendTo(
  db: Db,
  services: Services,
  admin: CommandContext,
  { type, amountMinor }: { type: 'salary' | 'savings'; amountMinor: bigint },
): Promise<string> {
  const order = {
    walletType: type,
    department: 'all' as const,
    amount: money(amountMinor, 'USD'),
    description: 'Biweekly pay',
  };
  const preview = await previewPayroll(db, services, admin, order);
  const seen = { previewHash: preview.hash, alreadyPaidHash: preview.alreadyPaid?.hash };
  const { id } = await withTx(db, async (tx) => {
    await acknowledgeAll(tx, services, admin, preview);
    return sendPayroll(tx, services, admin, { ...order, ...seen });
  });
  return id;
}

/**
 * Five batches: one that paid everybody, one whose failed line was paid when it was tried again, one
 * that skipped a person and still has a failed line, one that was sent and not begun, and one that
 * funded Ben alone.
 */
export async function payEverybody(
  db: Db,
  services: Services,
  { admin, otherAdmin, ben }: { admin: CommandContext; otherAdmin: CommandContext; ben: Payee },
): Promise<BusyCompany['batches']> {
  for (const lastName of ['Ashby', 'Brook', 'Carr', 'Dun']) {
    await createEmployee(db, services, { lastName });
  }
  const completed = await sendTo(db, services, admin, { type: 'salary', amountMinor: 500_000n });
  await postPayroll(db, services, completed, { chunkLines: 2 });

  const retried = await sendTo(db, services, otherAdmin, { type: 'salary', amountMinor: 20_001n });
  await setClosed(db, ben.wallet.id, services.clock.now());
  await postPayroll(db, services, retried, { chunkLines: 2 });
  await setClosed(db, ben.wallet.id, null);
  await withTx(db, (tx) => payrollActs.retryFailed(tx, services, admin, { id: retried }));
  await postPayroll(db, services, retried);

  const savings = await withTx(db, (tx) =>
    openWallet(tx, services, { userId: ben.by.actor.id, type: 'savings' }),
  );
  const saver = await createEmployee(db, services, { lastName: 'East' });
  await withTx(db, (tx) => openWallet(tx, services, { userId: saver.id, type: 'savings' }));
  await closeOne(db, services, admin, saver.id);
  const failing = await sendTo(db, services, admin, { type: 'savings', amountMinor: 7_500n });
  await setClosed(db, savings.id, services.clock.now());
  await postPayroll(db, services, failing);
  await setClosed(db, savings.id, null);

  const waiting = await sendTo(db, services, admin, { type: 'savings', amountMinor: 9_900n });
  // While two administrators are asked for more, so that it counts to what one sent alone.
  const separate = (separatePayrollMinor: bigint | null) =>
    db.updateTable('companySettings').set({ separatePayrollMinor }).execute();
  await separate(10_000_000n);
  const { id: funding } = await fundAsSeen(db, services, admin, {
    id: ben.by.actor.id,
    type: 'bonus',
    walletId: ben.wallet.id,
    amount: money(50_000n, 'USD'),
    description: '',
  });
  await separate(null);
  return { completed, retried, failing, waiting, funding };
}

/** Closes two further wallets of a person as an admin does, and opens one of them again. */
async function closeOne(
  db: Db,
  services: Services,
  admin: CommandContext,
  userId: string,
): Promise<void> {
  await withTx(db, async (tx) => {
    const { id: irsId } = await openWallet(tx, services, { userId, type: 'irs' });
    await openWallet(tx, services, { userId, type: 'retirement' });
    await closeWallet(tx, services, admin, { userId, type: 'irs' });
    await closeWallet(tx, services, admin, { userId, type: 'retirement' });
    await lockForReturn(tx, admin, [irsId]);
  });
}

async function setClosed(db: Db, id: string, closedAt: Date | null): Promise<void> {
  await db.updateTable('wallet').set({ closedAt }).where('id', '=', id).execute();
}

export function walletOf(db: Db, owner: CommandContext): Promise<Payee['wallet']> {
  return db
    .selectFrom('wallet')
    .select(['id', 'ledgerAccountId'])
    .where('userId', '=', owner.actor.id)
    .where('type', '=', 'salary')
    .executeTakeFirstOrThrow();
}
