import { useBlocker } from '@tanstack/react-router';
import { isPageLocked } from '#web/api/session-lock.ts';
import { hasUnsavedWork } from '#web/lib/unsaved-work.ts';
import { isBulkRunning } from './bulk-runs.ts';
import { LeaveQuestion } from '#web/ui/leave-question.tsx';

/** Asks before a link, the Back button or a reload drops what was typed. Once, at the root of the app. */
export function LeaveGuard() {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next, action }) => {
      // The lock keeps every way shut itself. A question behind it would wait for an answer nobody can give.
      if (isPageLocked()) return false;
      const isOtherScreen = current.pathname !== next.pathname;
      // A dialog that is in the address is closed by the way back; what closes it by itself replaces or adds.
      const isStep = action === 'BACK' || action === 'FORWARD' || action === 'GO';
      return isOtherScreen ? hasUnsavedWork() : isStep && hasUnsavedWork('dialog');
    },
    enableBeforeUnload: () => hasUnsavedWork() || isBulkRunning(),
    withResolver: true,
  });
  return (
    <LeaveQuestion
      isOpen={status === 'blocked'}
      onStay={() => reset?.()}
      onLeave={() => proceed?.()}
    />
  );
}
