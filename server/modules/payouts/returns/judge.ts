import { sql } from 'kysely';
import { accountFormatOf } from '#contract/account-formats.ts';
import type { BankAccountType } from '#contract/bank-accounts.ts';
import type { ReturnCause, ReturnEntryStatus } from '#contract/returns.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CorrectedDetails } from '#server/modules/bank-accounts/index.ts';
import { PROOF_REFERENCE, selectItemRequests } from '../items.ts';
import { correctedDetails } from './corrected.ts';
import type { FileEntry, ReturnFile } from './return-file.ts';

/** An item of a payout file, as far as a return needs it. */
export interface FoundItem {
  itemId: string;
  traceNumber: string;
  amountMinor: bigint;
  companyId: string;
  /** False once it came back: its request may be in another file then. */
  isLive: boolean;
  /** True while a return of it waits to be booked. */
  isComing: boolean;
  fileStatus: string;
  reference: string;
  /** Status of the withdrawal, the bill or the bank account. */
  status: string;
  /** The reversal that was given to the bank and has no answer; null if there is none. */
  reversalId: string | null;
  withdrawalId: string | null;
  billId: string | null;
  /** The bank account of a prenote or a micro-deposit, as it was handed in at `requestedAt`. */
  bankAccountId: string | null;
  /** 1 or 2 of a micro-deposit; null otherwise. */
  depositNumber: number | null;
  /** False for a micro-deposit of a file whose payments are still being posted. */
  isPosted: boolean;
  requestedAt: Date;
  /** Id of the person whose payment or bank account it is. */
  ownerId: string;
  /** Null of a bill, a prenote and a micro-deposit. */
  bank: {
    id: string;
    userId: string;
    last4: string;
    routingNumber: string;
    accountType: BankAccountType;
    /** True while it is what the payment went to, and can be paid to. */
    isSame: boolean;
  } | null;
}

/** An entry with what becomes of it. */
export interface JudgedEntry extends FileEntry {
  status: Extract<ReturnEntryStatus, 'booked' | 'unknown' | 'repeated' | 'listed' | 'proposed'>;
  cause: ReturnCause | null;
  item: FoundItem | null;
  /** Details that a proposed change is about. */
  details: CorrectedDetails | null;
}

/** Statuses of a withdrawal and a bill that were sent in a file and did not come back. */
const OUT = new Set(['processing', 'completed', 'sent', 'paid']);

/**
 * Decides what becomes of each entry of a file. Only what agrees in trace number, company, amount and reference is booked
 * by itself; a trace number alone is not enough, because all companies of a bank count theirs from its routing number.
 */
export async function judgeEntries(reader: Reader, file: ReturnFile): Promise<JudgedEntry[]> {
  const traces = file.entries.map(({ originalTrace }) => originalTrace);
  const items = await findItems(reader, traces);
  const known = await knownEntries(reader, traces);
  const returned = new Set<string>();
  return file.entries.map((entry) => {
    const item = items.get(entry.originalTrace) ?? null;
    const verdict = known.has(keyOf(entry))
      ? ({ status: 'repeated', cause: null } as const)
      : judge(entry, item);
    known.add(keyOf(entry));
    const isAnswer = verdict.status === 'booked' || verdict.cause === 'reversal';
    const key = `${verdict.status} ${item?.itemId}`;
    const isAgain = isAnswer && returned.has(key);
    if (isAnswer) returned.add(key);
    return {
      ...entry,
      item: item !== null && isOfCompany(entry, item) ? item : null,
      details: null,
      ...(isAgain ? { status: 'repeated', cause: 'returned' } : verdict),
    };
  });
}

function isOfCompany({ companyId }: FileEntry, item: FoundItem): boolean {
  return companyId === null || companyId === item.companyId;
}

type Verdict = Pick<JudgedEntry, 'status' | 'cause'> & Partial<Pick<JudgedEntry, 'details'>>;
const unknown = (cause: ReturnCause): Verdict => ({ status: 'unknown', cause });

function judge(entry: FileEntry, item: FoundItem | null): Verdict {
  const { answer, identification } = entry;
  if (answer.kind === 'dishonored' || answer.kind === 'contested') {
    return { status: 'listed', cause: null };
  }
  if (item === null) return unknown('trace');
  if (!isOfCompany(entry, item)) return unknown('company');
  if (identification !== '' && identification !== item.reference) return unknown('reference');
  if (!['sent', 'settled'].includes(item.fileStatus)) return unknown('not_sent');
  if (answer.kind === 'change') {
    const details = correctedDetails(answer.code, answer.corrected);
    if (details === null) return { status: 'listed', cause: 'data' };
    if (item.bankAccountId !== null) return judgeItem(item);
    if (item.bank?.isSame !== true || accountFormatOf(item.bank) !== 'aba') {
      return { status: 'listed', cause: 'account' };
    }
    return { status: 'proposed', cause: null, details };
  }
  if (!entry.isReturnedCredit) {
    return item.reversalId !== null && item.amountMinor === entry.amountMinor
      ? { status: 'listed', cause: 'reversal' }
      : unknown('debit');
  }
  if (item.amountMinor !== entry.amountMinor) return unknown('amount');
  return item.isComing ? { status: 'repeated', cause: 'returned' } : judgeItem(item);
}

