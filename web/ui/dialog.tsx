import { X } from 'lucide-react';
import type { FormEvent, ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { classNames } from './class-names.ts';
import { IconButton } from './icon-button.tsx';

interface DialogProps {
  title: string;
  /** Left out where the dialog is mounted while it is open. */
  isOpen?: boolean;
  /**
   * Called by the cross or Escape. A click outside does nothing, so that typed work is not lost by
   * mistake.
   */
  onClose: () => void;
  children: ReactNode;
  /** Buttons on the right: the safe one first, the main one at the edge. */
  actions?: ReactNode;
  /** `standard` is 560 px wide, `reject` 448, `wide` 896, for tables. Phones show a sheet from the bottom. */
  size?: 'standard' | 'reject' | 'wide' | undefined;
  /**
   * Makes body and actions one form, so that Enter in a field submits it. The default is prevented.
   */
  onSubmit?: (() => void) | undefined;
  /** `alertdialog` for a question that needs an answer. */
  role?: 'dialog' | 'alertdialog' | undefined;
}

/** A task on top of the page. Focus moves in and stays, Escape closes, then focus returns. */
export function Dialog({
  title,
  isOpen = true,
  onClose,
  children,
  actions,
  size = 'standard',
  onSubmit,
  role = 'dialog',
}: DialogProps) {
  const content = (
    <>
      <div className="dialog__body">{children}</div>
      {actions !== undefined && <div className="dialog__foot">{actions}</div>}
    </>
  );
  return (
    <ModalOverlay className="scrim" isOpen={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Modal className={classNames('dialog', size !== 'standard' && `dialog--${size}`)}>
        <AriaDialog role={role}>
          <div className="dialog__head">
            <Heading slot="title" level={2} className="dialog-title">
              {title}
            </Heading>
            <IconButton icon={X} slot="close" label="Close" />
          </div>
          {onSubmit === undefined ? (
            content
          ) : (
            <DialogForm onSubmit={onSubmit}>{content}</DialogForm>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

function DialogForm({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form noValidate onSubmit={submit}>
      {children}
    </form>
  );
}
