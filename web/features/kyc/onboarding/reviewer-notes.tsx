import type { KycApplication } from '#contract/api.ts';
import { RESUBMISSION_ITEM_LABELS } from '#contract/kyc.ts';
import { Notice } from '#web/ui/notice.tsx';

interface ReviewerNotesProps {
  notes: KycApplication['resubmissionItems'];
}

/** The corrections that the reviewer asks for here. */
export function ReviewerNotes({ notes }: ReviewerNotesProps) {
  if (notes.length === 0) return null;
  return (
    <div className="reviewer-notes">
      {notes.map(({ item, note }) => (
        <Notice tone="caution" key={item}>
          <p className="strong">The reviewer asks about {RESUBMISSION_ITEM_LABELS[item]}</p>
          {note !== '' && <p className="reviewer-notes__words">{note}</p>}
        </Notice>
      ))}
    </div>
  );
}
