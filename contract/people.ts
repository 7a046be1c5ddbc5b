import { EMAIL_MAX_LENGTH, NAME_MAX_LENGTH } from './limits.ts';
import { line } from './rules.ts';
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

const nameLine = line(2 * NAME_MAX_LENGTH + 1, 'Enter the full name');

/** A first and a last name in one field; what comes after the first space is the last name. */
export const fullNameRule: TextRule = {
  clean: (typed) => typed.trim().replaceAll(/ +/g, ' '),
  maxLength: nameLine.maxLength,
  problem: (text) => {
    const problem = nameLine.problem(text);
    if (problem !== undefined) return problem;
    const { firstName, lastName } = splitName(text);
    if (lastName === '') return 'Enter a first and a last name';
    return Math.max(firstName.length, lastName.length) > NAME_MAX_LENGTH
      ? `Use at most ${NAME_MAX_LENGTH} characters for each name`
      : undefined;
  },
};

/** "Anneke de Vries" is Anneke, de Vries. */
export function splitName(fullName: string): { firstName: string; lastName: string } {
  const [firstName = '', ...rest] = fullName.split(' ');
  return { firstName, lastName: rest.join(' ') };
}

/** What a person is in the company: "Support Specialist". */
export const positionRule: TextRule = line(NAME_MAX_LENGTH, 'Enter the position');

/** Where an admin invite stands. */
export const INVITE_STATUSES = ['waiting', 'used', 'expired', 'revoked'] as const;
export type InviteStatus = (typeof INVITE_STATUSES)[number];

export const inviteCan = {
  revoke: ['waiting'],
} as const satisfies Record<'revoke', readonly InviteStatus[]>;

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
