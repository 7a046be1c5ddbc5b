import { useQueryClient } from '@tanstack/react-query';
import type { KycDocument } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { call } from '#web/api/client.ts';
import { useDecision } from '#web/kit/use-decision.ts';
import { DECISION_WORDS, sendDecision, type ApplicationDecision } from './decisions.ts';
import { applicationQuery, reloadTarget } from './queries.ts';
import type { ReviewTarget } from './queue-words.ts';

interface Deciding {
  version: number;
  decision: ApplicationDecision;
}

/**
 * Decides on an application and shows what became of it.
 * @param onSettled the question can close: it was decided, or refused
 */
export function useDecideApplication(id: string, onSettled: () => void) {
  const queryClient = useQueryClient();
  return useDecision({
    send: ({ version, decision }: Deciding) => sendDecision(id, version, decision),
    topic: 'kyc',
    done: ({ employee }, { decision }) => ({
      title: DECISION_WORDS[decision.action].done,
      message: `${employee.name} has been notified.`,
    }),
    unchanged: 'Nothing was changed.',
    // The dialog keeps what was chosen and typed.
    saysRefusal: ({ decision }) => decision.action === 'requestResubmission',
    onReply: (review) => queryClient.setQueryData(applicationQuery(id).queryKey, review),
    onSettled,
  });
}

interface DecidingDocument {
  document: Pick<KycDocument, 'id' | 'type' | 'version'>;
  /** A rejection carries one. */
  reason?: string;
}

/** Approves or rejects one document, and reads again what it belongs to. */
export function useDecideDocument(target: ReviewTarget, onSettled: () => void) {
  const queryClient = useQueryClient();
  return useDecision({
    send: ({ document: { id, version }, reason }: DecidingDocument) =>
      reason === undefined
        ? call('adminApproveDocument', { params: { id }, body: { version } })
        : call('adminRejectDocument', { params: { id }, body: { version, reason } }),
    topic: 'kyc',
    done: (_reply, { document, reason }) => ({
      title: reason === undefined ? 'Document Approved' : 'Document Rejected',
      message: `${KYC_DOCUMENT_LABELS[document.type]}.`,
    }),
    unchanged: 'Nothing was changed.',
    // The dialog keeps the reason that was typed.
    saysRefusal: ({ reason }) => reason !== undefined,
    onSettled,
    // Pending until the next press would name the next version.
    afterwards: () => reloadTarget(queryClient, target),
  });
}
