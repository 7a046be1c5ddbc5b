import type { TimeZoneId } from '#contract/company.ts';
import type { Currency } from '#contract/money.ts';
import type { JoinPolicy } from '#contract/people.ts';
import type { PayrollSchedule } from '#server/lib/calendar.ts';
import type { InitialMail } from './initial-mail.ts';
import type { OfferedMethods } from './offered-methods.ts';

/** What the company has decided about itself. */
export interface CompanySettings extends InitialMail, OfferedMethods {
  /** Grows with each change. */
  version: number;
  companyName: string;
  /** As papers and payees name the company (`legalNameOf`); null where that is the same. */
  legalName: string | null;
  /** Stays once an account was opened in it. */
  currency: Currency;
  /** As chosen on the settings screen. */
  timeZoneId: TimeZoneId;
  /** The IANA name behind it, `America/New_York`: the zone of every day, month and daily limit. */
  timeZone: string;
  /** `TR` makes employee numbers such as `TR-0147`. */
  employeeNumberPrefix: string;
  /** Money leaves a wallet only with an approved identity (KYC application). */
  requireApprovedIdentity: boolean;
  /** Age in years an applicant has to have reached on the day of submission. */
  kycMinAgeYears: number;
  /** How long rejected or closed identity material is kept. */
  kycRetentionDays: number;
  /** An admin who asks for nothing this long is signed out. */
  adminIdleMinutes: number;
  /** The same for an employee. */
  employeeIdleMinutes: number;
  /** Whether admins need two-factor. */
  requireAdminTwoFactor: boolean;
  /** Whether payouts stop when a verification of the books finds something wrong. */
  stopPayoutsWhenUnsound: boolean;
  /** Since when payouts are stopped for that; null while they go on. */
  payoutsStoppedAt: Date | null;
  /** Time in which a confirmed payroll waits and can be stopped; 0 posts it immediately. */
  payrollCancelSeconds: number;
  /** Most that a payroll may pay to each employee, and in all, in minor units. */
  payrollLineLimitMinor: bigint;
  payrollBatchLimitMinor: bigint;
  /** From which amounts, in minor units, an act takes two people; null: never. */
  separatePayrollMinor: bigint | null;
  separateBankAccountMinor: bigint | null;
  separatePayoutMinor: bigint | null;
  separateReturnMinor: bigint | null;
  /** How long no money goes to a bank account that is new or changed, or after a password reset. */
  payoutCoolingHours: number;
  /** Who may sign up. */
  joinPolicy: JoinPolicy;
  /** The company's domains, `example.com`: of addresses that may sign up where that is the policy. */
  joinDomains: readonly string[];
  /** When payroll is due; null where none is set. */
  schedule: PayrollSchedule | null;
  /** Direction in which a payday moves that is no banking day. */
  paydayMoves: 'before' | 'after';
  /** Where questions about money go; null while none is set, like the places below. */
  supportEmail: string | null;
  /** In lines, as on an envelope. */
  mailingAddress: string | null;
  /** The company's bank, for people who send a wire. */
  receivingBank: { name: string; address: string } | null;
  /** The company's account there, which deposits are sent to: ABA routing number and whole account number. */
  receivingAccount: { routingNumber: string; accountNumber: string } | null;
  /** The company's own page that takes cards; https. */
  cardPaymentPage: string | null;
  /** The company's own words, given with the instructions of each deposit. */
  depositNote: string | null;
  /** Whether the demo company was made here, or was begun and never finished. */
  demo: 'none' | 'unfinished' | 'complete';
}

/** The company's name on what others rely on: papers, and whom money is paid to. */
export function legalNameOf({ companyName, legalName }: CompanySettings): string {
  return legalName ?? companyName;
}
