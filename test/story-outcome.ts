import { sql } from 'kysely';
import { expect } from 'vitest';
import { kindSpec } from '#contract/notification-kinds.ts';
import type { NotificationKind } from '#contract/notification-kinds.ts';
import type { Db } from '#server/db/tx.ts';
import type { Outcome } from '#server/system-tests/stories/outcomes.ts';

/** The part of an outcome that is measured. */
export type Measured = Pick<Outcome, 'leftMinor' | 'insideMinor' | 'hours' | 'notified'>;

interface Measurable {
  outcome(): Promise<Measured>;
}

/** Expects that a story ended as its outcome says. */
export async function expectOutcome(story: Measurable, outcome: Outcome): Promise<void> {
  const { leftMinor, insideMinor, hours, notified } = outcome;
  expect(await story.outcome()).toEqual({ leftMinor, insideMinor, hours, notified });
}

/** Expects that no more was taken than at worst. */
export async function expectNoWorse(story: Measurable, worst: Outcome): Promise<void> {
  const { leftMinor, insideMinor } = await story.outcome();
  expect(leftMinor).toBeLessThanOrEqual(worst.leftMinor);
  expect(leftMinor + insideMinor).toBeLessThanOrEqual(worst.leftMinor + worst.insideMinor);
}

/** Money outside the company, and in the wallets of these people. */
export async function readTaken(
  db: Db,
  thieves: readonly string[],
): Promise<Pick<Measured, 'leftMinor' | 'insideMinor'>> {
  const { rows } = await sql<Pick<Measured, 'leftMinor' | 'insideMinor'>>`
    SELECT coalesce(sum(posted) FILTER (WHERE code IN ('payout_clearing', 'bill_clearing')), 0)::bigint
             AS left_minor,
           coalesce(sum(posted) FILTER (WHERE owner_id = ANY (${thieves}::uuid[])), 0)::bigint
             AS inside_minor
      FROM ledger_account`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a sum has one row');
  return row;
}

/** Notifications of everybody else. Expects that those that cannot be switched off are on their way as mails. */
export async function readNotified(
  db: Db,
  { startedAt, thieves }: { startedAt: Date; thieves: ReadonlySet<string> },
): Promise<Outcome['notified']> {
  const notices = await db
    .selectFrom('notification')
    .select(['id', 'kind', 'userId'])
    .where('createdAt', '>=', startedAt)
    .execute();
  const mails = await db
    .selectFrom('outbox')
    .select(['topic', sql<string>`payload ->> 'notificationId'`.as('notificationId')])
    .where('kind', '=', 'mail')
    .where('createdAt', '>=', startedAt)
    .execute();
  const mailed = new Set(mails.map(({ notificationId }) => notificationId));
  const owner = new Set<NotificationKind>();
  const admins = new Set<NotificationKind>();
  for (const { id, kind, userId } of notices) {
    if (thieves.has(userId)) continue;
    const mail = kindSpec(kind)?.mail;
    if (mail === 'always' || mail === 'admins') expect(mailed, kind).toContain(id);
    const isToAdmins = mail === 'admins' || mail === 'never';
    (isToAdmins ? admins : owner).add(kind as NotificationKind);
  }
  return {
    owner: [...owner].toSorted(),
    admins: [...admins].toSorted(),
    ...(mails.some(({ topic }) => topic === 'email-changed') && { formerAddress: true }),
  };
}
