import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TransactionPage } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { PROOF_CHECKS, verifyProof } from '#contract/verify-proof.ts';
import type { Proven } from '#contract/verify-proof.ts';
import { checkPage } from '#contract/verify-shown.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { invariant } from '#server/lib/errors.ts';
import { reverseLine } from '#server/modules/payroll/index.ts';
import type { Sealer } from '#server/modules/ledger/index.ts';
import { createPayee, fundedWallet, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { readLog } from '#test/logged-company.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { createTestSealer } from '#test/ledger-sealer.ts';
import { getLoggedTransaction } from './details.ts';
import type { LogFilter } from './scope.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;
let maya: Payee;
let sealer: Sealer;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  sealer = createTestSealer(db, generateKeyPairSync('ed25519').privateKey);
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  maya = await createPayee(db, services, { admin, firstName: 'Maya', lastName: 'Castellanos' });
});
afterAll(() => test.close());

async function first(changes: Partial<LogFilter>): Promise<TransactionPage> {
  const { items } = await readLog(db, changes, { pageSize: 1 });
  return getLoggedTransaction(db, invariant(items[0], 'nothing is listed').id);
}

const USD = (minor: bigint) => money(minor, 'USD');

describe('the details of a transaction', () => {
  it('have both sides, which sum to zero, and the batch of the payment', async () => {
    const page = await first({ type: 'payroll' });
    expect(page.entries).toMatchObject([
      { holder: null, account: 'Payroll funding', amount: USD(-481_236n) },
      {
        holder: { id: maya.by.actor.id, name: 'Maya Castellanos' },
        account: `Salary Wallet ••${page.account.last4}`,
        number: '1',
        amount: USD(481_236n),
        balanceAfter: USD(481_236n),
      },
    ]);
    expect(page.facts).toMatchObject({ batch: { line: 1, lines: 1 }, request: null, hold: null });
  });

  it('name the request, the hold and the reversal of a payout', async () => {
    const { id, reference } = await withdrawalIn(db, services, {
      payee: maya,
      admin,
      status: 'returned',
    });
    const payout = await first({ type: 'withdrawal', status: 'completed' });
    const reversal = await first({ type: 'reversal' });
    const request = { type: 'withdrawal', id, reference };
    expect(payout.facts).toMatchObject({
      request,
      hold: USD(40_000n),
      by: 'Renee Albright',
      reversedBy: { id: reversal.id, reference: reversal.reference },
    });
    expect(reversal.facts).toMatchObject({
      request,
      hold: null,
      reverses: { id: payout.id, reference: payout.reference },
    });
    expect(payout.employee.name).toBe('Maya Castellanos');
    // A request that is posted is found only by the id of its posting.
    await expect(getLoggedTransaction(db, id)).rejects.toMatchObject({
      code: 'transaction_not_found',
    });
  });

  it('name the payment of a part that was taken back, and the parts of a payment', async () => {
    const jo = await createPayee(db, services, { admin, fundedMinor: 60_000n, firstName: 'Jo' });
    const person = jo.by.actor.id;
    const paid = await first({ person, type: 'payroll' });
    const { id: lineId } = await db
      .selectFrom('payrollLine')
      .select('id')
      .where('userId', '=', person)
      .executeTakeFirstOrThrow();
    const reversePart = (minor: bigint, left: bigint) =>
      withTx(db, (tx) =>
        reverseLine(tx, services, admin, {
          id: lineId,
          amount: USD(minor),
          left: USD(left),
          reason: 'wrong_amount',
          message: 'It was too much.',
        }),
      );
    await reversePart(10_000n, 60_000n);
    await reversePart(500n, 50_000n);
    const part = await first({ person, type: 'reversal', least: '10000' });
    expect(part.entries.map(({ account, amount }) => [account, amount])).toEqual([
      [`Salary Wallet ••${paid.account.last4}`, USD(-10_000n)],
      ['Payroll funding', USD(10_000n)],
    ]);
    expect(part.facts).toMatchObject({
      batch: { line: 1 },
      reverses: null,
      note: 'It was too much.',
      reversesPartOf: { id: paid.id, reference: paid.reference },
    });
    const { facts } = await getLoggedTransaction(db, paid.id);
    expect(facts.reversedBy).toBeNull();
    expect(facts.reversesPartOf).toBeNull();
    expect(facts.reversedInPart).toMatchObject([
      { id: part.id, reference: `${paid.reference}-R1`, amount: USD(10_000n) },
      { reference: `${paid.reference}-R2`, amount: USD(500n) },
    ]);
  });

  it('have no sides and no proof for a request, but the person who rejected it and why, or the hold', async () => {
    await withdrawalIn(db, services, { payee: maya, admin, status: 'rejected' });
    const rejected = await first({ type: 'withdrawal', status: 'failed' });
    expect(rejected).toMatchObject({
      entries: [],
      proof: null,
      amount: USD(-40_000n),
      facts: { by: 'Renee Albright', rejectionReason: 'The account is closed', hold: null },
    });
    await withdrawalIn(db, services, { payee: maya, admin, status: 'pending' });
    const pending = await first({ type: 'withdrawal', status: 'pending' });
    expect(pending.facts).toMatchObject({ by: null, hold: USD(40_000n), recordedAt: null });
  });

  it('are refused for an unknown id', async () => {
    await expect(getLoggedTransaction(db, newId())).rejects.toMatchObject({
      code: 'transaction_not_found',
    });
  });
});

