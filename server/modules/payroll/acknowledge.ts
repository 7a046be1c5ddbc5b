import { sql } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { PAYROLL_DIFFERENCES } from '#contract/payroll.ts';
import type { PayrollDifference } from '#contract/payroll.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';
import type { Acknowledged } from './differences.ts';

/**
 * Acknowledges a group of differences of a preview, or takes that back. It counts for whoever did it, and for exactly
 * what was reviewed: the hash is another as soon as a person, an amount or the last payroll changes. One by which its
 * person has sent or approved the payroll stays.
 *
 * @returns everyone who has acknowledged the group
 */
export async function acknowledgeDifference(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  { actor }: CommandContext,
  { hash, group, isAcknowledged }: RouteArguments<'adminAcknowledgePayroll'>['body'],
): Promise<RouteReply<'adminAcknowledgePayroll'>> {
  const previewHash = Buffer.from(hash, 'hex');
  if (isAcknowledged) {
    await tx
      .insertInto('payrollAcknowledgement')
      .values({ previewHash, difference: group, userId: actor.id, at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  } else if (!(await hasActedOn(tx, previewHash, actor.id))) {
    await tx
      .deleteFrom('payrollAcknowledgement')
      .where('previewHash', '=', previewHash)
      .where('difference', '=', group)
      .where('userId', '=', actor.id)
      .execute();
  }
  const acknowledged = await readAcknowledged(tx, previewHash, actor.id);
  return { acknowledged: acknowledged.get(group) ?? [] };
}

/**
 * True if a person has sent or approved the payroll of a preview. Its batch stays locked until the end of the
 * transaction: whoever approves at the same moment comes before, or sees what was taken back.
 */
async function hasActedOn(tx: Tx, previewHash: Buffer, userId: string): Promise<boolean> {
  const batches = await tx
    .selectFrom('payrollBatch')
    .select(['createdBy', 'approvedBy'])
    .where('previewHash', '=', previewHash)
    .where('status', '<>', 'draft')
    .forNoKeyUpdate()
    .execute();
  return batches.some((batch) => batch.createdBy === userId || batch.approvedBy === userId);
}

/** The groups of a preview that were acknowledged, each with who did so, the first one first. */
export async function readAcknowledged(
  reader: Reader,
  previewHash: Buffer,
  readerId: string,
): Promise<Map<PayrollDifference, Acknowledged>> {
  const rows = await reader
    .selectFrom('payrollAcknowledgement')
    .innerJoin('appUser', 'appUser.id', 'payrollAcknowledgement.userId')
    .select(['difference', 'userId', 'at', 'appUser.name'])
    .where('previewHash', '=', previewHash)
    .orderBy('at')
    .execute();
  const one = new Map<PayrollDifference, Acknowledged>();
  for (const { difference, userId, at, name } of rows) {
    const done = { by: name, at: at.toISOString(), isMine: userId === readerId };
    one.set(difference, [...(one.get(difference) ?? []), done]);
  }
  return one;
}

/**
 * Refuses a person who has not acknowledged all groups of differences of a payroll. The caller has locked its batch.
 *
 * @returns each group with the moment, for the record: `new 2026-12-08T14:52:00Z`
 * @throws {AppError} `differences_not_acknowledged`
 */
export async function checkAcknowledgedBy(
  tx: Tx,
  { previewHash, differences }: Compared,
  userId: string,
): Promise<string[]> {
  const groups = PAYROLL_DIFFERENCES.filter((group) => differences?.includes(group) === true);
  if (groups.length === 0) return [];
  const rows = await tx
    .selectFrom('payrollAcknowledgement')
    .select(['difference', 'at'])
    .where('previewHash', '=', previewHash)
    .where('userId', '=', userId)
    .execute();
  const seen = new Map(rows.map(({ difference, at }) => [difference, at.toISOString()]));
  checkAcknowledged(groups, Object.fromEntries(seen));
  return groups.map((group) => `${group} ${seen.get(group) ?? ''}`);
}

/** A payroll with the groups of differences that were there; null where nothing was compared. */
interface Compared {
  previewHash: Buffer;
  differences: readonly string[] | null;
}

/** SQL of the groups that a person acknowledged of a preview, with the moment: `{"new": "2026-12-08T14:52:00Z"}`. */
export function acknowledgedBy(userId: string, previewHash: string) {
  return sql`(SELECT coalesce(jsonb_object_agg(difference, at), '{}') FROM payroll_acknowledgement
               WHERE preview_hash = decode(${previewHash}, 'hex') AND user_id = ${userId})`;
}

const WORDS: Record<PayrollDifference, string> = {
  new: 'new people',
  gone: 'people who are gone',
  changed: 'changed amounts',
  total: 'the total',
};

/** @throws {AppError} `differences_not_acknowledged` */
export function checkAcknowledged(
  groups: readonly PayrollDifference[],
  acknowledged: Readonly<Partial<Record<PayrollDifference, string>>>,
): void {
  const open = groups.filter((group) => acknowledged[group] === undefined);
  if (open.length === 0) return;
  throw new AppError('differences_not_acknowledged', {
    groups: open.map((group) => WORDS[group]).join(', '),
  });
}
