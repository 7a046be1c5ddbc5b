import { URGENCY_DAYS, type Urgency } from '#contract/withdrawals.ts';

export const URGENCY_LABELS: Record<Urgency, string> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
};

/** "Medium, 2–3 days" */
export function urgencyWithDays(urgency: Urgency): string {
  return `${URGENCY_LABELS[urgency]}, ${URGENCY_DAYS[urgency].label}`;
}
