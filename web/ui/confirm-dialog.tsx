import type { ReactNode } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  /** The question: "Cancel this withdrawal?" */
  title: string;
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** The consequence, with its amounts. */
  children: ReactNode;
  /** The safe answer, first in order: "Keep Request". */
  keepLabel: string;
  /** The answer that does it: "Cancel Request". */
  confirmLabel: string;
  kind?: ButtonKind | undefined;
  isPending?: boolean | undefined;
  pendingLabel?: string | undefined;
  /** Why it cannot be confirmed yet. */
  why?: string | undefined;
}

/** Asks before something that cannot be taken back. It stays open while pending; the caller closes it with the result. */
export function ConfirmDialog({
  title,
  isOpen,
  onClose,
  onConfirm,
  children,
  keepLabel,
  confirmLabel,
  kind = 'danger',
  isPending,
  pendingLabel,
  why,
}: ConfirmDialogProps) {
  return (
    <Dialog
      role="alertdialog"
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{keepLabel}</Button>
          <Button
            kind={kind}
            onPress={onConfirm}
            isPending={isPending}
            pendingLabel={pendingLabel}
            why={why}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
