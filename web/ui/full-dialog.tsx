import type { ReactNode } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import './image-viewer.css';

interface FullDialogProps {
  /** Accessible name: "KYC review". */
  label: string;
  /** Called by Escape, or by a button with `slot="close"`. */
  onClose: () => void;
  /** The classes `full-dialog__head`, `__body` and `__foot` make the body scroll. */
  children: ReactNode;
}

/** Dialog that fills the window, on top of the page that opened it. Open while mounted. */
export function FullDialog({ label, onClose, children }: FullDialogProps) {
  return (
    <ModalOverlay className="full-dialog__scrim" isOpen onOpenChange={(open) => !open && onClose()}>
      <Modal className="full-dialog">
        <Dialog aria-label={label}>{children}</Dialog>
      </Modal>
    </ModalOverlay>
  );
}
