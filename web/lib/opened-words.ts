import type { RouteReply } from '#contract/api.ts';
import { ACCESSED_LABELS } from '#contract/kyc.ts';

type Opened = Pick<RouteReply<'listMyAccessLog'>['items'][number], 'what' | 'which'>;

/** "Payslip PAY-0048-0147" */
export function openedWords({ what, which }: Opened): string {
  const label = ACCESSED_LABELS[what];
  return which === null ? label : `${label} ${which}`;
}
