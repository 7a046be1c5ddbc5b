import { WEBHOOK_EVENT_IDS, type WebhookEvent } from '#contract/webhooks.ts';

/** Groups of events, one for each kind of thing. */
const GROUPS = {
  withdrawal: 'Withdrawals',
  deposit: 'Deposits',
  bill: 'Bills',
  payroll: 'Payrolls',
  person: 'People',
} as const;
export type EventGroup = keyof typeof GROUPS;

export const EVENT_GROUPS = (Object.keys(GROUPS) as EventGroup[]).map((group) => ({
  value: group,
  label: GROUPS[group],
}));

export function eventsOf(groups: readonly EventGroup[]): WebhookEvent[] {
  return WEBHOOK_EVENT_IDS.filter((event) => groups.some((group) => event.startsWith(`${group}.`)));
}

/** Groups from which at least one event is sent: "Withdrawals, Payrolls". */
export function groupWords(events: readonly WebhookEvent[]): string {
  return EVENT_GROUPS.filter(({ value }) => events.some((event) => event.startsWith(`${value}.`)))
    .map(({ label }) => label)
    .join(', ');
}
