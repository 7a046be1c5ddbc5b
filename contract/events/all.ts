import { COMPANY_EVENTS } from './company.ts';
import { MONEY_EVENTS } from './money.ts';
import { SIGN_IN_EVENTS } from './sign-in.ts';

/**
 * Events that the audit trail records in addition to the acts of things (contract/things/): each with its
 * subject, its words on the audit page, whom it notifies and with which words, and which screens are read
 * again. The server writes all of it by one call of `record`.
 */
export const EVENTS = { ...SIGN_IN_EVENTS, ...MONEY_EVENTS, ...COMPANY_EVENTS } as const;

export type EventName = keyof typeof EVENTS;
