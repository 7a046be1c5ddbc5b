/**
 * Events that a company's own systems can be sent, by the Standard Webhooks specification
 * (https://www.standardwebhooks.com). Free of zod.
 */
import type { TextRule } from './rules.ts';
import { line } from './rules.ts';
import { bill } from './things/bill.ts';
import { deposit } from './things/deposit.ts';
import { payrollBatch } from './things/payroll-batch.ts';
import { payrollLine } from './things/payroll-line.ts';
import { person } from './things/person.ts';
import { recovery } from './things/recovery.ts';
import { sentEvents } from './things/words.ts';
import { withdrawal } from './things/withdrawal.ts';
import { keysOf } from './keys.ts';

/** The acts that are sent, by their name in the audit trail, and their words. */
export const WEBHOOK_EVENTS = {
  ...sentEvents(withdrawal),
  ...sentEvents(deposit),
  ...sentEvents(bill),
  ...sentEvents(payrollBatch),
  ...sentEvents(payrollLine),
  ...sentEvents(recovery),
  ...sentEvents(person),
} as const;
export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_IDS = keysOf(WEBHOOK_EVENTS);

/** The facts of a record that are sent with its ids; none is a name or an account number. */
export const WEBHOOK_FACTS: readonly string[] = [
  'reference',
  'amountMinor',
  'totalMinor',
  'paidMinor',
  'currency',
  'payable',
  'skipped',
  'paid',
  'failed',
];

/** Type of the message that an admin sends to try an address. */
export const TEST_EVENT = 'webhook.test';

export const WEBHOOK_DELIVERY_STATUSES = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryStatus = (typeof WEBHOOK_DELIVERY_STATUSES)[number];

export const webhookDeliveryCan = {
  redeliver: ['delivered', 'failed'],
} as const satisfies Record<'redeliver', readonly WebhookDeliveryStatus[]>;

const URL_MAX_LENGTH = 500;
const plainLine = line(URL_MAX_LENGTH, 'Enter the address');

/** Address for messages. The server checks that it is public, again at each connection. */
export const webhookUrlRule: TextRule = {
  ...plainLine,
  problem: (text) => plainLine.problem(text) ?? (isAddress(text) ? undefined : ADDRESS_PROBLEM),
};
const ADDRESS_PROBLEM = 'Enter an address that begins with https:// and has no password in it';

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' && hash === '';
}

/** Message for an address whose name resolves outside the public internet. */
export const PRIVATE_ADDRESS_PROBLEM =
  'Enter an address on the public internet. This one is in a private network';

export const NO_EVENTS_PROBLEM = 'Choose at least one event';
