/**
 * Statuses of things, without the rules: what is legal in which status is next to what it is
 * about (withdrawals.ts, deposits.ts, ...). Apart because the first file of the web app has the
 * lists, whose addresses name these words, and needs none of the rules.
 */
export const WITHDRAWAL_STATUSES = [
  'pending',
  'approved',
  'processing',
  'completed',
  'rejected',
  'cancelled',
  'returned',
] as const;

/** A bill's: held from the first, taken for payout on its day, then sent and paid. */
export const BILL_STATUSES = [
  'scheduled',
  'due',
  'sent',
  'paid',
  'rejected',
  'cancelled',
  'returned',
] as const;

export const URGENCIES = ['low', 'medium', 'high'] as const;

/** A bank account's. Returned: the bank sent a payout back, so it has to be verified again. */
export const BANK_ACCOUNT_STATUSES = ['pending', 'verified', 'rejected', 'returned'] as const;

export const DEPOSIT_STATUSES = ['pending', 'approved', 'rejected', 'cancelled'] as const;

/** A change of usual pay. It waits where it takes a second administrator. */
export const USUAL_PAY_STATUSES = ['waiting', 'confirmed', 'declined', 'withdrawn'] as const;

/** A recovery: proposed by an administrator, then accepted or declined by the person, or not answered in time. */
export const RECOVERY_STATUSES = [
  'proposed',
  'accepted',
  'finished',
  'declined',
  'expired',
  'ended',
] as const;

/** The photographs of a check. */
export const CHECK_SIDES = ['front', 'back'] as const;

/** Standings of a person. */
export const STANDINGS = ['applicant', 'active', 'deactivated'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Statuses of an admin invite. */
export const INVITE_STATUSES = ['waiting', 'used', 'expired', 'revoked'] as const;
export type InviteStatus = (typeof INVITE_STATUSES)[number];

/** Statuses of an API key. */
export const API_KEY_STATUSES = ['active', 'expired', 'revoked'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/** Standing of an employee in the directory. An invited one was added and chose no password yet. */
export const EMPLOYEE_STANDINGS = ['active', 'invited', 'applicant', 'deactivated'] as const;
export type EmployeeStanding = (typeof EMPLOYEE_STANDINGS)[number];

/** Statuses of an identity application. */
export const KYC_STATUSES = [
  'in_progress',
  'submitted',
  'in_review',
  'approved',
  'rejected',
  'resubmit_required',
] as const;

/** A document that is there; one that is not shows as `not_uploaded`. */
export const KYC_DOCUMENT_STATUSES = ['pending', 'under_review', 'approved', 'rejected'] as const;

/** A payout file: made, given to an administrator, accepted by the bank, paid by it; or called off before it was sent. */
/** A reversal that the bank was asked for. Refused: the other bank sent it back. */
export const PAYOUT_REVERSAL_STATUSES = [
  ...(['prepared', 'downloaded', 'sent', 'refused', 'cancelled'] as const),
] as const;

export const PAYOUT_FILE_STATUSES = [
  'prepared',
  'downloaded',
  'sent',
  'settled',
  'cancelled',
] as const;

export const PAYROLL_DRAFT_STATUSES = ['open', 'sent', 'discarded'] as const;

export const PAYROLL_STATUSES = ['draft', 'pending', 'processing', 'completed', 'failed'] as const;

export const PAYROLL_LINE_STATUSES = [
  'draft',
  'processed',
  'skipped',
  'failed',
  'reversed',
] as const;

/**
 * A row of an import: cannot be imported; is here already, or twice in the file; can be imported; was;
 * was to be and could not.
 */
export const IMPORT_ROW_STATUSES = ['error', 'duplicate', 'ready', 'imported', 'failed'] as const;
