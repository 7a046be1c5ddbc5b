import { sql } from 'kysely';
import type { RouteArguments, RouteReply } from '#contract/api.ts';
import { LEDGER_ROOT_MONTHS, PROOF_BLOCKS, PROOF_ENTRIES } from '#contract/limits.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS, WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { readBlocksAfter, readHead, readLastOfMonths } from '#server/modules/ledger/index.ts';
import { presentEvent } from '../present.ts';
import { getHistoryEvent } from '../recent.ts';
import { REQUEST_KINDS } from '../request-kinds.ts';
import { readOwnRows } from '../rows.ts';
import type { HistoryScope } from '../scope.ts';
import { MOVED, RECEIVED, WITHDRAWN } from '../totals.ts';
import { presentBlock } from './present.ts';
import { readMovements, readSealedAccounts } from './read-movements.ts';

/**
 * Both sides of one posted event of the person, and the proof of its seal.
 *
 * @throws {AppError} `transaction_not_found` for an event that is not in the person's history, or
 *   not posted
 */
export async function proveEvent(
  reader: Reader,
  scope: HistoryScope,
  id: string,
): Promise<RouteReply<'proveEvent'>> {
  const event = await getHistoryEvent(reader, scope, id);
  if (event.balanceAfter === null) throw new AppError('transaction_not_found');
  const movements = await readMovements(reader, [event.transactionId], scope);
  const movement = invariant(movements.get(event.transactionId), 'what is posted has entries');
  const accounts = await readSealedAccounts(reader, {
    accountIds: movement.entries.map(({ accountId }) => accountId),
    ownerId: scope.ownerId,
    proofs: [movement.proof],
  });
  return { event, movement, ...accounts, head: await presentHead(reader) };
}

interface AccountRow {
  type: WalletType;
  last4: string;
  latest: bigint;
}

interface EntryRow {
  transactionId: string;
  accountVersion: bigint;
  amount: bigint;
  balanceAfter: bigint;
}

/**
 * The last entries of an account up to one, with the balance before them. That balance is sealed in
 * the previous entry, so it can be proven in the same way, page by page, down to the first.
 *
 * @throws {AppError} `wallet_not_found` when the person has no account of that type;
 *   `transaction_not_found` for a number that it has not reached
 */
export async function proveBalance(
  reader: Reader,
  scope: HistoryScope,
  { account: type, number }: RouteArguments<'proveBalance'>['query'],
): Promise<RouteReply<'proveBalance'>> {
  const accountId = scope.accounts.find((own) => own.type === type)?.ledgerAccountId;
  if (accountId === undefined) throw new AppError('wallet_not_found');
  const account = await readAccount(reader, accountId);
  const last = number === '' ? account.latest : BigInt(number);
  if (last > account.latest) throw new AppError('transaction_not_found');
  const { rows } = await sql<EntryRow>`
    SELECT transaction_id, account_version, amount, balance_after FROM ledger_entry
     WHERE account_id = ${accountId} AND account_version <= ${last}
     ORDER BY account_version DESC LIMIT ${PROOF_ENTRIES}`.execute(reader);
  const entries = rows.toReversed();
  const [first] = entries;
  const { currency } = scope.settings;
  const proven = await presentEntries(reader, scope, { type, entries });
  const sides = proven.flatMap(({ movement }) => movement.entries);
  return {
    account: { type, name: WALLET_LABELS[type], last4: account.last4 },
    number: last.toString(),
    balance: money(rows[0]?.balanceAfter ?? 0n, currency),
    before: {
      number: ((first?.accountVersion ?? 1n) - 1n).toString(),
      balance: money(first === undefined ? 0n : first.balanceAfter - first.amount, currency),
    },
    entries: proven,
    held: number === '' ? await readHeld(reader, scope, type) : [],
    ...(await readSealedAccounts(reader, {
      accountIds: [...new Set([accountId, ...sides.map((side) => side.accountId)])],
      ownerId: scope.ownerId,
      proofs: proven.map(({ movement }) => movement.proof),
    })),
    head: await presentHead(reader),
  };
}

