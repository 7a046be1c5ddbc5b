import { AnsweredFault, AppError } from '#server/lib/errors.ts';

/**
 * Reason of a refusal. `insufficient_funds`, `hold_not_held`, `already_reversed` and
 * `duplicate_reference` happen in ordinary business. `balance_differs` means that a stored balance was
 * changed past the ledger: the reply says so and the log keeps it as an error. The others are bugs in the caller.
 */
export type LedgerErrorCode =
  | 'insufficient_funds'
  | 'hold_not_held'
  | 'already_reversed'
  | 'duplicate_reference'
  | 'unbalanced'
  | 'currency_mismatch'
  | 'unknown_account'
  | 'unknown_transaction'
  | 'invalid_reversal'
  | 'invalid_capture'
  | 'amount_out_of_range'
  | 'balance_differs'
  | 'invalid_posting'
  | 'seal_conflict'
  | 'invalid_block'
  | 'handover_refused';

/**
 * A refusal by the ledger. PostgreSQL has already aborted the transaction, so code that catches
 * this can only roll back and perhaps retry from the start.
 */
export class LedgerError extends AnsweredFault {
  override readonly name = 'LedgerError';
  readonly code: LedgerErrorCode;
  /** Id of the account, transaction or hold concerned, if the database names one. */
  readonly about: string | undefined;
  /** Available balance, in minor units, of an account with too little money for a hold. */
  readonly availableMinor: bigint | undefined;

  constructor(
    code: LedgerErrorCode,
    message: string,
    about?: string,
    { availableMinor, cause }: { availableMinor?: bigint | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause, ...(code === 'balance_differs' && { answer: code }) });
    this.code = code;
    this.about = about;
    this.availableMinor = availableMinor;
  }
}

/**
 * SQLSTATEs that the ledger's functions (migrations/) raise, and PostgreSQL's own for bad values.
 */
const CODE_OF_STATE: Readonly<Record<string, LedgerErrorCode>> = {
  PL001: 'insufficient_funds',
  PL002: 'unbalanced',
  PL003: 'hold_not_held',
  PL006: 'currency_mismatch',
  PL008: 'unknown_account',
  PL009: 'invalid_posting',
  PL010: 'invalid_reversal',
  PL011: 'seal_conflict',
  PL012: 'invalid_capture',
  PL013: 'invalid_block',
  PL014: 'balance_differs',
  '22003': 'amount_out_of_range',
  '23502': 'invalid_posting',
  '23514': 'invalid_posting',
};

const CODE_OF_UNIQUE: Readonly<Record<string, LedgerErrorCode>> = {
  ledger_transaction_reference_key: 'duplicate_reference',
  ledger_hold_reference_key: 'duplicate_reference',
  ledger_transaction_reverses_key: 'already_reversed',
  ledger_block_previous_key: 'seal_conflict',
  ledger_block_pkey: 'seal_conflict',
  ledger_entry_pkey: 'balance_differs',
};

interface DatabaseError extends Error {
  code: string;
  constraint?: string;
  detail?: string;
  hint?: string;
}

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/** SQLSTATE of a posting, or another change, that would count in a closed month. */
const MONTH_CLOSED = 'PL015';

/** Translates a database error into a `LedgerError`; returns any other error unchanged. */
function toLedgerError(error: unknown): unknown {
  if (!isDatabaseError(error)) return error;
  if (error.code === MONTH_CLOSED) return new AppError('month_closed');
  const code =
    error.code === '23505' ? CODE_OF_UNIQUE[error.constraint ?? ''] : CODE_OF_STATE[error.code];
  if (code === undefined) return error;
  const about = error.code.startsWith('PL') ? error.detail : undefined;
  const availableMinor =
    code === 'insufficient_funds' && error.hint !== undefined ? BigInt(error.hint) : undefined;
  return new LedgerError(code, error.message, about, { availableMinor, cause: error });
}

/** Awaits a statement on the ledger and throws its refusals as `LedgerError`, or the `AppError` `month_closed`. */
export async function refusing<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw toLedgerError(error);
  }
}
