import { sql } from 'kysely';
import type { Reader } from '#server/db/tx.ts';
import { personOf } from '#server/lib/actor.ts';
import type { AuditContext } from '#server/lib/actor.ts';
import type { AppError } from '#server/lib/errors.ts';
import { invariant } from '#server/lib/errors.ts';
import { readKnown } from '#server/modules/acts/index.ts';
import { bills } from '#server/modules/payments/index.ts';
import { withdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { PROOF_REFERENCE } from './items.ts';

type Clocked = Pick<Services, 'clock'>;

/** A payment of a file with the results of looking at it. */
export interface CheckedItem {
  reference: string;
  routingNumber: string;
  /** The reason for which it can no longer leave; null if it can. */
  why: string | null;
}

/** Items that are read and checked together. */
const CHUNK_CHECKED = 1_000;

/** The payments of a file in its order, in chunks. */
export async function* readCheckedItems(
  reader: Reader,
  services: Clocked,
  by: AuditContext,
  fileId: string,
): AsyncGenerator<CheckedItem[], void> {
  let after = '';
  for (;;) {
    // The items first: joined with the others, PostgreSQL would read all that follow for each chunk.
    // oxlint-disable-next-line no-await-in-loop -- one chunk after another
    const items = await reader
      .selectFrom('payoutFileItem')
      .select(['id', 'withdrawalId', 'billId', 'traceNumber'])
      .where('fileId', '=', fileId)
      .where('traceNumber', '>', after)
      .orderBy('traceNumber')
      .limit(CHUNK_CHECKED)
      .execute();
    // oxlint-disable-next-line no-await-in-loop -- one chunk after another
    if (items.length > 0) yield await checkItems(reader, services, by, items);
    if (items.length < CHUNK_CHECKED) return;
    after = items.at(-1)?.traceNumber ?? after;
  }
}

/** An item with the request that it pays; a prenote or a micro-deposit has none. */
interface Item {
  id: string;
  withdrawalId: string | null;
  billId: string | null;
}

async function checkItems(
  reader: Reader,
  services: Clocked,
  by: AuditContext,
  items: readonly Item[],
): Promise<CheckedItem[]> {
  const idsOf = (column: 'withdrawalId' | 'billId') => items.flatMap((item) => item[column] ?? []);
  const ofWithdrawals = await readKnown(reader, services, withdrawals, {
    ids: idsOf('withdrawalId'),
    acts: ['startProcessing'],
    columns: { ...OF_REQUESTS, routingNumber: sql<string>`coalesce(bank.routing_number, '')` },
  });
  const ofBills = await readKnown(reader, services, bills, {
    ids: idsOf('billId'),
    acts: ['send'],
    columns: { ...OF_REQUESTS, routingNumber: sql<string>`coalesce(recipient.routing_number, '')` },
  });
  const proofs = items.filter(
    ({ withdrawalId, billId }) => withdrawalId === null && billId === null,
  );
  const ofProofs = await checkProofs(
    reader,
    proofs.map(({ id }) => id),
  );
  const actorId = () => personOf(by).actor.id;
  return items.map(({ id, withdrawalId, billId }) => {
    // The file that each is in is this one.
    const withdrawal = ofWithdrawals?.get(withdrawalId ?? '');
    if (withdrawal !== undefined) {
      const known = { ...withdrawal.known, inFile: null };
      const refusal = withdrawals.guards?.startProcessing?.({ ...withdrawal, actorId, known });
      return checked(known, 'approved', refusal);
    }
    const bill = ofBills?.get(billId ?? '');
    if (bill !== undefined) {
      const known = { ...bill.known, inFile: null };
      return checked(known, 'due', bills.guards?.send?.({ ...bill, actorId, known }));
    }
    return invariant(ofProofs.get(id), 'an item of nothing');
  });
}

const OF_REQUESTS = {
  reference: sql<string>`request.reference`,
  status: sql<string>`request.status`,
};

function checked(
  { reference, status, routingNumber }: Omit<CheckedItem, 'why'> & { status: string },
  open: string,
  refusal: Pick<AppError, 'message'> | null | undefined,
): CheckedItem {
  const why = status === open ? (refusal?.message ?? null) : `It is ${status}.`;
  return { reference, routingNumber, why };
}

interface ProofRow extends Omit<CheckedItem, 'why'> {
  id: string;
  status: string;
  isChanged: boolean;
}

/** Prenotes and micro-deposits, each to an account that must not have been removed or handed in again since. */
async function checkProofs(
  reader: Reader,
  itemIds: readonly string[],
): Promise<ReadonlyMap<string, CheckedItem>> {
  if (itemIds.length === 0) return new Map();
  const { rows } = await sql<ProofRow>`
    SELECT item.id, ${PROOF_REFERENCE} AS reference, bank.status, coalesce(bank.routing_number, '') AS routing_number,
           bank.submitted_at <> item.account_as_of OR bank.removed_at IS NOT NULL AS is_changed
      FROM payout_file_item AS item JOIN bank_account AS bank ON bank.id = item.bank_account_id
     WHERE item.id = ANY (${itemIds}::uuid[])`.execute(reader);
  const changed = { message: 'The bank account was changed since.' };
  return new Map(
    rows.map(({ id, isChanged, ...row }) => [
      id,
      checked(row, 'pending', isChanged ? changed : null),
    ]),
  );
}
