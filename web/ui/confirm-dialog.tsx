import type { ReactNode } from 'react';
import { Button, type ButtonKind } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  /** Question: "Cancel this withdrawal?" */
  title: string;
  /** Left out where the dialog is mounted while it is open. */
  isOpen?: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** Consequence with amounts. */
  children: ReactNode;
  /** Safe answer, which comes first: "Keep Request". */
  keepLabel: string;
  /** Confirming answer: "Cancel Request". */
  confirmLabel: string;
  kind?: ButtonKind | undefined;
  isPending?: boolean | undefined;
  pendingLabel?: string | undefined;
  /** Reason it cannot be confirmed yet. */
  why?: string | undefined;
  /** True where it shows tables. */
  isWide?: boolean | undefined;
}

/**
 * Asks before an act that cannot be undone. Stays open while pending. The caller closes it with the
 * result.
 */
export function ConfirmDialog({
  title,
  isOpen = true,
  onClose,
  onConfirm,
  children,
  keepLabel,
  confirmLabel,
  kind = 'danger',
  isPending,
  pendingLabel,
  why,
  isWide = false,
}: ConfirmDialogProps) {
  return (
    <Dialog
      role="alertdialog"
      size={isWide ? 'wide' : undefined}
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
