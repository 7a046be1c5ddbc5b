import type { Ref } from 'react';
import type { ApplicationReview } from '#contract/api.ts';
import { NOTES_MAX_LENGTH } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import {
  DECISION_WORDS,
  hasRejectedDocument,
  isLegal,
  isUndecided,
  type DecisionName,
} from './decisions.ts';
import { TemplateMenu, withTemplate } from './templates.tsx';

interface ReviewBarProps {
  review: ApplicationReview;
  notes: string;
  notesError: string | undefined;
  onNotes: (notes: string) => void;
  notesRef: Ref<HTMLTextAreaElement>;
  /** Under way; the others wait. */
  pending: DecisionName | undefined;
  onDecide: (decision: DecisionName) => void;
}

const KINDS = {
  moveToReview: 'outline',
  reject: 'danger',
  requestResubmission: 'outline',
  approve: 'solid',
} as const;

const ORDER = ['reject', 'requestResubmission', 'moveToReview', 'approve'] as const;

/** Decisions that can be made about an application, and the notes that go with them. */
export function ReviewBar(props: ReviewBarProps) {
  const { review, notes, notesError, onNotes, notesRef, pending, onDecide } = props;
  const { status } = review.application;
  if (!isUndecided(status)) {
    return (
      <>
        <p className="muted">{outcomeOf(review)}</p>
        {notes !== '' && (
          <TextArea
            label="Your notes, not sent"
            name="notes"
            rows={1}
            maxLength={NOTES_MAX_LENGTH}
            value={notes}
            onChange={onNotes}
          />
        )}
      </>
    );
  }
  const approvalWaits = hasRejectedDocument(review.application);
  return (
    <>
      <TextArea
        label="Notes"
        name="notes"
        rows={1}
        ref={notesRef}
        placeholder="Reason or notes"
        maxLength={NOTES_MAX_LENGTH}
        value={notes}
        error={notesError}
        hint="Sent to the employee. Required to reject or resubmit."
        aside={
          <TemplateMenu
            of="application"
            onChoose={(template) => onNotes(withTemplate(notes, template))}
          />
        }
        onChange={onNotes}
      />
      <div className="review-acts">
        {ORDER.filter((decision) => isLegal(decision, status)).map((decision) => (
          <Button
            key={decision}
            kind={KINDS[decision]}
            isPending={pending === decision}
            why={
              decision === 'approve' && approvalWaits
                ? 'A document is rejected: approve it, or ask for a new one.'
                : undefined
            }
            isDisabled={pending !== undefined && pending !== decision}
            onPress={() => onDecide(decision)}
          >
            {DECISION_WORDS[decision].label}
          </Button>
        ))}
      </div>
    </>
  );
}

/** Why there is nothing to decide. */
function outcomeOf({ application: { status, history } }: ApplicationReview): string {
  const by = history.at(-1)?.by;
  const who = by === undefined ? '' : ` by ${by}`;
  switch (status) {
    case 'approved':
      return `Approved${who}. Nothing is left to decide.`;
    case 'rejected':
      return `Rejected${who}. The employee can start a new application.`;
    default:
      return 'The employee is making changes. It returns to the queue when it is submitted.';
  }
}