async function readAccount(reader: Reader, accountId: string): Promise<AccountRow> {
  const { rows } = await sql<AccountRow>`
    SELECT wallet.type, wallet.last4,
           coalesce((SELECT max(account_version) FROM ledger_entry WHERE account_id = ${accountId}), 0)
             ::bigint AS latest
      FROM wallet WHERE ledger_account_id = ${accountId}`.execute(reader);
  return invariant(rows[0], 'an account of a person is a wallet');
}

async function presentEntries(
  reader: Reader,
  scope: HistoryScope,
  { type, entries }: { type: WalletType; entries: readonly EntryRow[] },
): Promise<RouteReply<'proveBalance'>['entries']> {
  const ids = entries.map(({ transactionId }) => transactionId);
  const events = await readOwnRows(
    reader,
    ids.map((id) => `${id}.${type}`),
    scope,
  );
  const eventOf = new Map(events.map((event) => [event.transactionId, event]));
  const movements = await readMovements(reader, [...new Set(ids)], scope);
  return ids.map((id) => ({
    event: presentEvent(invariant(eventOf.get(id), 'an entry of a wallet is in its history')),
    movement: invariant(movements.get(id), 'what is posted has entries'),
  }));
}

interface PartRow {
  type: WalletType;
  last4: string;
  postedMinor: bigint;
  reference: string | null;
  description: string | null;
  heldMinor: bigint | null;
}

type Part = RouteReply<'proveTotal'>['accounts'][number];

/**
 * Parts of the current balance, and the held amount; as of one moment, because it is one statement.
 */
export async function proveTotal(
  reader: Reader,
  { ownerId, settings: { currency } }: HistoryScope,
): Promise<RouteReply<'proveTotal'>> {
  const requests = REQUEST_KINDS.map(
    ({ table, description }) => sql`
      SELECT ${description} AS description FROM ${sql.table(table)} AS request
       WHERE request.reference = hold.reference AND request.user_id = ${ownerId}`,
  );
  const { rows } = await sql<PartRow>`
    SELECT wallet.type, wallet.last4, account.posted AS posted_minor, hold.reference,
           (${sql.join(requests, sql` UNION ALL `)} LIMIT 1) AS description,
           hold.amount AS held_minor
      FROM wallet JOIN ledger_account AS account ON account.id = wallet.ledger_account_id
      LEFT JOIN ledger_hold AS hold ON hold.account_id = account.id AND hold.state = 'held'
     WHERE wallet.user_id = ${ownerId} AND wallet.closed_at IS NULL
     ORDER BY hold.placed_at, hold.id`.execute(reader);
  const accounts = new Map<WalletType, Part>();
  let totalMinor = 0n;
  let availableMinor = 0n;
  for (const { type, last4, postedMinor, reference, description, heldMinor } of rows) {
    if (!accounts.has(type)) {
      totalMinor += postedMinor;
      availableMinor += postedMinor;
    }
    const account: Part = accounts.get(type) ?? {
      type,
      name: WALLET_LABELS[type],
      last4,
      balance: money(postedMinor, currency),
      held: [],
    };
    accounts.set(type, account);
    if (heldMinor === null || reference === null) continue;
    availableMinor -= heldMinor;
    account.held.push({
      reference,
      description: description ?? reference,
      amount: money(-heldMinor, currency),
    });
  }
  const inOrder = WALLET_TYPES.flatMap((type) => accounts.get(type) ?? []);
  const flows = await readFlows(reader, { ownerId, currency });
  return {
    total: money(totalMinor, currency),
    available: money(availableMinor, currency),
    accounts: inOrder,
    flows,
    completed: await sumCompleted(reader, { ownerId, currency }),
  };
}

