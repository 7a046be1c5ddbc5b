import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { KycDocument } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { ApiError, call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';
import { toast } from '#web/ui/toast-queue.ts';
import { DECISION_WORDS, sendDecision, type ApplicationDecision } from './decisions.ts';
import type { ReviewTarget } from './queue-filter.ts';
import { applicationQuery, reloadTarget } from './queries.ts';

/** Says why something was refused. What it was about may have changed: the desk reads it again. */
function useRefused() {
  const queryClient = useQueryClient();
  return (error: Error) => {
    toast({
      title: 'Action Failed',
      message: errorMessage(error, 'Nothing was changed.'),
      tone: 'critical',
    });
    markStale(queryClient, 'kyc');
  };
}

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
  const refused = useRefused();
  return useMutation({
    mutationFn: ({ version, decision }: Deciding) => sendDecision(id, version, decision),
    onSuccess: (review, { decision }) => {
      queryClient.setQueryData(applicationQuery(id).queryKey, review);
      markStale(queryClient, 'kyc');
      toast({
        title: DECISION_WORDS[decision.action].done,
        message: `${review.employee.name} is told at once.`,
        tone: 'positive',
      });
      onSettled();
    },
    onError: (error) => {
      refused(error);
      // An unknown outcome keeps the question open: pressing again cannot decide twice.
      if (error instanceof ApiError) onSettled();
    },
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
  const refused = useRefused();
  return useMutation({
    mutationFn: ({ document: { id, version }, reason }: DecidingDocument) =>
      reason === undefined
        ? call('adminApproveDocument', { params: { id }, body: { version } })
        : call('adminRejectDocument', { params: { id }, body: { version, reason } }),
    onSuccess: async ({ type }, { reason }) => {
      onSettled();
      toast({
        title: reason === undefined ? 'Document Approved' : 'Document Rejected',
        message: `${KYC_DOCUMENT_LABELS[type]}.`,
        tone: 'positive',
      });
      markStale(queryClient, 'kyc');
      // Pending until the next press would name the next version.
      await reloadTarget(queryClient, target);
    },
    onError: (error) => {
      refused(error);
      if (error instanceof ApiError) onSettled();
    },
  });
}
