import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';

interface LeaverFrameProps {
  company: string | undefined;
  isClosing: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** Frame around the documents of a person who left. They have no other screens. */
export function LeaverFrame({ company, isClosing, onClose, children }: LeaverFrameProps) {
  return (
    <>
      <header className="topbar">
        <Wordmark href="/my-documents" />
        <span className="topbar__company">{company}</span>
        <div className="topbar__end">
          <Button kind="quiet" isPending={isClosing} pendingLabel="Closing" onPress={onClose}>
            Close Documents
          </Button>
        </div>
      </header>
      <main className="main" id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
