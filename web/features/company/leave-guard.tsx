import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';

/** Another tab of the settings keeps what is typed; any other screen would lose it, so that is asked. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      title="Discard unsaved changes?"
      isOpen={status === 'blocked'}
      keepLabel="Keep Editing"
      confirmLabel="Discard"
      onClose={() => reset?.()}
      onConfirm={() => proceed?.()}
    >
      <p>What you changed in the settings has not been saved.</p>
    </ConfirmDialog>
  );
}
