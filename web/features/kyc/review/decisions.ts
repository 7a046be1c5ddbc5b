import type { ApplicationReview, RouteInput } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { kycCan, type KycStatus } from '#contract/kyc.ts';
import { call } from '#web/api/client.ts';

type Resubmission = RouteInput<'adminRequestResubmission'>['body'];

/** A decision on an application, with what it carries. */
export type ApplicationDecision =
  | { action: 'moveToReview' }
  | { action: 'approve'; notes: string }
  | { action: 'reject'; reason: string }
  | ({ action: 'requestResubmission' } & Omit<Resubmission, 'version'>);

export type DecisionName = ApplicationDecision['action'];

export const DECISION_WORDS: Record<DecisionName, { label: string; done: string }> = {
  moveToReview: { label: 'Move to review', done: 'Application Moved to Review' },
  reject: { label: 'Reject', done: 'Application Rejected' },
  requestResubmission: { label: 'Request resubmission', done: 'Resubmission Requested' },
  approve: { label: 'Approve', done: 'Application Approved' },
};

/**
 * True if the desk offers a decision. An application in review already could be moved there again by the
 * table, which would change nothing.
 */
export function isLegal(decision: DecisionName, status: KycStatus): boolean {
  if (decision === 'moveToReview' && status === 'in_review') return false;
  return can(kycCan, decision, status);
}

/** The reasons that keep an application from being approved: its documents are approved with it. */
export function hasRejectedDocument({ documents }: ApplicationReview['application']): boolean {
  return documents.some(({ status }) => status === 'rejected');
}

/** True if any decision can be made about an application. */
export function isUndecided(status: KycStatus): boolean {
  return can(kycCan, 'approve', status);
}

/** Sends a decision on an application as the reviewer saw it: a newer one refuses it. */
export function sendDecision(
  id: string,
  version: number,
  decision: ApplicationDecision,
): Promise<ApplicationReview> {
  const params = { id };
  switch (decision.action) {
    case 'moveToReview':
      return call('adminMoveToReview', { params, body: { version } });
    case 'approve':
      return call('adminApproveApplication', { params, body: { version, notes: decision.notes } });
    case 'reject':
      return call('adminRejectApplication', { params, body: { version, reason: decision.reason } });
    case 'requestResubmission': {
      const { notes, items } = decision;
      return call('adminRequestResubmission', { params, body: { version, notes, items } });
    }
  }
}