/** Sums of a person's completed deposits and withdrawals. */
async function sumCompleted(
  reader: Reader,
  { ownerId, currency }: { ownerId: string; currency: Currency },
): Promise<RouteReply<'proveTotal'>['completed']> {
  const sumOf = (table: 'deposit' | 'withdrawal', status: string) => sql`
    (SELECT coalesce(sum(amount_minor), 0)::bigint FROM ${sql.table(table)}
      WHERE user_id = ${ownerId} AND status = ${status})`;
  const { rows } = await sql<{ depositsMinor: bigint; withdrawalsMinor: bigint }>`
    SELECT ${sumOf('deposit', 'approved')} AS deposits_minor,
           ${sumOf('withdrawal', 'completed')} AS withdrawals_minor`.execute(reader);
  const { depositsMinor = 0n, withdrawalsMinor = 0n } = rows[0] ?? {};
  return {
    deposits: money(depositsMinor, currency),
    withdrawals: money(withdrawalsMinor, currency),
  };
}

async function readHeld(
  reader: Reader,
  scope: HistoryScope,
  type: WalletType,
): Promise<RouteReply<'proveBalance'>['held']> {
  const { accounts } = await proveTotal(reader, scope);
  return accounts.find((one) => one.type === type)?.held ?? [];
}

interface FlowRow {
  type: WalletType;
  last4: string;
  receivedMinor: bigint;
  withdrawnMinor: bigint;
  movedMinor: bigint;
  number: bigint;
  isClosed: boolean;
}

/**
 * Sums that each account of a person received and paid out, and that were moved into it from their
 * others. Includes closed accounts, as the totals do.
 */
async function readFlows(
  reader: Reader,
  { ownerId, currency }: { ownerId: string; currency: Currency },
): Promise<RouteReply<'proveTotal'>['flows']> {
  const { rows } = await sql<FlowRow>`
    SELECT wallet.type, wallet.last4, wallet.closed_at IS NOT NULL AS is_closed,
           (SELECT version FROM ledger_account WHERE id = wallet.ledger_account_id) AS number,
           summed.received_minor, summed.withdrawn_minor, summed.moved_minor
      FROM wallet, LATERAL (
        SELECT ${RECEIVED} AS received_minor, ${WITHDRAWN} AS withdrawn_minor,
               ${MOVED} AS moved_minor
          FROM ledger_total WHERE account_id = wallet.ledger_account_id) AS summed
     WHERE wallet.user_id = ${ownerId}`.execute(reader);
  return WALLET_TYPES.flatMap((wanted) => rows.filter(({ type }) => type === wanted)).map(
    ({ type, last4, receivedMinor, withdrawnMinor, movedMinor, number, isClosed }) => ({
      type,
      name: WALLET_LABELS[type],
      last4,
      isClosed,
      received: money(receivedMinor, currency),
      withdrawn: money(withdrawnMinor, currency),
      moved: money(movedMinor, currency),
      balance: money(receivedMinor - withdrawnMinor + movedMinor, currency),
      number: number.toString(),
    }),
  );
}

export async function getSealedBlocks(
  reader: Reader,
  after: string,
): Promise<RouteReply<'getSealedBlocks'>> {
  // The head before the blocks: one that is sealed in between is then among the blocks, and never a head without them.
  const head = await presentHead(reader);
  const blocks = await readBlocksAfter(reader, BigInt(after), PROOF_BLOCKS);
  return { blocks: blocks.map(presentBlock), head };
}

export async function getLedgerRoots(reader: Reader): Promise<RouteReply<'getLedgerRoots'>> {
  const blocks = (await readLastOfMonths(reader, LEDGER_ROOT_MONTHS)).map(presentBlock);
  return {
    roots: blocks.map(({ height, root, sealedAt, publicKey, signature }) => ({
      height: Number(height),
      root,
      sealedAt,
      publicKey,
      signature,
    })),
  };
}

async function presentHead(reader: Reader): Promise<RouteReply<'proveEvent'>['head']> {
  const head = await readHead(reader);
  if (head === undefined) return null;
  return { height: head.height.toString(), sealedAt: head.sealedAt.toISOString() };
}
