import type { LedgerErrorCode, Posting } from '#server/modules/ledger/index.ts';

/** A posting as the model knows it: with its id, and what it reverses. */
export type ModelPosting = Posting & { id: string; reversesId?: string };

interface ModelAccount {
  posted: bigint;
  held: bigint;
  minAvailable: bigint | null;
  /** `transaction amount balance`, oldest first. */
  entries: string[];
  /** Debit, credit and count by kind. */
  totals: Map<string, { debit: bigint; credit: bigint; count: bigint }>;
}

interface ModelHold {
  accountId: string;
  amount: bigint;
  state: 'held' | 'released' | 'captured';
}

/**
 * The ledger as an accountant would describe it, without a database: slow, simple, in memory.
 * A command returns why it is refused and then has changed nothing, or undefined.
 */
export class LedgerModel {
  accounts = new Map<string, ModelAccount>();
  holds = new Map<string, ModelHold>();
  postings = new Map<string, ModelPosting>();

  open(id: string, minAvailable: bigint | null): void {
    this.accounts.set(id, { posted: 0n, held: 0n, minAvailable, entries: [], totals: new Map() });
  }

  placeHold(id: string, accountId: string, amount: bigint): LedgerErrorCode | undefined {
    const account = this.account(accountId);
    if (isShort(account, account.posted - amount)) return 'insufficient_funds';
    if (amount <= 0n) return 'invalid_posting';
    account.held += amount;
    this.holds.set(id, { accountId, amount, state: 'held' });
    return undefined;
  }

  releaseHold(id: string): LedgerErrorCode | undefined {
    const hold = this.holds.get(id);
    if (hold?.state !== 'held') return 'hold_not_held';
    hold.state = 'released';
    this.account(hold.accountId).held -= hold.amount;
    return undefined;
  }

  /** Posts a batch: on a copy, which replaces this state when nothing was refused. */
  post(batch: readonly ModelPosting[]): LedgerErrorCode | undefined {
    const copy = structuredClone({ accounts: this.accounts, holds: this.holds });
    const trial = new LedgerModel();
    trial.accounts = copy.accounts;
    trial.holds = copy.holds;
    trial.postings = new Map(this.postings);
    const refusal = trial.tryBatch(batch);
    if (refusal !== undefined) return refusal;
    this.accounts = trial.accounts;
    this.holds = trial.holds;
    this.postings = trial.postings;
    return undefined;
  }

  private tryBatch(batch: readonly ModelPosting[]): LedgerErrorCode | undefined {
    for (const posting of batch) {
      const known = [...this.postings.values()];
      if (known.some(({ reference }) => reference === posting.reference)) {
        return 'duplicate_reference';
      }
      const { reversesId } = posting;
      if (reversesId !== undefined && known.some((one) => one.reversesId === reversesId)) {
        return 'already_reversed';
      }
      this.postings.set(posting.id, posting);
    }
    for (const { holdId } of batch) {
      if (holdId === undefined) continue;
      if (this.releaseHold(holdId) !== undefined) return 'hold_not_held';
      this.hold(holdId).state = 'captured';
    }
    if (batch.some(({ entries }) => entries.some(({ amountMinor }) => amountMinor === 0n))) {
      return 'invalid_posting';
    }
    if (batch.some(({ entries }) => sum(entries.map((entry) => entry.amountMinor)) !== 0n)) {
      return 'unbalanced';
    }
    if (batch.some(isAgainstItself)) return 'invalid_posting';
    for (const posting of batch) {
      this.apply(posting);
      const touched = posting.entries.map(({ accountId }) => this.account(accountId));
      if (touched.some((account) => isShort(account, account.posted))) return 'insufficient_funds';
    }
    const isInexact = batch.some(({ holdId, entries }) => {
      if (holdId === undefined) return false;
      const { accountId, amount } = this.hold(holdId);
      const taken = entries.filter((entry) => entry.accountId === accountId);
      return taken.length !== 1 || taken[0]?.amountMinor !== -amount;
    });
    return isInexact ? 'invalid_capture' : undefined;
  }

  private apply({ id, kind, entries }: ModelPosting): void {
    for (const { accountId, amountMinor } of entries) {
      const account = this.account(accountId);
      account.posted += amountMinor;
      account.entries.push(`${id} ${amountMinor} ${account.posted}`);
      const total = account.totals.get(kind) ?? { debit: 0n, credit: 0n, count: 0n };
      if (amountMinor < 0n) total.debit -= amountMinor;
      else total.credit += amountMinor;
      total.count += 1n;
      account.totals.set(kind, total);
    }
  }

  private account(id: string): ModelAccount {
    const account = this.accounts.get(id);
    if (account === undefined) throw new Error(`the model has no account ${id}`);
    return account;
  }

  private hold(id: string): ModelHold {
    const hold = this.holds.get(id);
    if (hold === undefined) throw new Error(`the model has no hold ${id}`);
    return hold;
  }

  /** All that the database should say, as lines in order. */
  describe(): string[] {
    const lines = [...this.accounts].flatMap(([id, account]) => [
      `account ${id} ${account.posted} ${account.held} ${account.entries.length}`,
      ...account.entries.map((entry, index) => `entry ${id} ${index + 1} ${entry}`),
      ...[...account.totals].map(
        ([kind, { debit, credit, count }]) => `total ${id} ${kind} ${debit} ${credit} ${count}`,
      ),
    ]);
    const holds = [...this.holds].map(
      ([id, { accountId, amount, state }]) => `hold ${id} ${accountId} ${amount} ${state}`,
    );
    const postings = [...this.postings.values()].map(
      ({ id, reference, reversesId }) => `transaction ${id} ${reference} ${reversesId ?? '-'}`,
    );
    return [...lines, ...holds, ...postings].toSorted();
  }
}

function isShort({ held, minAvailable }: ModelAccount, posted: bigint): boolean {
  return minAvailable !== null && posted - held < minAvailable;
}

/** True if the posting takes money from an account and gives some to the same one. */
function isAgainstItself({ entries }: ModelPosting): boolean {
  const payers = new Set(entries.filter((one) => one.amountMinor < 0n).map((one) => one.accountId));
  return entries.some((one) => one.amountMinor > 0n && payers.has(one.accountId));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