describe('the proof', () => {
  const ALL_RIGHT = Object.fromEntries(PROOF_CHECKS.map((check) => [check, 'right']));

  it('exists once the transaction is sealed, and is valid for each transaction of a block', async () => {
    await fundedWallet(db, services, maya.by, 30_000n, 'savings');
    expect((await first({ type: 'payroll' })).proof).toBeNull();
    await sealer.run();
    const { items } = await readLog(db, { status: 'completed' });
    expect(items.length).toBeGreaterThan(3);
    for (const { id } of items) {
      expect(await verifyProof(await proven(id))).toEqual(ALL_RIGHT);
      expect(await checkPage(await getLoggedTransaction(db, id)), id).toBe('right');
    }
  });

  it('has what the page shows, so that another reference, time, account or holder is noticed', async () => {
    await sealer.run();
    const right = await getLoggedTransaction(db, (await first({ type: 'payroll' })).id);
    expect(await checkPage(right)).toBe('right');
    const { facts } = right;
    const sides = (change: object) => ({
      entries: right.entries.map((entry) => ({ ...entry, ...change })),
    });
    const changes: Partial<TransactionPage>[] = [
      { reference: 'PAY-0001-0001' },
      { type: 'deposit' as const },
      { amount: USD(1n) },
      { at: new Date(0).toISOString() },
      { employee: { ...right.employee, id: newId() } },
      { facts: { ...facts, recordedAt: right.proof?.block.sealedAt ?? null } },
      { facts: { ...facts, reverses: { id: newId(), reference: 'TXN-1' } } },
      ...[{ holder: null }, { account: 'IRS Account ••1234' }, { accountId: newId() }].map(sides),
      sides({ balanceAfter: money(1n, 'EUR') }),
    ];
    for (const change of changes)
      expect(await checkPage({ ...right, ...change })).not.toBe('right');
    for (const { id } of right.accounts) {
      for (const field of ['code', 'kind', 'ownerId', 'currency', 'createdAt'] as const) {
        const accounts = right.accounts.map((seal) =>
          seal.id === id ? { ...seal, sealed: { ...seal.sealed, [field]: 'other' } } : seal,
        );
        expect(await checkPage({ ...right, accounts }), field).toBe('wrong');
      }
    }
  });

  it('is invalid when any part of it was changed', async () => {
    await sealer.run();
    const { id } = await first({ type: 'payroll' });
    const right = await proven(id);
    expect(await verifyProof(right)).toEqual(ALL_RIGHT);
    const [paid, received] = right.entries;
    const { block } = right.proof;
    const more = { ...invariant(received, 'a side'), amount: USD(481_237n) };
    const cases: [Proven, string[]][] = [
      [{ ...right, entries: [invariant(paid, 'a side'), more] }, ['leaf']],
      [{ ...right, id: newId() }, ['leaf']],
      [changed(right, { salt: '00'.repeat(16) }), ['leaf']],
      [changed(right, { leaf: '00'.repeat(32) }), ['leaf', 'merkleRoot']],
      [changed(right, { path: right.proof.path.slice(1) }), ['merkleRoot']],
      [changed(right, { block: { ...block, previous: '11'.repeat(32) } }), ['blockRoot']],
      [changed(right, { block: { ...block, root: '11'.repeat(32) } }), ['blockRoot', 'signature']],
      [changed(right, { block: { ...block, signature: '11'.repeat(64) } }), ['signature']],
    ];
    for (const [other, wrong] of cases) {
      const found = await verifyProof(other);
      expect(PROOF_CHECKS.filter((check) => found[check] === 'wrong')).toEqual(wrong);
    }
  });
});

function changed(one: Proven, changes: Partial<Proven['proof']>): Proven {
  return { ...one, proof: { ...one.proof, ...changes } };
}

async function proven(id: string): Promise<Proven> {
  const { entries, proof } = await getLoggedTransaction(db, id);
  return { id, entries, proof: invariant(proof, 'it is not sealed') };
}
