import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface DoneDialogProps {
  title: string;
  /** Actions before "Done". */
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** Dialog that shows a result and asks nothing. Open while mounted. */
export function DoneDialog({ title, actions, onClose, children }: DoneDialogProps) {
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          {actions}
          <Button kind="solid" onPress={onClose}>
            Done
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
