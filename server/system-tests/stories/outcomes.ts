import type { NotificationKind } from '#contract/notification-kinds.ts';

/**
 * Outcome of a story at its worst. The story's test compares it with what happened, and `npm run api:client` writes it
 * into docs/security.md.
 */
export interface Outcome {
  /** Name of the test's file in this folder. */
  readonly file: string;
  readonly who: string;
  readonly tries: string;
  /** Money that left the company, in cents. */
  readonly leftMinor: bigint;
  /** Money that reached their wallets and has not left, in cents. */
  readonly insideMinor: bigint;
  /** Whole hours that they waited for it. */
  readonly hours: number;
  /** Limits of the amount, or what else is to be said of it. Sentences. */
  readonly remark: string;
  /** Kinds of notifications that the others got, in alphabetical order. */
  readonly told: {
    /** Sent to the person whose account is misused, or to an administrator about their own. */
    readonly owner: readonly NotificationKind[];
    /** Sent to every administrator. */
    readonly admins: readonly NotificationKind[];
  };
}

const NOTHING = { leftMinor: 0n, insideMinor: 0n, hours: 0 } as const;

/** Outcomes of all stories, in the order of the page. */
export const OUTCOMES = {
  rogueAdmin: {
    file: 'rogue-admin',
    who: 'One administrator of three',
    tries:
      'invites a second person, lets one in again, resets two-factor, takes rights, loosens rules',
    ...NOTHING,
    remark: '',
    told: {
      owner: [],
      admins: [
        'admin-change-proposed',
        'administrator-invited',
        'funding-to-approve',
        'new-administrator',
        'security-change-waits',
      ],
    },
  },
  rogueAdminWhoWaits: {
    file: 'rogue-admin',
    who: 'The same one, with an accomplice',
    tries: 'deactivates the others, invites somebody, and waits',
    ...{ leftMinor: 5_000_000n, insideMinor: 0n, hours: 72 },
    remark: 'The limit of one payment, again and again.',
    told: { owner: [], admins: ['administrator-deactivated'] },
  },
  adminWithAnAccomplice: {
    file: 'admin-with-an-accomplice',
    who: 'One administrator of three, with an employee',
    tries: 'verifies an account, approves, completes, books a return that never happened',
    ...NOTHING,
    remark: '',
    told: { owner: [], admins: ['bank-account-to-verify', 'withdrawal-to-approve'] },
  },
  adminWithoutDuties: {
    file: 'admin-without-duties',
    who: 'One administrator, with an employee, where no duty is on',
    tries: 'funds, verifies, approves and completes alone',
    ...{ leftMinor: 5_000_000n, insideMinor: 0n, hours: 0 },
    remark: '',
    told: { owner: [], admins: ['withdrawal-to-approve'] },
  },
  collusion: {
    file: 'two-who-collude',
    who: 'Two administrators of three',
    tries: 'one funds and completes, the other approves',
    ...{ leftMinor: 5_000_000n, insideMinor: 0n, hours: 0 },
    remark: '',
    told: { owner: [], admins: ['funding-to-approve', 'withdrawal-to-approve'] },
  },
  ghost: {
    file: 'officer-with-a-ghost',
    who: 'One administrator who deceives another',
    tries: 'adds somebody who does not exist, and has them paid',
    ...{ leftMinor: 0n, insideMinor: 192_000n, hours: 0 },
    remark: '',
    told: {
      owner: [],
      admins: [
        'application-to-review',
        'bank-account-to-verify',
        'payroll-to-approve',
        'withdrawal-to-approve',
      ],
    },
  },
} as const satisfies Record<string, Outcome>;
