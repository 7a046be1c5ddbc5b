import { X } from 'lucide-react';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { Dialog, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface DrawerProps {
  /** Its accessible name: "Menu". */
  label: string;
  isOpen: boolean;
  onClose: () => void;
  /** At the top beside the cross: the wordmark. */
  head: ReactNode;
  children: ReactNode;
  /** At the bottom edge. */
  foot?: ReactNode;
}

/** The same width as in the style sheets: from here on the sidebar is always there. */
const wideScreen = '(min-width: 1024px)';

/** The sidebar on a narrow screen. A click beside it closes it; so does the window growing wide. */
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
            <Button kind="quiet" shape="icon" slot="close" aria-label="Close menu">
              <Icon of={X} />
            </Button>
          </div>
          {children}
          {foot !== undefined && <div className="drawer__foot">{foot}</div>}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
