import { useState, type ReactNode } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useLeaveQuestion } from './leave-question.tsx';
import { Notice } from './notice.tsx';
import { TextArea } from './text-area.tsx';

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
  maxLength: number;
  /** Kind of the confirming button. */
  kind?: ButtonKind | undefined;
  /** Reader of the reason, if it is not the person: "Kept in the audit". */
  placeholder?: string | undefined;
  /** Further consequences above the field, one per line. */
  details?: ReactNode;
  /** Reason for the server's refusal, next to the field. */
  error?: string | undefined;
  /** Reason for a final refusal. The typed text stays and can be copied. */
  refusal?: string | undefined;
  /** Notice above the field: the state of the request, if people need to know it. */
  notice?: ReactNode;
  isPending?: boolean | undefined;
  pendingLabel?: string | undefined;
}

/**
 * Asks for the reason of a decision against a person, which they can read. Open while mounted. Each
 * opening starts with an empty reason.
 */
export function ReasonDialog({
  title,
  onClose,
  onConfirm,
  children,
  keepLabel,
  confirmLabel,
  emptyHint,
  maxLength,
  kind = 'danger',
  placeholder = 'Sent to the employee',
  details,
  error,
  refusal,
  notice,
  isPending = false,
  pendingLabel,
}: ReasonDialogProps) {
  const [typed, setTyped] = useState('');
  const reason = typed.trim();
  const { onLeave, question } = useLeaveQuestion({ hasWork: reason !== '' && !isPending, onClose });
  return (
    <>
      <Dialog
        title={title}
        size="reject"
        isOpen
        onClose={onLeave}
        onSubmit={() => {
          if (reason !== '' && !isPending) onConfirm(reason);
        }}
        actions={
          <>
            <Button onPress={onLeave}>{keepLabel}</Button>
            <Button
              kind={kind}
              type="submit"
              isPending={isPending}
              pendingLabel={pendingLabel}
              why={reason === '' ? emptyHint : undefined}
            >
              {confirmLabel}
            </Button>
          </>
        }
      >
        <div className="form">
          <p>{children}</p>
          {details}
          {notice}
          {refusal !== undefined && (
            <Notice tone="critical" role="alert">
              <strong>Nothing was changed.</strong> {refusal}
            </Notice>
          )}
          <TextArea
            label="Reason"
            name="reason"
            isRequired
            placeholder={placeholder}
            maxLength={maxLength}
            value={typed}
            onChange={setTyped}
            error={error}
          />
        </div>
      </Dialog>
      {question}
    </>
  );
}
