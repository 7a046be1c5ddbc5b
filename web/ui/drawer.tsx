import { X } from 'lucide-react';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { IconButton } from './icon-button.tsx';

interface DrawerProps {
  /** Accessible name: "Menu". */
  label: string;
  isOpen: boolean;
  onClose: () => void;
  /** Content at the top, next to the cross: the wordmark. */
  head: ReactNode;
  children: ReactNode;
  /** Content at the bottom edge. */
  foot?: ReactNode;
}

/** Same width as in the style sheets. Wider screens always show the sidebar. */
const wideScreen = '(min-width: 1024px)';

/** Sidebar on a narrow screen. A click outside closes it, and so does widening the window. */
export function Drawer({ label, isOpen, onClose, head, children, foot }: DrawerProps) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return;
    const media = window.matchMedia(wideScreen);
    const onChange = () => media.matches && close();
    media.addEventListener('change', onChange);
    return () => media.removeEventListener('change', onChange);
  }, [isOpen]);

  return (
    <ModalOverlay
      className="drawer-scrim"
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => !open && onClose()}
    >
      <Modal className="drawer">
        <Dialog aria-label={label}>
          <div className="drawer__head">
            {head}
            <IconButton icon={X} slot="close" label="Close menu" />
          </div>
          {children}
          {foot !== undefined && <div className="drawer__foot">{foot}</div>}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
