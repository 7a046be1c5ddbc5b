import { Download } from 'lucide-react';
import { useRef } from 'react';
import { call } from '#web/api/client.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { toastFailure } from './action.tsx';

interface ExportLinkProps {
  /** The operation's address, with the filter of what is seen; undefined while a range of it is wrong. */
  href: string | undefined;
  label: string;
}

/**
 * Saves all rows of a list as a file. The browser fetches it, so that no size is too large; what it
 * fetches cannot ask the user to confirm that it is them, so that is done before.
 */
export function ExportLink({ href, label }: ExportLinkProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const isConfirmed = useRef(false);

  async function confirmAndSave(): Promise<void> {
    try {
      await call('checkConfirmation');
      isConfirmed.current = true;
      link.current?.click();
      toast({
        title: 'Export Successful',
        message: 'Your browser is saving the file.',
        tone: 'positive',
      });
    } catch (error) {
      toastFailure('Export failed', error);
    }
  }

  if (href === undefined) {
    return (
      <Button isDisabled>
        <Icon of={Download} size={16} />
        {label}
      </Button>
    );
  }
  return (
    <a
      ref={link}
      href={href}
      download=""
      className={buttonClass()}
      onClick={(event) => {
        if (!isConfirmed.current) {
          event.preventDefault();
          void confirmAndSave();
        }
        isConfirmed.current = false;
      }}
    >
      <Icon of={Download} size={16} />
      {label}
    </a>
  );
}
