import { sql } from 'kysely';
import type { AdminDeposit, Deposit, DepositDetails, RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { disputeDay } from '#contract/deposits.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { currentImages, presentImages } from './images.ts';
import { openInstructions } from './instructions.ts';
import { depositHistory, presentAdminDeposit, presentDeposit } from './present.ts';
import { selectRows } from './rows.ts';
import type { DepositRow } from './rows.ts';

/** One of a person's own. @throws {AppError} `deposit_not_found`, also for another person's */
export async function getOwnDeposit(reader: Reader, userId: string, id: string): Promise<Deposit> {
  return presentDeposit(await loadOwnRow(reader, userId, id), await readSettings(reader));
}

/**
 * One of a person's own, with the instructions they were given and the photographs of the check.
 *
 * @throws {AppError} `deposit_not_found`, also for another person's
 */
export async function getDepositDetails(
  reader: Reader,
  { vault }: Pick<Services, 'vault'>,
  { userId, id }: { userId: string; id: string },
): Promise<DepositDetails> {
  const row = await loadOwnRow(reader, userId, id);
  const settings = await readSettings(reader);
  return {
    ...presentDeposit(row, settings),
    instructions: await openInstructions(reader, vault, row),
    images: await presentImages(reader, vault, await currentImages(reader, id)),
    disputeUntil: disputeDay(dayIn(settings.timeZone, row.requestedAt)),
    supportEmail: settings.supportEmail,
  };
}

/**
 * One of anybody's, with the instructions its owner was given and the photographs of the check.
 *
 * @throws {AppError} `deposit_not_found`
 */
export async function getAdminDepositDetails(
  reader: Reader,
  { vault }: Pick<Services, 'vault'>,
  id: string,
): Promise<RouteReply<'adminGetDeposit'>> {
  const row = await loadRow(reader, id);
  return {
    ...presentAdminDeposit(row),
    instructions: await openInstructions(reader, vault, row),
    images: await presentImages(reader, vault, await currentImages(reader, id)),
    history: depositHistory(row),
    context: await readContext(reader, row),
  };
}

/** What an admin wants to know of who asks. */
async function readContext(
  reader: Reader,
  { userId, requestedAt }: DepositRow,
): Promise<RouteReply<'adminGetDeposit'>['context']> {
  const { timeZone } = await readSettings(reader);
  const { rows } = await sql<{
    acceptedAt: Date | null;
    deactivatedAt: Date | null;
    approved: number;
    firstAt: Date | null;
    rejected: number;
  }>`
    SELECT accepted_at, deactivated_at, past.approved, past.first_at, past.rejected
      FROM app_user,
           (SELECT count(*) FILTER (WHERE status = 'approved')::int AS approved,
                   min(requested_at) FILTER (WHERE status = 'approved') AS first_at,
                   count(*) FILTER (WHERE status = 'rejected')::int AS rejected
              FROM deposit WHERE user_id = ${userId} AND requested_at < ${requestedAt}) AS past
     WHERE app_user.id = ${userId}`.execute(reader);
  const person = invariant(rows[0], 'a deposit of nobody');
  return {
    isIdentityApproved: await isIdentityApproved(reader, userId),
    isAccepted: person.acceptedAt !== null,
    isDeactivated: person.deactivatedAt !== null,
    approved: person.approved,
    since: person.firstAt === null ? null : Number(dayIn(timeZone, person.firstAt).slice(0, 4)),
    rejected: person.rejected,
  };
}

/** @throws {AppError} `deposit_not_found` */
export async function loadAdminDeposit(reader: Reader, id: string): Promise<AdminDeposit> {
  return presentAdminDeposit(await loadRow(reader, id));
}

/** The newest deposits of a person, as admins see them. */
export async function recentDeposits(
  reader: Reader,
  userId: string,
  limit: number,
): Promise<AdminDeposit[]> {
  const rows = await selectRows(reader)
    .where('deposit.userId', '=', userId)
    .orderBy('deposit.requestedAt', 'desc')
    .orderBy('deposit.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(presentAdminDeposit);
}

/** @throws {AppError} `deposit_not_found` */
async function loadRow(reader: Reader, id: string): Promise<DepositRow> {
  const row = await selectRows(reader).where('deposit.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('deposit_not_found');
  return row;
}

async function loadOwnRow(reader: Reader, userId: string, id: string): Promise<DepositRow> {
  const row = await loadRow(reader, id);
  if (row.userId !== userId) throw new AppError('deposit_not_found');
  return row;
}
