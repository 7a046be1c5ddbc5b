import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { CURRENCY, dumpLedger, openLedgerFixture } from '#test/ledger-fixture.ts';
import { transfer } from '#test/ledger-postings.ts';
import { LedgerModel } from '#test/ledger-model.ts';
import type { ModelPosting } from '#test/ledger-model.ts';
import {
  ensureSystemAccount,
  LedgerError,
  openAccount,
  placeHold,
  post,
  releaseHold,
  reverseAll,
  verifyLedger,
} from './index.ts';

const seed = Number(process.env['FC_SEED'] ?? Date.now() % 2 ** 31);
const RUNS = Number(process.env['FC_RUNS'] ?? 20);
const STEPS = 30;

/** Numbers select an existing account, hold or transaction: the number modulo their count. */
const index = fc.nat({ max: 1000 });
const amount = fc.bigInt({ min: 1n, max: 120n });
/** Amount of a capture that differs from the hold. Rare, because it is refused. */
const otherAmount = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: amount },
);
const leg = fc.record({ from: index, to: index, amount });
/** Initial balance of a wallet: enough for some steps, and soon too little. */
const START_MINOR = 150n;
const shape = fc.record({
  legs: fc.array(leg, { minLength: 1, maxLength: 3 }),
  /** Minor units by which one entry is wrong; or a zero amount. */
  fault: fc.option(fc.constantFrom(1n, -1n), { freq: 12, nil: 0n }),
  repeatsReference: fc.option(index, { freq: 12, nil: undefined }),
  capturesHold: fc.option(index, { freq: 3, nil: undefined }),
});
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ batch: fc.array(shape, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ hold: index, amount: fc.bigInt({ min: -1n, max: 110n }) }) },
  { weight: 2, arbitrary: fc.record({ release: index }) },
  { weight: 2, arbitrary: fc.record({ capture: index, to: index, otherAmount }) },
  { weight: 2, arbitrary: fc.record({ reverse: index }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

/** A step's effect on the model and on the database. */
interface Action {
  model: () => string | undefined;
  database: (tx: Tx) => Promise<unknown>;
}

function pick<T>(values: readonly T[], at: number): T | undefined {
  return values[at % values.length];
}

function makePosting(model: LedgerModel, { legs, ...odd }: Shape): ModelPosting {
  const accounts = [...model.accounts.keys()];
  const entries = legs.flatMap(({ from, to, amount: amountMinor }) => [
    { accountId: pick(accounts, from) ?? '', amountMinor: -amountMinor },
    { accountId: pick(accounts, to) ?? '', amountMinor },
  ]);
  const [first] = entries;
  if (first !== undefined) first.amountMinor += odd.fault;
  const id = newId();
  const repeated =
    odd.repeatsReference === undefined
      ? undefined
      : pick([...model.postings.values()], odd.repeatsReference)?.reference;
  const holdId =
    odd.capturesHold === undefined ? undefined : pick([...model.holds.keys()], odd.capturesHold);
  return {
    id,
    kind: legs.length === 1 ? 'transfer' : 'split',
    reference: repeated ?? `T-${id}`,
    description: '',
    actorId: null,
    subjectId: null,
    entries,
    ...(holdId === undefined ? {} : { holdId }),
  };
}

function planBatch(model: LedgerModel, batch: readonly ModelPosting[]): Action {
  return { model: () => model.post(batch), database: (tx) => post(tx, batch) };
}

/** A capture as withdrawals use it: from the hold's own account. */
function planCapture(model: LedgerModel, at: number, to: number, other: bigint | null): Action {
  const [holdId, hold] = pick([...model.holds], at) ?? [newId(), undefined];
  const minor = other ?? hold?.amount ?? 1n;
  const accounts = [...model.accounts.keys()];
  const id = newId();
  const posting = {
    id,
    kind: 'capture',
    reference: `C-${id}`,
    description: '',
    holdId,
    actorId: null,
    subjectId: null,
    entries: [
      { accountId: hold?.accountId ?? accounts[0] ?? '', amountMinor: -minor },
      { accountId: pick(accounts, to) ?? '', amountMinor: minor },
    ],
  };
  return planBatch(model, [posting]);
}

function planReverse(model: LedgerModel, at: number): Action {
  const id = newId();
  const original = pick([...model.postings.values()], at);
  const undo = {
    id,
    kind: 'reversal',
    reference: `R-${id}`,
    description: '',
    actorId: null,
    transactionId: original?.id ?? newId(),
  };
  const mirrored = original?.entries
    .toSorted((a, b) => (a.accountId < b.accountId ? -1 : Number(a.accountId > b.accountId)))
    .map(({ accountId, amountMinor }) => ({ accountId, amountMinor: -amountMinor }));
  return {
    model: () =>
      mirrored === undefined
        ? 'unknown_transaction'
        : model.post([
            { ...undo, subjectId: null, reversesId: undo.transactionId, entries: mirrored },
          ]),
    database: (tx) => reverseAll(tx, [undo]),
  };
}

function plan(model: LedgerModel, chosen: Step): Action {
  if ('batch' in chosen) {
    return planBatch(
      model,
      chosen.batch.map((one) => makePosting(model, one)),
    );
  }
  if ('hold' in chosen) {
    const hold = {
      id: newId(),
      accountId: pick([...model.accounts.keys()], chosen.hold) ?? '',
      amountMinor: chosen.amount,
    };
    return {
      model: () => model.placeHold(hold.id, hold.accountId, hold.amountMinor),
      database: (tx) => placeHold(tx, { ...hold, reference: `H-${hold.id}` }),
    };
  }
  if ('release' in chosen) {
    const id = pick([...model.holds.keys()], chosen.release) ?? newId();
    return { model: () => model.releaseHold(id), database: (tx) => releaseHold(tx, id) };
  }
  if ('capture' in chosen) return planCapture(model, chosen.capture, chosen.to, chosen.otherAmount);
  return planReverse(model, chosen.reverse);
}

async function refusalOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof LedgerError) return error.code;
    throw error;
  }
}

