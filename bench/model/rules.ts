import type { BankAccountProof } from '#contract/bank-accounts.ts';
import type { PayoutFormat } from '#contract/payouts.ts';
import type { TimeZoneId } from '#contract/time-zones.ts';
import { zoneOf } from '#contract/time-zones.ts';

/** Duties whose amounts add up over a month. */
export type ModelDuty = 'payroll' | 'deposit' | 'bankAccount' | 'payout' | 'return';

/** Settings of the company that a run changes, by their names; amounts are minor units. */
export interface ModelRules {
  timeZone: TimeZoneId;
  requireApprovedIdentity: boolean;
  stopPayoutsWhenUnsound: boolean;
  payoutCoolingHours: number;
  newBrowserLimit: bigint;
  automaticPayoutBelow: bigint | null;
  payrollCancelSeconds: number;
  payrollLineLimit: bigint;
  payrollBatchLimit: bigint;
  separatePayroll: bigint | null;
  separateDeposit: bigint | null;
  separateBankAccount: bigint | null;
  separatePayout: bigint | null;
  separateReturn: bigint | null;
  separateUsualPay: bigint | null;
  payoutFormat: PayoutFormat | 'none';
  bankAccountProof: BankAccountProof;
}
export type RuleName = keyof ModelRules;
export type RuleValue = ModelRules[RuleName];

/** The rules of a new company in the tests. */
export const FIRST_RULES: ModelRules = {
  timeZone: 'est',
  requireApprovedIdentity: true,
  stopPayoutsWhenUnsound: true,
  payoutCoolingHours: 0,
  newBrowserLimit: 100_000n,
  automaticPayoutBelow: null,
  payrollCancelSeconds: 60,
  payrollLineLimit: 5_000_000n,
  payrollBatchLimit: 5_000_000_000n,
  separatePayroll: null,
  separateDeposit: null,
  separateBankAccount: null,
  separatePayout: null,
  separateReturn: null,
  separateUsualPay: null,
  payoutFormat: 'nacha',
  bankAccountProof: 'none',
};

export const DUTY_RULES = {
  payroll: 'separatePayroll',
  deposit: 'separateDeposit',
  bankAccount: 'separateBankAccount',
  payout: 'separatePayout',
  return: 'separateReturn',
} as const satisfies Record<ModelDuty, RuleName>;

/** Rules whose change in one direction, or in each, takes two people while a duty is separated. */
const LOOSENS: Partial<Record<RuleName, 'more' | 'less' | 'off' | 'any'>> = {
  requireApprovedIdentity: 'off',
  stopPayoutsWhenUnsound: 'off',
  payoutCoolingHours: 'less',
  newBrowserLimit: 'more',
  automaticPayoutBelow: 'any',
  payrollLineLimit: 'more',
  payrollBatchLimit: 'more',
  separatePayroll: 'more',
  separateDeposit: 'more',
  separateBankAccount: 'more',
  separatePayout: 'more',
  separateReturn: 'more',
  separateUsualPay: 'more',
  bankAccountProof: 'any',
};

/** Rules whose loosening takes two people also while no duty is separated. */
const ALWAYS_BY_TWO: ReadonlySet<RuleName> = new Set(['automaticPayoutBelow']);

/** True if a change of a rule waits for a second person. */
export function takesTwoToChange(name: RuleName, before: ModelRules, after: ModelRules): boolean {
  const isSeparated = ALWAYS_BY_TWO.has(name) || separatesDuties(before);
  return isSeparated && isLooser(name, before[name], after[name]);
}

/** True if a new value lets one person do with money what they could not before. No amount is more than each amount. */
function isLooser(name: RuleName, before: RuleValue, after: RuleValue): boolean {
  const loosens = LOOSENS[name];
  if (loosens === undefined || before === after) return false;
  if (loosens === 'any') return true;
  if (loosens === 'off') return after === false;
  if (before === null || after === null) return after === null;
  return loosens === 'more' ? Number(after) > Number(before) : Number(after) < Number(before);
}

/** True while some duty takes two people from an amount on. */
function separatesDuties(rules: ModelRules): boolean {
  return [...Object.values(DUTY_RULES), 'separateUsualPay' as const].some(
    (name) => rules[name] !== null,
  );
}

/** True if prenotes or micro-deposits are asked for without the files that have them. */
export function areContradictory({ bankAccountProof, payoutFormat }: ModelRules): boolean {
  return bankAccountProof !== 'none' && payoutFormat !== 'nacha';
}

/** IANA name of the company's time zone. */
export function zoneOfRules({ timeZone }: ModelRules): string {
  return zoneOf(timeZone);
}
