import type { PayrollLineReason } from '#contract/payroll.ts';
import { withSavepoint } from '#server/db/savepoint.ts';
import type { Tx } from '#server/db/tx.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { findPosted, LedgerError } from '#server/modules/ledger/index.ts';
import type { LedgerErrorCode } from '#server/modules/ledger/index.ts';
import type { ClaimedLine } from './claim-lines.ts';
import { markPaid } from './mark-lines.ts';
import { payLines } from './pay-lines.ts';
import type { Chunk } from './pay-lines.ts';
import { lineReference } from './rules.ts';
import { findUntold, tellPaid } from './tell-paid.ts';

/**
 * Pays what can be paid of lines of which the ledger has refused at least one, and answers the
 * refused ones with their reasons. Lines are tried in halves under savepoints until the culprits
 * stand alone: one among a thousand takes some twenty postings. In the order of the lines, so that
 * the first are paid when funding ends.
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
  const unpaid = await acknowledgePaid(tx, chunk, lines);
  const refused: ClaimedLine[] = [];
  const codes = new Set<LedgerErrorCode>();
  /** The smallest amount that funding could not pay: no larger one is tried after it. */
  let unfundedMinor: bigint | null = null;

  function refuse(line: ClaimedLine, error: LedgerError): void {
    const problem = reasonOf(error, chunk);
    codes.add(error.code);
    refused.push({ ...line, problem });
    if (problem === 'funding_exhausted') unfundedMinor = line.amountMinor;
  }

  async function pay(wanted: readonly ClaimedLine[]): Promise<void> {
    const [funded, unfunded] = partition(
      wanted,
      (line) => unfundedMinor === null || line.amountMinor < unfundedMinor,
    );
    refused.push(...unfunded.map((line) => ({ ...line, problem: 'funding_exhausted' as const })));
    if (funded.length === 0) return;
    try {
      await withSavepoint(tx, () => payLines(tx, chunk, funded));
    } catch (error) {
      if (!(error instanceof LedgerError)) throw error;
      const [only, second] = funded;
      if (only === undefined) throw error;
      if (second === undefined) return refuse(only, error);
      const half = Math.ceil(funded.length / 2);
      await pay(funded.slice(0, half));
      await pay(funded.slice(half));
    }
  }

  await pay(unpaid);
  if (refused.length > 0) {
    // For whoever looks into it: the lines' reasons are words for admins.
    await recordAudit(tx, {
      by: { actor: 'system' },
      action: 'payroll.lines_refused',
      subjectType: 'payroll_batch',
      subjectId: chunk.batch.id,
      details: { lines: refused.length, ledgerErrors: [...codes] },
    });
  }
  return refused;
}

/** Marks the lines that are in the ledger already, and answers the others. */
async function acknowledgePaid(
  tx: Tx,
  { batch, now }: Chunk,
  lines: readonly ClaimedLine[],
): Promise<ClaimedLine[]> {
  const reference = (line: ClaimedLine) => lineReference(batch.number, line.lineNumber);
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
    await tellPaid(tx, batch, await findUntold(tx, paid), now);
  }
  return unpaid;
}

/** Refusals that an admin can do something about by what they mean for a line. */
const REASONS: Partial<Record<LedgerErrorCode, PayrollLineReason>> = {
  insufficient_funds: 'account_refused',
  unknown_account: 'account_refused',
  currency_mismatch: 'other_currency',
  duplicate_reference: 'reference_used',
};

/** Why the ledger refused a line that was tried alone. */
function reasonOf(error: LedgerError, { fundingAccountId }: Chunk): PayrollLineReason {
  const isFunding = error.code === 'insufficient_funds' && error.about === fundingAccountId;
  return isFunding ? 'funding_exhausted' : (REASONS[error.code] ?? 'ledger_refused');
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
