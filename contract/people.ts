import { EMAIL_MAX_LENGTH } from './limits.ts';
import type { TextRule } from './rules.ts';

/**
 * Where a person stands. An applicant signed up and was accepted by nobody yet: payroll pays them
 * nothing. Who is deactivated cannot sign in, and keeps what is theirs.
 */
export const STANDINGS = ['applicant', 'active', 'deactivated'] as const;
export type Standing = (typeof STANDINGS)[number];

export type PersonAction = 'accept' | 'deactivate' | 'reactivate' | 'endSessions' | 'revokeAdmin';

/** In which standing each action is legal. */
export const personCan = {
  accept: ['applicant'],
  deactivate: ['applicant', 'active'],
  reactivate: ['deactivated'],
  endSessions: ['applicant', 'active'],
  revokeAdmin: ['active'],
} as const satisfies Record<PersonAction, readonly Standing[]>;

/** Who may sign up: anybody, who has an address of the company's domains, nobody. */
export const JOIN_POLICIES = ['anybody', 'domains', 'added'] as const;
export type JoinPolicy = (typeof JOIN_POLICIES)[number];

/** More domains than any company has. */
export const MOST_JOIN_DOMAINS = 50;

/** A domain as it stands behind the @ of an address. */
export const domainRule: TextRule = {
  clean: (typed) => typed.trim().toLowerCase().replace(/^@/, ''),
  maxLength: EMAIL_MAX_LENGTH,
  problem: (text) =>
    text.length <= EMAIL_MAX_LENGTH && /^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(text)
      ? undefined
      : 'Enter a domain such as example.com',
};
