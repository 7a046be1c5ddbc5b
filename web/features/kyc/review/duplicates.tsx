import { KYC_DOCUMENT_LABELS, type DuplicateSignal } from '#contract/kyc.ts';
import type { ApplicationReview } from '#contract/api.ts';
import { personLabel } from '#web/lib/person-label.ts';
import { Notice } from '#web/ui/notice.tsx';

type Duplicate = ApplicationReview['duplicates'][number];

/** Data that other people have used too. A hint to the reviewer: nothing follows from it by itself. */
export function DuplicateSignals({ duplicates }: { duplicates: readonly Duplicate[] }) {
  if (duplicates.length === 0) return null;
  return (
    <Notice tone="caution">
      <p className="strong">Also used by another person</p>
      <ul aria-label="Duplicate signals">
        {duplicates.map((duplicate) => (
          <li key={`${duplicate.signal} ${duplicate.documentType ?? ''}`}>
            Same {whatOf(duplicate)} as {duplicate.people.map(personLabel).join(', ')}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function whatOf({ signal, documentType }: Duplicate): string {
  if (documentType === null) return SIGNAL_WORDS[signal];
  return `${SIGNAL_WORDS[signal]} (${KYC_DOCUMENT_LABELS[documentType]})`;
}

/** The beginning of a hint by the data in common: "Same ID number as …". */
const SIGNAL_WORDS: Readonly<Record<DuplicateSignal, string>> = {
  id_number: 'ID number',
  phone: 'phone number',
  address: 'address',
  image: 'image',
};
