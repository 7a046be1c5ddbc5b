import { useState } from 'react';
import type { KycDocument } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { REASON_MAX_LENGTH } from '#contract/limits.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import type { ReviewTarget } from './queue-words.ts';
import { TemplateMenu, withTemplate } from './templates.tsx';

/** The words of the specification, section 5. */
export const REASON_MISSING = 'Rejection reason is required';

interface RejectDocumentProps {
  kind: ReviewTarget['kind'];
  document: KycDocument;
  isPending: boolean;
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** Asks why a document is rejected, in words for its owner. */
export function RejectDocument(props: RejectDocumentProps) {
  const { kind, document, isPending, onConfirm, onClose } = props;
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();

  function change(text: string): void {
    setProblem(undefined);
    setTyped(text);
  }

  function submit(): void {
    const reason = typed.trim();
    if (reason === '') setProblem(REASON_MISSING);
    else if (!isPending) onConfirm(reason);
  }

  return (
    <Dialog
      title={`Reject ${KYC_DOCUMENT_LABELS[document.type]}`}
      size="reject"
      isOpen
      onClose={onClose}
      onSubmit={submit}
      actions={
        <>
          <Button onPress={onClose}>Keep Document</Button>
          <Button kind="danger" type="submit" isPending={isPending} pendingLabel="Rejecting">
            Reject
          </Button>
        </>
      }
    >
      <TextArea
        label="Reason"
        name="reason"
        isRequired
        placeholder="Sent to the employee"
        maxLength={REASON_MAX_LENGTH}
        value={typed}
        error={problem}
        aside={<TemplateMenu of={kind} onChoose={(text) => change(withTemplate(typed, text))} />}
        onChange={change}
      />
    </Dialog>
  );
}
