import { WEBHOOK_EVENT_IDS, type WebhookEvent } from '#contract/webhooks.ts';

/** What events are chosen by: all about one kind of thing. */
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

/** "Withdrawals, Payrolls": of which kinds any event is sent. */
export function groupWords(events: readonly WebhookEvent[]): string {
  return EVENT_GROUPS.filter(({ value }) => events.some((event) => event.startsWith(`${value}.`)))
    .map(({ label }) => label)
    .join(', ');
}
