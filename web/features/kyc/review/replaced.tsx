import type { KycDocument } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { TextButton } from '#web/ui/text-button.tsx';

interface ReplacedDocumentsProps {
  replaced: readonly KycDocument[];
  onShow: (id: string) => void;
}

/** Earlier images that a decision rested on; nothing where there are none. */
export function ReplacedDocuments({ replaced, onShow }: ReplacedDocumentsProps) {
  if (replaced.length === 0) return null;
  return (
    <section className="review-group">
      <h3>Earlier images</h3>
      <ul className="review-replaced">
        {replaced.map(({ id, type, status, uploadedAt }) => (
          <li key={id}>
            <TextButton onPress={() => onShow(id)}>
              {KYC_DOCUMENT_LABELS[type]}, <Time at={uploadedAt} as="date" />
            </TextButton>
            <Status status={status} isFinal={status === 'approved'} />
          </li>
        ))}
      </ul>
    </section>
  );
}
