import type { ReactNode } from 'react';
import { AmountsHiddenContext } from '#web/lib/privacy.ts';

/** Shows the amount that is being moved, even if other amounts are hidden. */
export function ShownAmounts({ children }: { children: ReactNode }) {
  return <AmountsHiddenContext value={false}>{children}</AmountsHiddenContext>;
}
