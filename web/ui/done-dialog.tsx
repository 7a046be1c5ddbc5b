import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { Dialog } from './dialog.tsx';

interface DoneDialogProps {
  title: string;
  /** Actions before "Done". */
  actions?: ReactNode;
  /** True for a receipt, which is printed alone. */
  isReceipt?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Dialog that shows a result and asks nothing. Open while mounted. */
export function DoneDialog(props: DoneDialogProps) {
  const { title, actions, isReceipt = false, onClose, children } = props;
  return (
    <Dialog
      title={title}
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
      <div className={classNames('dialog__parts', isReceipt && 'receipt')}>{children}</div>
    </Dialog>
  );
}
