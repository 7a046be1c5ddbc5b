import { sql } from 'kysely';
import type { AdminDeposit, Deposit, DepositDetails, RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { can } from '#contract/can.ts';
import { depositCan, disputeDay } from '#contract/deposits.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { lastAct, readActs, withActs, withItsActs } from '#server/modules/acts/index.ts';
import { isIdentityApproved } from '#server/modules/kyc/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { deposits } from './deposit.ts';
import { currentImages, presentImages } from './images.ts';
import { openInstructions } from './instructions.ts';
import { depositHistory, presentAdminDeposit, presentDeposit } from './present.ts';
import { selectRows } from './rows.ts';
import type { DepositRow } from './rows.ts';

type Clocked = Pick<Services, 'clock'>;

/** One of a person's own. @throws {AppError} `deposit_not_found`, also for another person's */
export async function getOwnDeposit(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  id: string,
): Promise<Deposit> {
  return presentDeposit(await loadOwnRow(reader, services, by, id), await readSettings(reader));
}

/**
 * One of a person's own, with the instructions they were given and the photographs of the check.
 *
 * @throws {AppError} `deposit_not_found`, also for another person's
 */
export async function getDepositDetails(
  reader: Reader,
  services: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  id: string,
): Promise<DepositDetails> {
  const { vault } = services;
  const row = await loadOwnRow(reader, services, by, id);
  const settings = await readSettings(reader);
  return {
    ...presentDeposit(row, settings),
    instructions: await openInstructions(reader, vault, row),
    images: await presentImages(reader, vault, await currentImages(reader, id)),
    canPhotograph:
      row.method === 'mobile_check' &&
      can(depositCan, 'photograph', row.status) &&
      (await readConfirmation(reader, id)) === null,
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
  services: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  id: string,
): Promise<RouteReply<'adminGetDeposit'>> {
  const { vault } = services;
  const row = await loadAdminRow(reader, services, by, id);
  return {
    ...presentAdminDeposit(row),
    instructions: await openInstructions(reader, vault, row),
    images: await presentImages(reader, vault, await currentImages(reader, id)),
    history: depositHistory(row),
    confirmed: await readConfirmation(reader, id),
    context: await readContext(reader, row),
    ...(await readBank(reader, id)),
  };
}

async function readConfirmation(
  reader: Reader,
  id: string,
): Promise<RouteReply<'adminGetDeposit'>['confirmed']> {
  const done = await readActs(reader, deposits.thing, id);
  const confirmed = lastAct(deposits.thing, { done }, 'confirm');
  if (confirmed === undefined) return null;
  return { by: confirmed.by ?? 'Purser', at: new Date(confirmed.at).toISOString() };
}

/** Day of the bank's line that is matched with a deposit. Approving needs none. */
async function readBank(
  reader: Reader,
  id: string,
): Promise<Pick<RouteReply<'adminGetDeposit'>, 'atBankOn' | 'isBankKnown'>> {
  const { rows } = await sql<{ atBankOn: string | null; isBankKnown: boolean }>`
    SELECT (SELECT max(line.booked_on)::text FROM bank_match AS match JOIN bank_line AS line ON line.id = match.line_id
             WHERE match.item_id = ${id} AND match.undone_at IS NULL) AS at_bank_on,
           EXISTS (SELECT FROM bank_statement) AS is_bank_known`.execute(reader);
  return invariant(rows[0], 'a query without FROM gave no row');
}

/** Facts about the person who asks, for the admin who decides. */
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
export async function loadAdminDeposit(
  reader: Reader,
  services: Clocked,
  by: CommandContext,
  id: string,
): Promise<AdminDeposit> {
  return presentAdminDeposit(await loadAdminRow(reader, services, by, id));
}

/** The newest deposits of a person, as admins see them. */
export async function recentDeposits(
  reader: Reader,
  services: Clocked,
  { actor }: CommandContext,
  { userId, limit }: { userId: string; limit: number },
): Promise<AdminDeposit[]> {
  const newest = selectRows(reader)
    .where('deposit.userId', '=', userId)
    .orderBy('deposit.requestedAt', 'desc')
    .orderBy('deposit.id', 'desc')
    .limit(limit);
  const shown = await withActs(reader, services, deposits, { actor, as: 'admin' }, newest);
  return shown.map(presentAdminDeposit);
}

/** @throws {AppError} `deposit_not_found` */
async function loadRow(reader: Reader, id: string): Promise<DepositRow> {
  const row = await selectRows(reader).where('deposit.id', '=', id).executeTakeFirst();
  if (row === undefined) throw new AppError('deposit_not_found');
  return row;
}

async function loadOwnRow(
  reader: Reader,
  services: Clocked,
  { actor }: CommandContext,
  id: string,
) {
  const row = await loadRow(reader, id);
  if (row.userId !== actor.id) throw new AppError('deposit_not_found');
  return withItsActs(reader, services, deposits, { actor, as: 'owner' }, row);
}

async function loadAdminRow(
  reader: Reader,
  services: Clocked,
  { actor }: CommandContext,
  id: string,
) {
  return withItsActs(reader, services, deposits, { actor, as: 'admin' }, await loadRow(reader, id));
}