async function describeDatabase(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    SELECT concat_ws(' ', 'account', id, posted, held, version) AS line FROM ledger_account
    UNION ALL SELECT concat_ws(' ', 'entry', account_id, account_version, transaction_id, amount,
                               balance_after) FROM ledger_entry
    UNION ALL SELECT concat_ws(' ', 'total', account_id, kind, sum(debit), sum(credit), sum(count))
                FROM ledger_total GROUP BY account_id, kind
    UNION ALL SELECT concat_ws(' ', 'hold', id, account_id, amount, state) FROM ledger_hold
    UNION ALL SELECT concat_ws(' ', 'transaction', id, reference,
                               coalesce(reverses_id::text, '-')) FROM ledger_transaction`.execute(
    db,
  );
  return rows.map(({ line }) => line).toSorted();
}

/** Opens one system account, and wallets with some money. */
async function openAccounts(db: Db, model: LedgerModel): Promise<void> {
  await withTx(db, async (tx) => {
    const funding = await ensureSystemAccount(tx, 'payroll_funding', CURRENCY);
    model.open(funding, null);
    for (const kind of ['salary', 'savings', 'irs']) {
      const id = await openAccount(tx, { kind, ownerId: newId(), currency: CURRENCY });
      model.open(id, 0n);
      const start = transfer(funding, id, START_MINOR);
      expect(model.post([start])).toBeUndefined();
      await post(tx, [start]);
    }
  });
}

/** Runs every step in both, and compares the results after each. */
async function compare(steps: readonly Step[], taken: Map<string, number>): Promise<void> {
  const fixture = await openLedgerFixture();
  try {
    const model = new LedgerModel();
    await openAccounts(fixture.db, model);
    for (const chosen of steps) {
      const before = await dumpLedger(fixture.db);
      const action = plan(model, chosen);
      const refused = await refusalOf(withTx(fixture.db, action.database));
      expect(refused).toBe(action.model());
      expect(await describeDatabase(fixture.db)).toEqual(model.describe());
      if (refused !== undefined) expect(await dumpLedger(fixture.db)).toBe(before);
      taken.set(refused ?? 'done', (taken.get(refused ?? 'done') ?? 0) + 1);
    }
    expect((await verifyLedger(fixture.db)).problems).toEqual([]);
  } finally {
    await fixture.close();
  }
}

test(`behaves as the model does, step by step (FC_SEED=${seed})`, async () => {
  const taken = new Map<string, number>();
  const steps = fc.array(step, { minLength: STEPS / 2, maxLength: STEPS, size: 'max' });
  await fc.assert(
    fc.asyncProperty(steps, (chosen) => compare(chosen, taken)),
    { seed, numRuns: RUNS, endOnFailure: true },
  );
  // The sequences only prove something if they do not all end in the same refusal.
  for (const outcome of ['done', 'insufficient_funds', 'hold_not_held', 'already_reversed']) {
    expect(taken.get(outcome), outcome).toBeGreaterThan(0);
  }
});
