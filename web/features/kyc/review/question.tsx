import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import type { ApplicationDecision, DecisionName } from './decisions.ts';
import { ResubmissionDialog } from './resubmission.tsx';

interface ReviewQuestionProps {
  decision: Exclude<DecisionName, 'moveToReview'>;
  applicant: string;
  /** Trimmed; a rejection has some. */
  notes: string;
  isPending: boolean;
  /** Why a request for resubmission was refused. */
  refusal: string | undefined;
  onConfirm: (decision: ApplicationDecision) => void;
  onClose: () => void;
}

/** Asks once more before an application is decided, with what its owner will read. */
export function ReviewQuestion({ decision, onConfirm, ...rest }: ReviewQuestionProps) {
  const { applicant, notes, isPending, refusal, onClose } = rest;
  switch (decision) {
    case 'approve':
      return (
        <ConfirmDialog
          title="Approve this application?"
          kind="solid"
          keepLabel="Not now"
          confirmLabel="Approve"
          isPending={isPending}
          pendingLabel="Approving"
          onClose={onClose}
          onConfirm={() => onConfirm({ action: 'approve', notes })}
        >
          <p>
            {applicant} can send money out from then on. The documents are approved with the
            application.
          </p>
          <Quoted notes={notes} />
        </ConfirmDialog>
      );
    case 'reject':
      return (
        <ConfirmDialog
          title="Reject this application?"
          keepLabel="Not now"
          confirmLabel="Reject"
          isPending={isPending}
          pendingLabel="Rejecting"
          onClose={onClose}
          onConfirm={() => onConfirm({ action: 'reject', reason: notes })}
        >
          <p>{applicant} can start a new application, and reads this reason:</p>
          <Quoted notes={notes} />
        </ConfirmDialog>
      );
    case 'requestResubmission':
      return (
        <ResubmissionDialog
          applicant={applicant}
          notes={notes}
          isPending={isPending}
          refusal={refusal}
          onConfirm={(input) => onConfirm({ action: 'requestResubmission', ...input })}
          onClose={onClose}
        />
      );
  }
}

function Quoted({ notes }: { notes: string }) {
  return notes === '' ? null : <blockquote className="review-quote">{notes}</blockquote>;
}
