import type { ReactNode } from 'react';
import { AmountsHiddenContext } from '#web/lib/privacy.ts';

/** What is being moved right now: it is always shown, also where other amounts are hidden. */
export function ShownAmounts({ children }: { children: ReactNode }) {
  return <AmountsHiddenContext value={false}>{children}</AmountsHiddenContext>;
}
