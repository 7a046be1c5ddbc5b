import { Suspense, lazy, useEffect, useState } from 'react';
import { onConfirmationNeeded, type ConfirmationWays } from '#web/api/confirmation.ts';

const ConfirmDialog = lazy(() =>
  import('./confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })),
);

interface Asked {
  ways: ConfirmationWays;
  settle: (isConfirmed: boolean) => void;
}

/**
 * Asks the user to confirm that it is them when the server wants that before a request; the request is
 * then repeated as it was. Once, at the root of the app.
 */
export function Confirmation() {
  const [asked, setAsked] = useState<Asked>();
  useEffect(
    () => onConfirmationNeeded((ways) => new Promise((settle) => setAsked({ ways, settle }))),
    [],
  );
  if (asked === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ConfirmDialog
        ways={asked.ways}
        onSettled={(isConfirmed) => {
          setAsked(undefined);
          asked.settle(isConfirmed);
        }}
      />
    </Suspense>
  );
}
