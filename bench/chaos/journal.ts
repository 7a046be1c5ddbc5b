import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { PayrollBatch } from '#contract/api.ts';
import type { DepositStatus } from '#contract/deposits.ts';
import type { WithdrawalStatus } from '#contract/withdrawals.ts';
import type { Db } from '#server/db/tx.ts';

/** A withdrawal that was acknowledged to a client. */
export interface KnownWithdrawal {
  /** Text in its reason, unique to this request: two rows with it are one request done twice. */
  marker: string;
  /** Last acknowledged status. */
  status: WithdrawalStatus;
}

/**
 * Records of the clients: each acknowledged action, and each reply that the servers should not have
 * given. Compared with the database at the end.
 */
export interface Journal {
  withdrawals: Map<string, KnownWithdrawal>;
  deposits: Map<string, DepositStatus>;
  /** Last acknowledged status of bills and payout files, by id. */
  bills: Map<string, string>;
  files: Map<string, string>;
  /** Withdrawals whose money left in a payout file, before the file was settled. */
  sent: Set<string>;
  /** Owners of withdrawals that came back and were not sent again, by the withdrawal's id. */
  back: Map<string, string>;
  /** Last acknowledged status of reversals by the bank, by id. */
  reversals: Map<string, string>;
  /** Ids of standing bills. */
  standing: Set<string>;
  /** Lines of the company's statements by their text, in minor units. */
  lines: Map<string, bigint>;
  /** Addresses of people whose import was confirmed. */
  imported: Set<string>;
  /** Approved withdrawals that no administrator of the load goes on with, but for payout files. */
  resting: Set<string>;
  /** Fundings of which a part was taken back. */
  reduced: Set<string>;
  /** Ids of payments to colleagues and of moves between accounts of one person. */
  payments: Set<string>;
  moves: Set<string>;
  /** Sums over the wallets of the people who request money, in minor units, as acknowledged. */
  posted: bigint;
  held: bigint;
  batches: Map<string, Pick<PayrollBatch, 'employees'>>;
  /** Payrolls that filled the wallets before the first request. */
  fundings: Map<string, Pick<PayrollBatch, 'employees'>>;
  /** Acknowledged actions, by their name in the audit trail. */
  acknowledged: Map<string, number>;
  /** Requests repeated because the first reply was 503 or missing. */
  retried: number;
  /** Those of them that had already been done: the key returned the stored reply. */
  replayed: number;
  /** Replies that a server must never give: 500, a 503 of another shape, none for too long. */
  faults: string[];
  /** File with one line for each acknowledged action, on the disk before the next request is sent. */
  log: number;
}

/** @param path file of the log, which is written over */
export function createJournal(path: string): Journal & Disposable {
  const log = openSync(path, 'w');
  return {
    log,
    posted: 0n,
    held: 0n,
    bills: new Map(),
    files: new Map(),
    back: new Map(),
    reversals: new Map(),
    payments: new Set(),
    moves: new Set(),
    resting: new Set(),
    reduced: new Set(),
    standing: new Set(),
    sent: new Set(),
    lines: new Map(),
    imported: new Set(),
    [Symbol.dispose]: () => closeSync(log),
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

/** Records the payrolls that filled the wallets, so that they are compared, too. */
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

/** Effect of an action on the wallets of the people who request money, in minor units. */
interface Effect {
  posted?: bigint;
  held?: bigint;
  id?: string;
}

/** Notes an acknowledged action, by its name in the audit trail. */
export function note(journal: Journal, action: string, effect: Effect = {}): void {
  const { posted = 0n, held = 0n, id = '' } = effect;
  writeSync(journal.log, `${new Date().toISOString()} ${action} ${id} ${posted} ${held}\n`);
  fdatasyncSync(journal.log);
  journal.acknowledged.set(action, (journal.acknowledged.get(action) ?? 0) + 1);
  journal.posted += posted;
  journal.held += held;
}
