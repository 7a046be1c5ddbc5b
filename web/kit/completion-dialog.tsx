import type { ReactNode } from 'react';
import { Button, type ButtonKind } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useLeaveQuestion } from '#web/ui/leave-question.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { CompletionFields, useCompletion, type Completion } from './completion.tsx';

interface CompletionDialogProps {
  /** "Complete this withdrawal?" */
  title: string;
  onClose: () => void;
  onConfirm: (completion: Completion) => void;
  /** Text of the dialog: the item, its amount and the consequence. */
  children: ReactNode;
  keepLabel: string;
  confirmLabel: string;
  kind: ButtonKind;
  isPending: boolean;
  pendingLabel: string;
  /** Why it was refused: what was typed stays. */
  refusal: string | undefined;
}

/** Asks when a payout left the bank, before it is completed. Mount it to open it. */
export function CompletionDialog({
  title,
  onClose,
  onConfirm,
  children,
  keepLabel,
  confirmLabel,
  kind,
  isPending,
  pendingLabel,
  refusal,
}: CompletionDialogProps) {
  const { state, hasWork, read } = useCompletion();
  const { onLeave, question } = useLeaveQuestion({ hasWork: hasWork && !isPending, onClose });
  return (
    <>
      <Dialog
        role="alertdialog"
        title={title}
        isOpen
        onClose={onLeave}
        onSubmit={() => {
          if (!isPending) read(onConfirm);
        }}
        actions={
          <>
            <Button onPress={onLeave}>{keepLabel}</Button>
            <Button kind={kind} type="submit" isPending={isPending} pendingLabel={pendingLabel}>
              {confirmLabel}
            </Button>
          </>
        }
      >
        <div className="form">
          {children}
          {refusal !== undefined && (
            <Notice tone="critical" role="alert">
              <strong>Nothing was changed.</strong> {refusal}
            </Notice>
          )}
          <CompletionFields
            state={state}
            referenceHint="The reference your bank gave the payment. The employee sees it."
          />
        </div>
      </Dialog>
      {question}
    </>
  );
}
