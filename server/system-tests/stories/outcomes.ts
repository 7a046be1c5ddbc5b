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
  /** Hours that they had to wait for it. */
  readonly hours: number;
  /** Limits of the amount, or what else is to be said of it; may be empty. */
  readonly remark: string;
  /** Kinds of notifications that the others got, in alphabetical order. */
  readonly notified: {
    /** Sent to the person whose account is misused. */
    readonly owner: readonly NotificationKind[];
    /** Sent to every administrator. */
    readonly admins: readonly NotificationKind[];
    /** True if the former address has a mail about the new one, by which its reader takes it back. */
    readonly formerAddress?: true;
  };
}

const NOTHING = { leftMinor: 0n, insideMinor: 0n, hours: 0 } as const;

/** Outcomes of all stories, in the order of the page. Amounts are those of a new company's limits. */
export const OUTCOMES = {
  rogueAdmin: {
    file: 'rogue-admin',
    who: 'one administrator of three, every duty on',
    tries: 'to be two: invites, lets in, resets two-factor, takes rights, loosens rules',
    ...NOTHING,
    remark: '',
    notified: {
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
    who: 'the same, with an employee as an accomplice',
    tries: 'deactivates the others, invites somebody and waits',
    leftMinor: 5_000_000n,
    insideMinor: 0n,
    hours: 72,
    remark: 'the limit of one payment, again and again',
    notified: { owner: [], admins: ['administrator-deactivated'] },
  },
  adminWithAnAccomplice: {
    file: 'admin-with-an-accomplice',
    who: 'one administrator of three, every duty on, with an accomplice',
    tries: 'verifies, approves and completes; books a return that never happened',
    ...NOTHING,
    remark: '',
    notified: { owner: [], admins: ['bank-account-to-verify', 'withdrawal-to-approve'] },
  },
  adminWithoutDuties: {
    file: 'admin-without-duties',
    who: 'one administrator with an accomplice, no duty on',
    tries: 'funds, approves and completes alone',
    leftMinor: 5_000_000n,
    insideMinor: 0n,
    hours: 0,
    remark: 'the limit of one payment, again and again',
    notified: { owner: [], admins: ['withdrawal-to-approve'] },
  },
  collusion: {
    file: 'two-who-collude',
    who: 'two administrators of three, every duty on, with an accomplice',
    tries: 'each does the step after the other’s',
    leftMinor: 5_000_000n,
    insideMinor: 0n,
    hours: 0,
    remark: 'the limit of one payment, again and again, until the third looks',
    notified: { owner: [], admins: ['funding-to-approve', 'withdrawal-to-approve'] },
  },
  ghost: {
    file: 'officer-with-a-ghost',
    who: 'one administrator of three, every duty on, who deceives another',
    tries: 'adds a person who does not exist, verifies the bank account, has them paid',
    leftMinor: 0n,
    insideMinor: 192_000n,
    hours: 0,
    remark: 'one payroll',
    notified: {
      owner: [],
      admins: [
        'application-to-review',
        'bank-account-to-verify',
        'payroll-to-approve',
        'withdrawal-to-approve',
      ],
    },
  },
  inventedDeposit: {
    file: 'invented-deposits',
    who: 'an employee and one administrator of three, deposits as a duty',
    tries: 'asks for a deposit that nobody sent, confirms that it arrived, approves it',
    ...NOTHING,
    remark: '',
    notified: { owner: [], admins: ['deposit-to-approve'] },
  },
  manySmallAmounts: {
    file: 'many-small-amounts',
    who: 'one administrator of three, payrolls as a duty from 1,000 on, with an accomplice',
    tries: 'funds the accomplice eight times with 999.99',
    leftMinor: 0n,
    insideMinor: 99_999n,
    hours: 0,
    remark: 'less than the amount of the duty, in a month',
    notified: { owner: [], admins: ['funding-to-approve'] },
  },
  takenAccount: {
    file: 'admin-who-takes-an-account',
    who: 'one administrator of three, every duty on, with an accomplice',
    tries: 'sets an employee’s address, chooses the password, pays the accomplice',
    leftMinor: 0n,
    insideMinor: 100_000n,
    hours: 24,
    remark:
      'a day’s limit of a new browser, for a week, if the owner does not take the address back',
    notified: {
      owner: ['email-address-changed', 'new-sign-in', 'password-changed', 'payment-sent'],
      admins: ['email-set'],
      formerAddress: true,
    },
  },
  oldCookie: {
    file: 'thief-with-an-old-cookie',
    who: 'a thief with an employee’s cookie, an hour old',
    tries: 'pays a colleague, changes where money goes, takes the account over',
    ...NOTHING,
    remark: '',
    notified: { owner: ['withdrawal-submitted'], admins: ['withdrawal-to-approve'] },
  },
  oldCookieOfAdmin: {
    file: 'thief-with-an-old-cookie',
    who: 'a thief with an administrator’s cookie, an hour old',
    tries: 'moves money, lets people in, reads account numbers, exports',
    ...NOTHING,
    remark: '',
    notified: { owner: [], admins: [] },
  },
  freshCookie: {
    file: 'thief-with-a-fresh-cookie',
    who: 'a thief with the cookie of a session that began a minute ago, an employee’s or an administrator’s',
    tries: 'pays a colleague, adds a passkey, reads documents; funds, invites, makes keys',
    ...NOTHING,
    remark: '',
    notified: { owner: [], admins: [] },
  },
  password: {
    file: 'thief-with-the-password',
    who: 'a thief with an employee’s password, and an accomplice',
    tries: 'pays the accomplice, adds a bank account',
    leftMinor: 0n,
    insideMinor: 100_000n,
    hours: 0,
    remark: 'a day’s limit of a new browser, for a week',
    notified: {
      owner: ['bank-account-added', 'new-sign-in', 'payment-sent'],
      admins: ['bank-account-to-verify'],
    },
  },
  passwordWithTwoFactor: {
    file: 'thief-with-the-password',
    who: 'the same, two-factor on',
    tries: 'signs in and confirms by the password',
    ...NOTHING,
    remark: '',
    notified: { owner: ['wrong-code'], admins: [] },
  },
  mailbox: {
    file: 'thief-with-the-mailbox',
    who: 'a thief with an employee’s mailbox, and an accomplice',
    tries: 'chooses a password, pays the accomplice',
    leftMinor: 0n,
    insideMinor: 100_000n,
    hours: 24,
    remark:
      'a day’s limit of a new browser, for a week; the thief reads the mail, and the owner can no longer sign in',
    notified: { owner: ['new-sign-in', 'password-changed', 'payment-sent'], admins: [] },
  },
  mailboxOfAdmin: {
    file: 'thief-with-the-mailbox',
    who: 'a thief with an administrator’s mailbox, two-factor on',
    tries: 'chooses a password, reports two-factor as not theirs',
    ...NOTHING,
    remark: '',
    notified: {
      owner: ['notice-reported', 'password-changed', 'wrong-code'],
      admins: ['payouts-frozen'],
    },
  },
  key: {
    file: 'thief-with-a-key',
    who: 'a thief with an API key of all scopes, every duty on, and an accomplice',
    tries: 'funds the accomplice, approves it',
    ...NOTHING,
    remark: '',
    notified: { owner: [], admins: ['funding-to-approve'] },
  },
  keyWithoutDuties: {
    file: 'thief-with-a-key',
    who: 'the same, no duty on',
    tries: 'funds the accomplice, pays it out',
    leftMinor: 0n,
    insideMinor: 100_000n,
    hours: 0,
    remark: 'the daily limit of the key, each day until it is revoked',
    notified: { owner: [], admins: [] },
  },
} as const satisfies Record<string, Outcome>;
