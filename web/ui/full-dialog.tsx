import type { ReactNode } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import './image-viewer.css';

interface FullDialogProps {
  /** Its accessible name: "KYC review". */
  label: string;
  /** Asked to close by Escape, or by a button in it with `slot="close"`. */
  onClose: () => void;
  /** The classes `full-dialog__head`, `__body` and `__foot` make the middle one scroll. */
  children: ReactNode;
}

/** A task that takes the whole window, over the page it was opened from. Mount it to open it. */
export function FullDialog({ label, onClose, children }: FullDialogProps) {
  return (
    <ModalOverlay className="full-dialog__scrim" isOpen onOpenChange={(open) => !open && onClose()}>
      <Modal className="full-dialog">
        <Dialog aria-label={label}>{children}</Dialog>
      </Modal>
    </ModalOverlay>
  );
}
