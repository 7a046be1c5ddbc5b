import type { PayrollBatch } from '#contract/api.ts';
import type { DepositStatus } from '#contract/deposits.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import type { Db } from '#server/db/tx.ts';

/** A withdrawal that a client had an answer to. */
export interface KnownWithdrawal {
  /** Stands in its reason, and is in no other request: two rows with it are one request done twice. */
  marker: string;
  /** The last one acknowledged. */
  status: WithdrawalStatus;
}

/**
 * What the clients know: each action that the servers have acknowledged, and what the servers should
 * not have answered. Compared with the database at the end.
 */
export interface Journal {
  withdrawals: Map<string, KnownWithdrawal>;
  deposits: Map<string, DepositStatus>;
  batches: Map<string, Pick<PayrollBatch, 'employees'>>;
  /** The payrolls that filled the wallets before anything was asked. */
  fundings: Map<string, Pick<PayrollBatch, 'employees'>>;
  /** Acknowledged actions, by the name that the audit trail gives each. */
  acknowledged: Map<string, number>;
  /** Requests sent once more because the first answer was 503 or none. */
  retried: number;
  /** Of these, such that had been done already: the key answered. */
  replayed: number;
  /** Answers that a server must never give: 500, a 503 of another shape, none for too long. */
  faults: string[];
}

export function createJournal(): Journal {
  return {
    withdrawals: new Map(),
    deposits: new Map(),
    batches: new Map(),
    fundings: new Map(),
    acknowledged: new Map(),
    retried: 0,
    replayed: 0,
    faults: [],
  };
}

/** Knows what filled the wallets: it is compared as other payrolls are. */
export async function noteFunding(db: Db, journal: Journal): Promise<void> {
  const batches = await db.selectFrom('payrollBatch').select(['id', 'payableCount']).execute();
  for (const { id, payableCount } of batches) {
    journal.fundings.set(id, { employees: payableCount });
    note(journal, 'payroll.sent');
  }
}

export function countAcknowledged({ acknowledged }: Journal): number {
  return [...acknowledged.values()].reduce((sum, count) => sum + count, 0);
}

export function note(journal: Journal, action: string): void {
  journal.acknowledged.set(action, (journal.acknowledged.get(action) ?? 0) + 1);
}
