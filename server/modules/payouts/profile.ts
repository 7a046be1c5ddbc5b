import type { PayoutFormat } from '#contract/payouts.ts';
import { payingAccountProblems } from '#contract/settings-problems.ts';
import { legalNameOf } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { PAYROLL } from './nacha/write-nacha.ts';
import type { NachaProfile } from './nacha/write-nacha.ts';

/** The company's account at its bank, and how that bank wants files, as a file keeps it. */
export interface StoredProfile {
  bankName: string;
  /** A sort code in a company in GBP; empty next to an IBAN. */
  routingNumber: string;
  accountNumber: string;
  companyName: string;
  /** Empty where the bank gave none, which NACHA does not have. */
  companyId: string;
  origin: string;
  isBalanced: boolean;
  lineEnd: 'crlf' | 'lf' | 'none';
}

/** Words on the statement of a business that is paid. */
const BILL_PAYMENT = 'BILL PMT';
const LINE_ENDS = { crlf: '\r\n', lf: '\n', none: '' } as const;

/**
 * Format and profile of the company's files; null while it has entered no bank, or an account of another currency than its
 * own.
 */
export function readProfile(
  settings: CompanySettings,
): { format: PayoutFormat; profile: StoredProfile } | null {
  const { currency, payoutFormat: format, payoutBankName: bankName } = settings;
  const companyId = settings.payoutCompanyId ?? '';
  const accountNumber = settings.payoutAccountNumber ?? '';
  // A company in euros can have one left over from before.
  const routingNumber = currency === 'EUR' ? '' : (settings.payoutRoutingNumber ?? '');
  const account = { payoutRoutingNumber: routingNumber, payoutAccountNumber: accountNumber };
  const isEntered =
    bankName !== null &&
    (companyId !== '' || currency !== 'USD') &&
    Object.keys(payingAccountProblems({ currency, ...account })).length === 0;
  if (format === 'none' || !isEntered) return null;
  return {
    format,
    profile: {
      bankName,
      routingNumber,
      accountNumber,
      companyId,
      companyName: legalNameOf(settings),
      origin: settings.payoutOrigin ?? companyId,
      isBalanced: settings.payoutIsBalanced,
      lineEnd: settings.payoutLineEnd,
    },
  };
}

/** The profile as the writer of NACHA files takes it. */
export function nachaProfileOf(profile: StoredProfile): NachaProfile {
  const { routingNumber, accountNumber } = profile;
  return {
    destination: ` ${routingNumber}`,
    destinationName: profile.bankName,
    origin: profile.origin.padStart(10),
    originName: profile.companyName,
    companyName: profile.companyName,
    companyId: profile.companyId,
    odfi: routingNumber.slice(0, 8),
    peopleDescription: PAYROLL,
    businessesDescription: BILL_PAYMENT,
    offset: profile.isBalanced ? { routingNumber, accountNumber, type: 'checking' } : null,
    lineEnd: LINE_ENDS[profile.lineEnd],
  };
}
