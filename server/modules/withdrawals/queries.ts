import { sql } from 'kysely';
import type { AdminWithdrawal, RouteReply, Withdrawal } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import {
  refusalOfNextStep,
  withActs,
  withItsActs,
  withUnwrittenActs,
} from '#server/modules/acts/index.ts';
import { pastOfBankAccount, readPayoutContext } from '#server/modules/bank-accounts/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { presentAdminWithdrawal, presentWithdrawal } from './present.ts';
import { selectRows } from './rows.ts';
import type { WithdrawalRow } from './rows.ts';
import { withdrawals } from './withdrawal.ts';

type Clocked = Pick<Services, 'clock'>;

/** A person's withdrawal; with `ownerId`, only that person's. @throws `withdrawal_not_found` */
export async function loadRow(
  reader: Reader,
  id: string,
  ownerId?: string,
): Promise<WithdrawalRow> {
  const row = await selectRows(reader).where('withdrawal.id', '=', id).executeTakeFirst();
  if (row === undefined || (ownerId !== undefined && row.userId !== ownerId)) {
    throw new AppError('withdrawal_not_found');
  }
  return withUnwrittenActs(reader, withdrawals.thing, row);
}

/** One of the acting person's own. @throws `withdrawal_not_found` */
export async function getOwnWithdrawal(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  id: string,
): Promise<Withdrawal> {
  const row = await loadRow(reader, id, by.actor.id);
  const who = { actor: by.actor, as: 'owner' } as const;
  const shown = await withItsActs(reader, services, withdrawals, who, row);
  return presentWithdrawal(shown, await readSettings(reader));
}

/** @throws `withdrawal_not_found` */
export async function loadAdminWithdrawal(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  id: string,
): Promise<AdminWithdrawal> {
  const row = await loadRow(reader, id);
  const who = { actor: by.actor, as: 'admin' } as const;
  const shown = await withItsActs(reader, services, withdrawals, who, row);
  return presentAdminWithdrawal(shown, await readSettings(reader));
}

/** One of anybody's, with what its owner has and what was changed recently. @throws `withdrawal_not_found` */
export async function getAdminWithdrawal(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminGetWithdrawal'>> {
  const shown = await loadAdminWithdrawal(reader, services, by, id);
  const { bankAccountId, walletId, employee } = shown;
  const context = await readPayoutContext(reader, {
    userId: employee.id,
    walletId,
    destination: pastOfBankAccount({ id: bankAccountId, userId: employee.id }),
    refusal: refusalOfNextStep(withdrawals.thing, shown.acts),
  });
  return { ...shown, context };
}

/** The person's withdrawals that are on their way, newest first. */
export async function listOpenWithdrawals(
  reader: Reader,
  services: Clocked,
  userId: string,
): Promise<Withdrawal[]> {
  const settings = await readSettings(reader);
  const open: WithdrawalStatus[] = ['pending', 'approved', 'processing'];
  const onTheirWay = selectRows(reader)
    .where('withdrawal.userId', '=', userId)
    .where('withdrawal.status', 'in', open)
    .orderBy('withdrawal.requestedAt', 'desc')
    .orderBy('withdrawal.id', 'desc');
  const who = { actor: { id: userId }, as: 'owner' } as const;
  const shown = await withActs(reader, services, withdrawals, who, onTheirWay, settings);
  return shown.map((row) => presentWithdrawal(row, settings));
}

/** The newest withdrawals of a person, as admins see them. */
export async function recentWithdrawals(
  reader: Reader,
  services: Clocked,
  { actor }: CommandContext,
  { userId, limit }: { userId: string; limit: number },
): Promise<AdminWithdrawal[]> {
  const settings = await readSettings(reader);
  const newest = selectRows(reader)
    .where('withdrawal.userId', '=', userId)
    .orderBy('withdrawal.requestedAt', 'desc')
    .orderBy('withdrawal.id', 'desc')
    .limit(limit);
  const who = { actor, as: 'admin' } as const;
  const shown = await withActs(reader, services, withdrawals, who, newest, settings);
  return shown.map((row) => presentAdminWithdrawal(row, settings));
}

interface StatusSum {
  status: string;
  count: bigint;
  amountMinor: bigint;
}

/** Number and sum of withdrawals by status. */
export async function adminWithdrawalStats(
  reader: Reader,
): Promise<RouteReply<'adminWithdrawalStats'>> {
  const { currency } = await readSettings(reader);
  const { rows } = await sql<StatusSum>`
    SELECT status, count(*) AS count, sum(amount_minor)::bigint AS amount_minor
      FROM withdrawal GROUP BY status`.execute(reader);
  const of = (status: WithdrawalStatus) => rows.find((row) => row.status === status);
  const count = (status: WithdrawalStatus) => Number(of(status)?.count ?? 0n);
  const amount = (status: WithdrawalStatus) => money(of(status)?.amountMinor ?? 0n, currency);
  return {
    pendingRequests: count('pending'),
    pendingAmount: amount('pending'),
    approvedRequests: count('approved'),
    approvedAmount: amount('approved'),
    processingRequests: count('processing'),
    processingAmount: amount('processing'),
    processed: count('completed'),
    totalWithdrawalAmount: amount('completed'),
    rejected: count('rejected'),
    total: rows.reduce((sum, row) => sum + Number(row.count), 0),
  };
}