/**
 * Decides about an item that agrees with its entry. A payment and a micro-deposit come back once, and a bank answers a
 * prenote once: it sends it back, or asks for other details.
 */
export function judgeItem({ isLive, isPosted, bankAccountId, status }: FoundItem): Verdict {
  const isOut = bankAccountId === null ? OUT.has(status) : isPosted;
  if (isLive) return isOut ? { status: 'booked', cause: null } : unknown('not_sent');
  return { status: 'repeated', cause: 'returned' };
}

function selectItems(reader: Reader) {
  return selectItemRequests(reader)
    .leftJoin('bankAccount as bank', 'bank.id', 'withdrawal.bankAccountId')
    .leftJoin('bankAccount as tested', 'tested.id', 'item.bankAccountId')
    .select(['item.id as itemId', 'item.isLive', 'item.traceNumber', 'item.amountMinor'])
    .select('file.status as fileStatus')
    .select(
      sql<
        string | null
      >`(SELECT id FROM payout_reversal WHERE item_id = item.id AND status = 'sent')`.as(
        'reversalId',
      ),
    )
    .select(['item.withdrawalId', 'item.billId', 'item.bankAccountId', 'item.depositNumber'])
    .select('bank.id as bankId')
    .select(['bank.userId', 'bank.last4', 'bank.routingNumber', 'bank.accountType'])
    .select([
      sql<boolean>`EXISTS (SELECT FROM return_entry
                            WHERE item_id = item.id AND status = 'waiting' AND kind = 'return')`.as(
        'isComing',
      ),
      sql<string>`coalesce(withdrawal.user_id, bill.user_id, tested.user_id)`.as('ownerId'),
      sql<string>`file.profile ->> 'companyId'`.as('companyId'),
      sql<boolean>`item.deposit_number IS NULL OR item.ledger_transaction_id IS NOT NULL`.as(
        'isPosted',
      ),
      sql<string>`coalesce(withdrawal.reference, bill.reference, ${PROOF_REFERENCE})`.as(
        'reference',
      ),
      sql<string>`coalesce(withdrawal.status, bill.status, tested.status)`.as('status'),
      sql<Date>`coalesce(withdrawal.requested_at, bill.requested_at, item.account_as_of)`.as(
        'requestedAt',
      ),
      sql<boolean>`coalesce(bank.status = 'verified' AND bank.removed_at IS NULL
                            AND bank.submitted_at <= withdrawal.requested_at, false)`.as('isSame'),
    ])
    .where('file.status', '<>', 'cancelled');
}

/** The newest item with each trace number: they begin again after ten million. */
async function findItems(
  reader: Reader,
  traces: readonly string[],
): Promise<ReadonlyMap<string, FoundItem>> {
  const rows = await selectItems(reader)
    .where(sql<boolean>`item.trace_number = ANY (${traces}::text[])`)
    .orderBy('file.number')
    .execute();
  return new Map(rows.map((row) => [row.traceNumber, foundOf(row)]));
}

/** Items by their ids. */
export async function findItemsById(
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundItem>> {
  const rows = await selectItems(reader)
    .where(sql<boolean>`item.id = ANY (${ids}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.itemId, foundOf(row)]));
}

/** An item by its id. */
export async function findItem(reader: Reader, itemId: string): Promise<FoundItem | null> {
  return (await findItemsById(reader, [itemId])).get(itemId) ?? null;
}

/** True for an item to which a return of this amount can be booked. */
export function canComeBack(item: FoundItem, amountMinor: bigint): boolean {
  const wasSent = item.fileStatus === 'sent' || item.fileStatus === 'settled';
  return wasSent && item.amountMinor === amountMinor && judgeItem(item).status === 'booked';
}

function foundOf(
  row: Awaited<ReturnType<ReturnType<typeof selectItems>['execute']>>[number],
): FoundItem {
  const { bankId, userId, last4, routingNumber, accountType, isSame, companyId, ...item } = row;
  const hasBank = bankId !== null && userId !== null && last4 !== null && routingNumber !== null;
  return {
    ...item,
    companyId: companyId.trim(),
    bank:
      hasBank && accountType !== null
        ? { id: bankId, userId, last4, routingNumber, accountType, isSame }
        : null,
  };
}

/** Keys of the entries about these payments that earlier files have. */
async function knownEntries(reader: Reader, traces: readonly string[]): Promise<Set<string>> {
  const rows = await reader
    .selectFrom('returnEntry')
    .select(['originalTrace', 'bankTrace', 'kind', 'code', 'amountMinor'])
    .where(sql<boolean>`original_trace = ANY (${traces}::text[])`)
    .execute();
  return new Set(rows.map(({ kind, code, ...row }) => keyOf({ ...row, answer: { kind, code } })));
}

function keyOf({
  originalTrace,
  bankTrace,
  amountMinor,
  answer,
}: Pick<FileEntry, 'originalTrace' | 'bankTrace' | 'amountMinor'> & {
  answer: { kind: string; code: string };
}): string {
  return [originalTrace, bankTrace, answer.kind, answer.code, String(amountMinor)].join(' ');
}
