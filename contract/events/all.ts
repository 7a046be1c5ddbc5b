import { COMPANY_EVENTS } from './company.ts';
import { MONEY_EVENTS } from './money.ts';
import { SIGN_IN_EVENTS } from './sign-in.ts';

/**
 * What the audit trail records besides the acts of things (contract/things/): each event with its subject, its words
 * on the audit page, whom it notifies and with which words, and which screens are read again. The server writes all of
 * it by one call of `record`.
 */
export const EVENTS = { ...SIGN_IN_EVENTS, ...MONEY_EVENTS, ...COMPANY_EVENTS } as const;

export type EventName = keyof typeof EVENTS;
