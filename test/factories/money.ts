import { sql } from 'kysely';
import { expect } from 'vitest';
import type { BankAccount, Withdrawal } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import { verifyAgain } from '#scripts/demo/banks.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { randomDigits } from '#server/lib/ids.ts';
import { addBankAccount, bankAccountActs } from '#server/modules/bank-accounts/index.ts';
import type { NewBankAccount } from '#server/modules/bank-accounts/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import type { OpenedWallet } from '#server/modules/wallets/index.ts';
import * as withdrawals from '#server/modules/withdrawals/index.ts';
import type { NewWithdrawal } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { approveIdentity } from './kyc.ts';
import { payOneWallet } from './payroll.ts';
import { createAdmin, createPersonBy } from './people.ts';

export { verifyAgain };

/** A wallet with that much in it, paid in by a payroll of its own; nothing is posted for 0. */
export async function fundedWallet(
  db: Db,
  services: Services,
  owner: CommandContext,
  amountMinor: bigint,
  walletType: WalletType = 'salary',
): Promise<OpenedWallet> {
  const userId = owner.actor.id;
  const createdBy = amountMinor === 0n ? null : await anAdmin(db, services);
  return withTx(db, async (tx) => {
    const wallet = await openWallet(tx, services, { userId, type: walletType });
    if (createdBy !== null) {
      await payOneWallet(tx, services, { userId, wallet, walletType, amountMinor, createdBy });
    }
    return wallet;
  });
}

/** The id of the first admin, who is made where there is none. */
async function anAdmin(db: Db, services: Services): Promise<string> {
  const first = await db
    .selectFrom('appUser')
    .select('id')
    .where('role', '=', 'admin')
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst();
  return first?.id ?? (await createAdmin(db, services)).id;
}

/** Input that adds a bank account, with a number nobody else has. */
export function bankDetails(details: Partial<NewBankAccount> = {}): NewBankAccount {
  return {
    bankName: 'Cascade Federal Credit Union',
    accountType: 'checking',
    accountNumber: randomDigits(12),
    routingNumber: '021000021',
    accountHolderName: 'Maya L. Castellanos',
    ...details,
  };
}

/** A bank account that waits for an admin. */
export function pendingBank(
  db: Db,
  services: Services,
  owner: CommandContext,
  details: Partial<NewBankAccount> = {},
): Promise<BankAccount> {
  return withTx(db, (tx) => addBankAccount(tx, services, owner, bankDetails(details)));
}

/** Why an account in another name than its owner's is verified. */
export const KNOWN = 'The account is known to the company.';

/** A bank account that can be withdrawn to. */
export async function verifiedBank(
  db: Db,
  services: Services,
  {
    owner,
    admin,
    ...details
  }: { owner: CommandContext; admin: CommandContext } & Partial<NewBankAccount>,
): Promise<BankAccount> {
  const { id } = await pendingBank(db, services, owner, details);
  return withTx(db, (tx) => bankAccountActs.verify(tx, services, admin, { id, reason: KNOWN }));
}

/** A person who can withdraw: approved identity, money in the wallet, a verified bank account. */
export interface Payee {
  by: CommandContext;
  wallet: OpenedWallet;
  bank: BankAccount;
}

export async function createPayee(
  db: Db,
  services: Services,
  {
    admin,
    fundedMinor = 481_236n,
    account = {},
    ...person
  }: {
    admin: CommandContext;
    fundedMinor?: bigint;
    account?: Partial<NewBankAccount>;
    firstName?: string;
    lastName?: string;
  },
): Promise<Payee> {
  const by = await createPersonBy(db, person);
  await approveIdentity(db, services, by, admin);
  const wallet = await fundedWallet(db, services, by, fundedMinor);
  const bank = await verifiedBank(db, services, { owner: by, admin, ...account });
  return { by, wallet, bank };
}

/** A request for that much, to the payee's bank. */
export function withdrawalOf(
  payee: Payee,
  amountMinor: bigint,
  input: Partial<NewWithdrawal> = {},
): NewWithdrawal {
  return {
    walletId: payee.wallet.id,
    bankAccountId: payee.bank.id,
    amount: money(amountMinor, 'USD'),
    urgency: 'medium',
    reason: 'Withdrawal request',
    ...input,
  };
}

/** A withdrawal brought to that status by the commands that lead there. */
export async function withdrawalIn(
  db: Db,
  services: Services,
  {
    payee,
    admin,
    status,
    amountMinor = 40_000n,
    input = {},
  }: {
    payee: Payee;
    admin: CommandContext;
    status: WithdrawalStatus;
    amountMinor?: bigint;
    input?: Partial<NewWithdrawal>;
  },
): Promise<Withdrawal> {
  return withTx(db, async (tx) => {
    const request = withdrawalOf(payee, amountMinor, input);
    const asked = await withdrawals.requestWithdrawal(tx, services, payee.by, request);
    const { id } = asked;
    if (status === 'pending') return asked;
    if (status === 'cancelled')
      return withdrawals.withdrawalActs.cancel(tx, services, payee.by, { id });
    const reason = 'The account is closed';
    if (status === 'rejected') {
      return withdrawals.withdrawalActs.reject(tx, services, admin, { id, reason });
    }
    const approved = await withdrawals.withdrawalActs.approve(tx, services, admin, { id });
    if (status === 'approved') return approved;
    const processing = await withdrawals.withdrawalActs.startProcessing(tx, services, admin, {
      id,
    });
    if (status === 'processing') return processing;
    const completed = await withdrawals.withdrawalActs.complete(tx, services, admin, { id });
    if (status === 'completed') return completed;
    const returned = await withdrawals.withdrawalActs.return(tx, services, admin, { id, reason });
    // So that the test can go on using the account.
    await verifyAgain(tx, services, { owner: payee.by, admin, bankAccountId: payee.bank.id });
    return returned;
  });
}

/**
 * Expects what must hold after anything that happened: all accounts sum to zero, every wallet's
 * held sum is that of its open withdrawals and bills that are not on their way in a payout file, and every bank account counts its open withdrawals.
 */
export async function expectSoundMoney(db: Db): Promise<void> {
  const isOpen = sql`status IN ('pending', 'approved', 'processing')`;
  const isHeldBill = sql`status IN ('scheduled', 'due', 'sent')`;
  const { rows } = await sql<{ total: bigint; wrongHolds: bigint; wrongUses: bigint }>`
    SELECT (SELECT coalesce(sum(posted), 0)::bigint FROM ledger_account) AS total,
           (SELECT count(*) FROM wallet JOIN ledger_account AS account
              ON account.id = wallet.ledger_account_id
             WHERE account.held <> (SELECT coalesce(sum(amount_minor), 0) FROM withdrawal
                                     WHERE wallet_id = wallet.id AND ${isOpen}
                                       AND ledger_transaction_id IS NULL)
                                  + (SELECT coalesce(sum(amount_minor), 0) FROM bill
                                      WHERE wallet_id = wallet.id AND ${isHeldBill}
                                        AND ledger_transaction_id IS NULL))
             AS wrong_holds,
           (SELECT count(*) FROM bank_account
             WHERE use_count <> (SELECT count(*) FROM withdrawal
                                  WHERE bank_account_id = bank_account.id AND ${isOpen}))
             AS wrong_uses`.execute(db);
  expect(rows).toEqual([{ total: 0n, wrongHolds: 0n, wrongUses: 0n }]);
}
