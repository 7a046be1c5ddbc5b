import type { ReactNode } from 'react';
import { REASON_MAX_LENGTH } from '#contract/limits.ts';
import type { ButtonKind } from '#web/ui/button.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { FormDialog } from './form-dialog.tsx';
import { useFormState } from './form-state.ts';

interface ReasonDialogProps {
  /** Title: "Reject withdrawal". */
  title: string;
  onClose: () => void;
  /** Called with the trimmed reason, which is never empty. */
  onConfirm: (reason: string) => void;
  /** Subject and consequence, with amounts. */
  children: ReactNode;
  /** Safe answer, which comes first: "Keep Request". */
  keepLabel: string;
  /** Confirming answer: "Reject". */
  confirmLabel: string;
  /** Explanation while the reason is empty: "Enter a reason to reject." */
  emptyHint: string;
  /** Kind of the confirming button. */
  kind?: ButtonKind | undefined;
  /** Reader of the reason, if it is not the person: "Kept in the audit". */
  placeholder?: string | undefined;
  /** Further consequences above the field, one per line. */
  details?: ReactNode;
  /** Reason for a final refusal. The typed text stays and can be copied. */
  refusal?: string | undefined;
  /** Notice above the field: the state of the request, if people need to know it. */
  notice?: ReactNode;
  isPending: boolean;
  pendingLabel: string;
}

/**
 * Asks for the reason of a decision against a person, which they can read. Open while mounted. Each
 * opening starts with an empty reason.
 */
export function ReasonDialog(props: ReasonDialogProps) {
  const { title, onClose, onConfirm, children, keepLabel, confirmLabel, emptyHint } = props;
  const { kind = 'danger', placeholder = 'Sent to the employee', details, notice } = props;
  const state = useFormState({ initial: { reason: '' }, check: () => ({}) });
  const reason = state.fields.reason.value.trim();
  return (
    <FormDialog
      title={title}
      size="reject"
      state={state}
      task={{
        submit: () => onConfirm(reason),
        isPending: props.isPending,
        failure: nothingChanged(props.refusal),
      }}
      submit={{
        label: confirmLabel,
        pending: props.pendingLabel,
        kind,
        why: reason === '' ? emptyHint : undefined,
      }}
      cancel={keepLabel}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <p>{children}</p>
          {details}
          {notice}
          <TextArea
            label="Reason"
            isRequired
            placeholder={placeholder}
            maxLength={REASON_MAX_LENGTH}
            {...fields.reason}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Refusal of a decision, as its dialog says it. */
export function nothingChanged(refusal: string | undefined): ReactNode {
  if (refusal === undefined) return undefined;
  return (
    <>
      <strong>Nothing was changed.</strong> {refusal}
    </>
  );
}
