import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ListedStatus, ReviewKind } from '#contract/kyc.ts';
import type { Reader } from '#server/db/tx.ts';

/** An item of the review queue with what is shown of it. */
export interface QueueRow {
  id: string;
  kind: ReviewKind;
  userId: string;
  status: ListedStatus;
  /** Start of an application that is in progress. */
  submittedAt: Date;
  name: string;
  email: string;
  employeeNumber: string | null;
  documents: number;
  holderId: string | null;
  holderName: string | null;
  claimExpiresAt: Date | null;
}

/** The admin who reads the queue, and the time: claims lapse. */
export interface QueueScope {
  viewerId: string;
  now: Date;
}

/**
 * Condition of a row of `kyc_application`: its owner is filling it in. One is begun for each person who is
 * added, who has no password until they sign in for the first time.
 */
export const IS_FILLED_IN: RawBuilder<boolean> = sql<boolean>`(
  kyc_application.status = 'in_progress' AND kyc_application.destroyed_at IS NULL
  AND EXISTS (SELECT FROM auth_account
               WHERE auth_account.user_id = kyc_application.user_id
                 AND auth_account.password IS NOT NULL))`;

/** These items of the queue as they are shown, in any order. */
export async function readQueueRows(
  reader: Reader,
  ids: readonly string[],
  { now }: QueueScope,
): Promise<QueueRow[]> {
  const { rows } = await sql<QueueRow>`
    SELECT item.id, item.kind, item.user_id, item.review_status AS status, item.submitted_at,
           owner.name, owner.email, owner.employee_number,
           (SELECT count(*)::int FROM kyc_document AS document
             WHERE document.replaced_at IS NULL AND document.user_id = item.user_id
               AND CASE item.kind WHEN 'application' THEN document.application_id = item.id
                                  ELSE document.application_id IS NULL END) AS documents,
           holder.id AS holder_id, holder.name AS holder_name,
           claim.expires_at AS claim_expires_at
      FROM (SELECT id, kind, user_id, review_status, submitted_at FROM kyc_review_item
            UNION ALL
            SELECT id, 'application', user_id, status, created_at FROM kyc_application
             WHERE ${IS_FILLED_IN}) AS item
      JOIN app_user AS owner ON owner.id = item.user_id
      LEFT JOIN kyc_claim AS claim ON claim.item_id = item.id AND claim.expires_at > ${now}
      LEFT JOIN app_user AS holder ON holder.id = claim.admin_id
     WHERE item.id = ANY (${ids}::uuid[])`.execute(reader);
  return rows;
}

const HOUR_MS = 3_600_000;

/** Whole hours that have passed; never below 0. */
export function hoursSince(from: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - from.getTime()) / HOUR_MS));
}
