import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { BILL_SHOWN_AS, DEPOSIT_SHOWN_AS, WITHDRAWAL_SHOWN_AS } from '#contract/activity.ts';
import type { RequestType, TransactionStatus } from '#contract/activity.ts';
import { DEPOSIT_METHOD_IDS } from '#contract/deposits.ts';
import { CURRENCIES } from '#contract/money.ts';
import { bill } from '#contract/things/bill.ts';
import { deposit } from '#contract/things/deposit.ts';
import type { ActOf, Thing } from '#contract/things/thing.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import { lastTime } from '#server/modules/acts/index.ts';
import { describeDeposit } from '#server/modules/deposits/index.ts';

/**
 * A kind of request that is listed while it is not posted. The ledger's postings are listed by
 * their kind, which is the name of a type in contract/activity.ts. So a new kind of posting that
 * moves people's money needs an entry there, and nothing here. A new kind of request by a person
 * needs an entry below.
 */
export interface RequestKind {
  type: RequestType;
  /**
   * Has id, user_id, wallet_id, status, amount_minor, currency, reference, requested_at,
   * search_words and ledger_transaction_id, which is null until it is posted. Two indexes: by
   * status and time, and by person and time of the rows that are not posted
   * (`withdrawal_unposted` and two like it).
   */
  table: 'withdrawal' | 'deposit' | 'bill';
  /** 1: money in, from the person's side; -1: money out. */
  sign: 1 | -1;
  /** Has every status. Those shown as completed are posted. */
  shownAs: Readonly<Record<string, TransactionStatus>>;
  /** Description of a row named `request`, whose account is of type `wallet.type`. */
  description: RawBuilder<string>;
  /** Moments of a row named `request`, null until then. Closed: rejected, cancelled or returned. */
  moments: Record<'approved' | 'paid' | 'closed', RawBuilder<Date | null>>;
}

/** Id of the user who rejected a row named `request`; null until then. */
export const REJECTED_BY = sql<
  string | null
>`CASE WHEN request.status = 'rejected' THEN request.moved_by END`;

export const REQUEST_KINDS: readonly RequestKind[] = [
  {
    type: 'withdrawal',
    table: 'withdrawal',
    sign: -1,
    shownAs: WITHDRAWAL_SHOWN_AS,
    description: sql`('Withdrawal to ' || request.bank_name || ' ••' || request.bank_last4)`,
    moments: momentsOf(withdrawal, {
      approved: ['approve'],
      paid: ['complete'],
      closed: ['cancel', 'reject', 'stop', 'return'],
    }),
  },
  {
    type: 'bill',
    table: 'bill',
    sign: -1,
    shownAs: BILL_SHOWN_AS,
    description: sql`('Bill, ' || request.payee_name)`,
    // An admin's approval of a bill is sending it.
    moments: momentsOf(bill, {
      approved: ['send'],
      paid: ['complete'],
      closed: ['change', 'cancel', 'stop', 'return'],
    }),
  },
  {
    type: 'deposit',
    table: 'deposit',
    sign: 1,
    shownAs: DEPOSIT_SHOWN_AS,
    description: depositDescription(),
    // A deposit is credited by its approval.
    moments: momentsOf(deposit, {
      approved: ['approve'],
      paid: ['approve'],
      closed: ['cancel', 'reject'],
    }),
  },
];

function momentsOf<T extends Thing>(
  thing: T,
  acts: Record<keyof RequestKind['moments'], readonly ActOf<T>[]>,
): RequestKind['moments'] {
  const of = (names: readonly ActOf<T>[]): RawBuilder<Date | null> =>
    sql.raw(`coalesce(${names.map((act) => lastTime(thing, act, 'at')).join(', ')})`);
  return { approved: of(acts.approved), paid: of(acts.paid), closed: of(acts.closed) };
}

/**
 * Condition of a posting by which a payment was sent in a payout file that the bank has not paid yet: money left the wallet,
 * and the request is still pending. The few that are pending are found from their requests; those that are not are looked
 * up one by one, in the order in which they are read.
 *
 * @param id the posting's id
 * @param ownerId of this person alone
 */
export function isInTransit(id: RawBuilder<unknown>, ownerId?: string): RawBuilder<boolean> {
  return sql`${id} IN (${inTransit(ownerId)})`;
}

/** Ids of the postings that are in transit, as `id`. @param ownerId of this person alone */
export function inTransit(ownerId?: string): RawBuilder<{ id: string }> {
  const own = ownerId === undefined ? sql`true` : sql`user_id = ${ownerId}`;
  return sql`
    SELECT ledger_transaction_id AS id FROM withdrawal WHERE status = 'processing' AND ${own}
    UNION ALL SELECT ledger_transaction_id FROM bill WHERE status = 'sent' AND ${own}`;
}

/** The opposite of `isInTransit`, by the unique index of the requests' postings. */
export function isNotInTransit(id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`NOT EXISTS (
      SELECT FROM withdrawal WHERE ledger_transaction_id = ${id} AND status = 'processing')
    AND NOT EXISTS (SELECT FROM bill WHERE ledger_transaction_id = ${id} AND status = 'sent')`;
}

/** Status under which a posting is shown: pending for a payment on its way in a payout file. */
export function postedStatus(posting: RawBuilder<unknown>): RawBuilder<TransactionStatus> {
  return sql`CASE WHEN EXISTS (
      SELECT FROM withdrawal WHERE ${posting}.kind = 'withdrawal' AND id = ${posting}.subject_id
         AND status = 'processing' AND ledger_transaction_id = ${posting}.id)
    OR EXISTS (SELECT FROM bill WHERE ${posting}.kind = 'bill' AND id = ${posting}.subject_id
         AND status = 'sent' AND ledger_transaction_id = ${posting}.id)
    THEN 'pending' ELSE 'completed' END`;
}

/** Status under which a row named `request` is shown. */
export function shownStatus({ shownAs }: RequestKind): RawBuilder<TransactionStatus> {
  return sql`(${JSON.stringify(shownAs)}::jsonb ->> request.status)`;
}

/** Statuses in which nothing is posted. */
export function unpostedStatuses({ shownAs }: RequestKind): readonly string[] {
  return Object.keys(shownAs).filter((status) => shownAs[status] !== 'completed');
}

/** Looked up by currency, method and account, which have few values. */
function depositDescription(): RawBuilder<string> {
  const words = CURRENCIES.flatMap((currency) =>
    DEPOSIT_METHOD_IDS.flatMap((method) =>
      WALLET_TYPES.map(
        (wallet) =>
          [`${currency} ${method} ${wallet}`, describeDeposit(method, wallet, currency)] as const,
      ),
    ),
  );
  return sql`(${JSON.stringify(Object.fromEntries(words))}::jsonb
    ->> (request.currency || ' ' || request.method || ' ' || wallet.type))`;
}
