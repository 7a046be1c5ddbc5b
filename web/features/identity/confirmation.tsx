import { Suspense, lazy, useEffect, useState } from 'react';
import { onConfirmationNeeded, type ConfirmedBy } from '#web/api/confirmation.ts';

const ConfirmDialog = lazy(() =>
  import('./confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })),
);

interface Asked {
  by: ConfirmedBy;
  settle: (isConfirmed: boolean) => void;
}

/**
 * Asks the user to confirm that it is them when the server wants that before a request; the request is
 * then repeated as it was. Once, at the root of the app.
 */
export function Confirmation() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(
    () => onConfirmationNeeded((by) => new Promise((settle) => setAsked({ by, settle }))),
    [],
  );
  if (asked === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog
        by={asked.by}
        onSettled={(isConfirmed) => {
          setAsked(undefined);
          asked.settle(isConfirmed);
        }}
      />
    </Suspense>
  );
}
