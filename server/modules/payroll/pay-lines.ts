import { setImmediate } from 'node:timers/promises';
import type { PayrollLineReason } from '#contract/payroll.ts';
import { doInHalves } from '#server/db/savepoint.ts';
import { awaitInOrder } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import { LedgerError, findPosted, lockAccounts, post } from '#server/modules/ledger/index.ts';
import type { LedgerErrorCode } from '#server/modules/ledger/index.ts';
import type { ClaimedLine, LockedBatch } from './claim-lines.ts';
import { noteDueTransfers } from './due-transfers.ts';
import { markPaid } from './mark-lines.ts';
import { findUnnotified, notifyPaid } from './notify-paid.ts';
import {
  instalmentPosting,
  recordInstalments,
  saveInstalments,
} from './recoveries/take-instalments.ts';
import type { Instalment } from './recoveries/take-instalments.ts';
import { lineReference, postingKind } from './rules.ts';

/** Data that a chunk's lines share. */
export interface Chunk {
  batch: LockedBatch;
  /** The ledger account `payroll_funding` in the batch's currency. */
  fundingAccountId: string;
  /** Instalments of recoveries that are taken with the payments, by the ids of the lines. */
  instalments: ReadonlyMap<string, readonly Instalment[]>;
  /** True if people are notified after the chunk, by `notifyRange`. */
  isNotifiedLater: boolean;
  now: Date;
}

/**
 * Moves the money of those lines from payroll funding into their wallets, takes the instalments of recoveries from it,
 * marks the lines as paid and notifies their people, unless that is left for later; all of it or nothing.
 *
 * @throws {LedgerError} when the ledger refuses one of them
 */
export async function payLines(
  tx: Tx,
  { batch, fundingAccountId, instalments, isNotifiedLater, now }: Chunk,
  lines: readonly ClaimedLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const postings = lines.map((line) => ({
    id: newId(),
    kind: postingKind(batch),
    reference: lineReference(batch, line.lineNumber),
    description: batch.description,
    actorId: batch.createdBy,
    subjectId: line.id,
    entries: [
      { accountId: fundingAccountId, amountMinor: -line.amountMinor },
      { accountId: line.ledgerAccountId, amountMinor: line.amountMinor },
    ],
  }));
  const transactionIds = postings.map(({ id }) => id);
  const taken = lines.flatMap((line) => instalments.get(line.id) ?? []);
  const wallets = new Map(lines.map((line) => [line.id, line.ledgerAccountId]));
  const deductions = taken.map((one) => {
    const ledgerAccountId = invariant(wallets.get(one.lineId), 'an instalment is of a line');
    return instalmentPosting(one, { batch, fundingAccountId, ledgerAccountId });
  });
  // The rest is written while PostgreSQL posts, which is more than half of the work.
  const posted = post(tx, [...postings, ...deductions], { effectiveAt: now });
  const isSent = setImmediate();
  await awaitInOrder([
    posted,
    isSent.then(() => markPaid(tx, batch, lines, transactionIds, now)),
    isSent.then(() => noteDueTransfers(tx, batch, lines, now)),
    isSent.then(() => (isNotifiedLater ? undefined : notifyPaid(tx, batch, lines, now))),
    isSent.then(() => saveInstalments(tx, taken, now)),
  ]);
  recordInstalments(tx, batch, taken, now);
}

/**
 * Pays what can be paid of lines of which the ledger has refused at least one, and answers the
 * refused ones with their reasons. In the order of the lines, so that the first are paid when funding
 * ends.
 *
 * A line whose own transaction is in the ledger already was paid: it is marked as that, and nothing
 * is posted again.
 *
 * @throws whatever is no refusal (a lost connection, a deadlock): then nothing of it was done
 */
export async function payApart(
  tx: Tx,
  chunk: Chunk,
  lines: readonly ClaimedLine[],
): Promise<ClaimedLine[]> {
  const refused = new Map<string, ClaimedLine>();
  const codes = new Set<LedgerErrorCode>();
  /** The smallest amount that funding could not pay: what is not smaller is not tried after it. */
  let unfundedMinor: bigint | null = null;

  function refuse(line: ClaimedLine, problem: PayrollLineReason): void {
    refused.set(line.id, { ...line, problem });
  }

  // Before any half, and so kept when one is rolled back and halved again.
  await lockAccounts(tx, [
    chunk.fundingAccountId,
    ...lines.map(({ ledgerAccountId }) => ledgerAccountId),
  ]);
  await doInHalves(tx, await acknowledgePaid(tx, chunk, lines), {
    async attempt(wanted) {
      const [unfunded, funded] = partition(
        wanted,
        ({ amountMinor }) => unfundedMinor !== null && amountMinor >= unfundedMinor,
      );
      for (const line of unfunded) refuse(line, 'funding_exhausted');
      await payLines(tx, chunk, funded);
    },
    isRefusal: (error) => error instanceof LedgerError,
    refuse(line, error) {
      const { code, about } = error as LedgerError;
      codes.add(code);
      const isFunding = code === 'insufficient_funds' && about === chunk.fundingAccountId;
      if (isFunding) unfundedMinor = line.amountMinor;
      refuse(line, isFunding ? 'funding_exhausted' : (REASONS[code] ?? 'ledger_refused'));
    },
  });
  if (refused.size > 0) {
    // For whoever looks into it: the lines' reasons are words for admins.
    record(tx, { actor: 'system' }, 'payroll.lines_refused', {
      id: chunk.batch.id,
      details: { lines: refused.size, ledgerErrors: [...codes] },
    });
  }
  return [...refused.values()];
}

/** Reason on a line for each refusal of the ledger; any other is `ledger_refused`. */
const REASONS: Partial<Record<LedgerErrorCode, PayrollLineReason>> = {
  insufficient_funds: 'account_refused',
  unknown_account: 'account_refused',
  currency_mismatch: 'other_currency',
  duplicate_reference: 'reference_used',
};

/** Marks the lines that are in the ledger already, and answers the others. */
async function acknowledgePaid(
  tx: Tx,
  { batch, isNotifiedLater, now }: Chunk,
  lines: readonly ClaimedLine[],
): Promise<ClaimedLine[]> {
  const reference = (line: ClaimedLine) => lineReference(batch, line.lineNumber);
  const posted = await findPosted(
    tx,
    lines.map((line) => ({
      reference: reference(line),
      subjectId: line.id,
      accountId: line.ledgerAccountId,
      amountMinor: line.amountMinor,
    })),
  );
  const [paid, unpaid] = partition(lines, (line) => posted.has(reference(line)));
  if (paid.length > 0) {
    const transactionIds = paid.flatMap((line) => posted.get(reference(line)) ?? []);
    await markPaid(tx, batch, paid, transactionIds, now);
    await noteDueTransfers(tx, batch, paid, now);
    if (!isNotifiedLater) await notifyPaid(tx, batch, await findUnnotified(tx, paid), now);
  }
  return unpaid;
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
