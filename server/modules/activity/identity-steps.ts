import { sql } from 'kysely';
import type { EmployeePage } from '#contract/api.ts';
import { EMPLOYEE_PAGE_ROWS } from '#contract/limits.ts';
import type { KycEvent, KycStatus } from '#contract/kyc.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';

/**
 * The person's latest application and what was done to it. What a reviewer wrote stays encrypted:
 * opening the application shows it, and is recorded.
 */
export async function identityOf(
  reader: Reader,
  userId: string,
): Promise<EmployeePage['identity']> {
  const { rows } = await sql<{ applicationId: string; status: KycStatus; steps: Step[] }>`
    SELECT latest.id AS application_id, latest.status,
           coalesce((SELECT json_agg(json_build_object('action', step.action, 'by', actor.name,
                                                       'at', step.created_at)
                                     ORDER BY step.application_version)
                       FROM kyc_action AS step JOIN app_user AS actor ON actor.id = step.actor_id
                      WHERE step.application_id = latest.id), '[]') AS steps
      FROM (SELECT id, status FROM kyc_application WHERE user_id = ${userId}
             ORDER BY (status = 'rejected'), created_at DESC, id DESC LIMIT 1) AS latest
  `.execute(reader);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    applicationId: row.applicationId,
    status: row.status,
    steps: row.steps.map(({ action, by, at }) => ({
      action: action,
      by,
      at: new Date(at).toISOString(),
    })),
  };
}

/**
 * The identity images that count now: neither replaced nor destroyed. An image of an application that
 * was closed counts until it is destroyed. Opening one is another matter, and is recorded.
 */
export async function documentsOf(
  reader: Reader,
  userId: string,
): Promise<EmployeePage['documents']> {
  const rows = await reader
    .selectFrom('kycDocument as document')
    .leftJoin('appUser as reviewer', 'reviewer.id', 'document.reviewedBy')
    .leftJoin('kycProfile as profile', 'profile.userId', 'document.userId')
    .select(['document.id', 'document.type', 'document.status', 'document.applicationId'])
    .select(['document.uploadedAt', 'document.reviewedAt'])
    .select(['reviewer.name as reviewedBy', 'profile.id as profileId'])
    .where('document.userId', '=', userId)
    .where('document.replacedAt', 'is', null)
    .where('document.destroyedAt', 'is', null)
    .orderBy('document.uploadedAt', 'desc')
    .orderBy('document.id')
    .limit(EMPLOYEE_PAGE_ROWS)
    .execute();
  return rows.map(({ applicationId, profileId, ...row }) => ({
    ...row,
    reviewed:
      applicationId === null
        ? { as: 'documents', id: invariant(profileId, 'wallet documents without a profile') }
        : { as: 'application', id: applicationId },
    uploadedAt: row.uploadedAt.toISOString(),
    reviewedAt: row.reviewedAt?.toISOString() ?? null,
  }));
}

interface Step {
  action: KycEvent;
  by: string;
  at: string;
}
