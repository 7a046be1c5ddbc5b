import { useEffect, useState } from 'react';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { SessionEnd } from './watch-end.ts';

interface SessionWarningProps {
  end: SessionEnd;
  onStay: () => void;
  onLogOut: () => void;
  isLoggingOut: boolean;
}

/**
 * Warns that the session is about to end, counts down, and offers to extend it. Closing the dialog
 * extends it too.
 */
export function SessionWarning({ end, onStay, onLogOut, isLoggingOut }: SessionWarningProps) {
  const secondsLeft = useSecondsUntil(end.atMs);
  // A session that cannot be extended: after the warning was read, it must not cover the last
  // minute.
  const [isRead, setIsRead] = useState(false);
  if (isRead && !end.canBeExtended) return null;
  const onClose = end.canBeExtended ? onStay : () => setIsRead(true);
  return (
    <Dialog
      role="alertdialog"
      title={
        end.canBeExtended ? 'Do you want to stay signed in?' : 'You will have to sign in again'
      }
      size="reject"
      onClose={onClose}
      actions={
        <>
          <Button isPending={isLoggingOut} pendingLabel="Logging out" onPress={onLogOut}>
            Log Out
          </Button>
          <Button kind="solid" onPress={onClose}>
            {end.canBeExtended ? 'Stay Signed In' : 'OK'}
          </Button>
        </>
      }
    >
      <p>
        {end.canBeExtended
          ? 'You have not used Purser for a while.'
          : 'You have been signed in for a week, which is the maximum.'}{' '}
        This page will be locked in{' '}
        <span className="strong num" role="timer">
          {counted(secondsLeft, 'second')}
        </span>
        .
      </p>
      <p className="muted mt-2">
        What you typed stays on the page. You will see it again once you have signed in.
      </p>
    </Dialog>
  );
}

function useSecondsUntil(atMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.round((atMs - nowMs) / 1_000));
}
