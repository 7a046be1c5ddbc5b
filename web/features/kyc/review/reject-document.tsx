import type { KycDocument } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { reasonRule } from '#contract/reasons.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { checkRules, useFormState } from '#web/kit/form-state.ts';
import { TextArea } from '#web/ui/text-area.tsx';
import type { ReviewTarget } from './queue-words.ts';
import { TemplateMenu, withTemplate } from './templates.tsx';

interface RejectDocumentProps {
  kind: ReviewTarget['kind'];
  document: KycDocument;
  isPending: boolean;
  /** Why it was refused: what was typed stays. */
  refusal: string | undefined;
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** Asks why a document is rejected, in words for its owner. */
export function RejectDocument(props: RejectDocumentProps) {
  const { kind, document, isPending, refusal, onConfirm, onClose } = props;
  const state = useFormState({
    initial: { reason: '' },
    check: (values) => checkRules(values, { reason: reasonRule }),
  });
  return (
    <FormDialog
      title={`Reject ${KYC_DOCUMENT_LABELS[document.type]}`}
      state={state}
      task={{ submit: ({ reason }) => onConfirm(reason.trim()), isPending, failure: refusal }}
      submit={{ label: 'Reject', pending: 'Rejecting', kind: 'danger' }}
      cancel="Keep Document"
      size="reject"
      onClose={onClose}
    >
      {({ reason }) => (
        <TextArea
          {...reason}
          label="Reason"
          isRequired
          placeholder="Sent to the employee"
          maxLength={reasonRule.maxLength}
          aside={
            <TemplateMenu
              of={kind}
              onChoose={(text) => reason.onChange(withTemplate(reason.value, text))}
            />
          }
        />
      )}
    </FormDialog>
  );
}
