import { useState, type ReactNode } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { useLeaveQuestion } from './leave-question.tsx';
import { Notice } from './notice.tsx';
import { TextArea } from './text-area.tsx';

interface ReasonDialogProps {
  /** "Reject withdrawal" */
  title: string;
  onClose: () => void;
  /** Called with the trimmed reason, which is never empty. */
  onConfirm: (reason: string) => void;
  /** What it is about and what follows from it, with its amounts. */
  children: ReactNode;
  /** The safe answer, first in order: "Keep Request". */
  keepLabel: string;
  /** The answer that does it: "Reject". */
  confirmLabel: string;
  /** Why the answer waits for a reason: "Enter a reason to reject." */
  emptyHint: string;
  maxLength: number;
  /** Of the answer that does it. */
  kind?: ButtonKind | undefined;
  /** Who reads the reason, where it is not the person: "Kept in the audit". */
  placeholder?: string | undefined;
  /** Over the reason: what follows, point by point. */
  details?: ReactNode;
  /** Why the server refused, beside the field. */
  error?: string | undefined;
  /** Why it was refused for good: what was typed stays and can be copied. */
  refusal?: string | undefined;
  /** Over the field: how the sending stands, where it has to be said. */
  notice?: ReactNode;
  isPending?: boolean | undefined;
  pendingLabel?: string | undefined;
}

/**
 * Asks for the reason of a decision against a person, in their place to read. Mount it to open it:
 * each time starts with an empty reason.
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
