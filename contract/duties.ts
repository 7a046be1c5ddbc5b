/**
 * Separations of duties that a company sets, each with the amount from which it holds. All are off at first. Which
 * act needs a second person because of which earlier act is in the things (contract/things/).
 */
export const DUTY_SETTINGS = [
  'payroll',
  'deposit',
  'bankAccount',
  'payout',
  'return',
  'usualPay',
] as const;
export type DutySetting = (typeof DUTY_SETTINGS)[number];

/**
 * Duties under which amounts add up over a month of the company. Usual pay is paid by payrolls, which add up themselves.
 */
export const SUMMED_DUTIES = ['payroll', 'deposit', 'bankAccount', 'payout', 'return'] as const;
export type SummedDuty = (typeof SUMMED_DUTIES)[number];

/** Acts on an administrator that take two people, because they could make a second person of one. */
export const ADMIN_ACTS = ['resetTwoFactor', 'reactivate', 'revokeAdmin'] as const;
export type AdminAct = (typeof ADMIN_ACTS)[number];

/** Changes that one admin proposes and another accepts. */
export const PROPOSED_ACTS = ['changeSettings', 'reopenMonth', ...ADMIN_ACTS] as const;

/** Hours after which an act on an administrator needs no other, in a company where there is none. */
export const ALONE_AFTER_HOURS = 24;

/** Name of the setting of each. */
export const DUTY_SETTING_NAMES = {
  payroll: 'separatePayroll',
  deposit: 'separateDeposit',
  bankAccount: 'separateBankAccount',
  payout: 'separatePayout',
  return: 'separateReturn',
  usualPay: 'separateUsualPay',
} as const satisfies Record<DutySetting, string>;

/**
 * Hours during which a person is nobody's second person after they became an admin by an admin's
 * invite, were let in again, or had a password, address or second factor reset. The other admins are
 * notified of it and have that time to look. 72 until a company sets another number.
 */
export const SECOND_PERSON_HOURS = {
  least: 24,
  most: 720,
  problem: 'Enter a number of hours from 24 to 720',
};

/**
 * "Priya Nair can do it now." or "Priya Nair can do it from Sat 4:42 AM."
 *
 * @param people who may; `from` is a moment, null: now
 */
export function whoCanWords(
  people: readonly { name: string; from: string | null }[],
  write: (at: string) => string,
): string {
  if (people.length === 0) return 'Nobody can do it yet. Invite another administrator.';
  const now = people.filter(({ from }) => from === null).map(({ name }) => name);
  const later = people.flatMap(({ name, from }) => (from === null ? [] : [{ name, from }]));
  return [
    ...(now.length > 0 ? [`${eitherOf(now.slice(0, MAX_NAMED))} can do it now.`] : []),
    ...later.slice(0, MAX_NAMED).map(({ name, from }) => `${name} can do it from ${write(from)}.`),
  ].join(' ');
}

/** "Priya Nair", "Priya Nair or Joaquín Mercer", "A, B or C". */
function eitherOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

/** Most names in a sentence about who may do something. */
const MAX_NAMED = 5;

/** This many active admins make it possible to separate duties. */
export const ADMINS_TO_SEPARATE = 2;

/** Longest time, in hours, that money may wait before it goes to a new bank account: two weeks. */
export const PAYOUT_COOLING_HOURS = {
  least: 0,
  most: 336,
  problem: 'Enter a number of hours from 0 to 336',
};
