import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { fundingAccount, openLedgerFixture, openWallet } from '#test/ledger-fixture.ts';
import type { LedgerFixture } from '#test/ledger-fixture.ts';
import { transfer } from '#test/ledger-postings.ts';
import { createTestSealer } from '#test/ledger-sealer.ts';
import { LEDGER_KEY, makeOriginal, raisePayment } from '#test/ledger-tampering.ts';
import type { Original, Victim } from '#test/ledger-tampering.ts';
import { post, verifyLedger } from '../index.ts';
import { balanceChecks } from './balance-checks.ts';
import type { Check, Scope } from './check.ts';
import { sealChecks } from './seal-checks.ts';
import { readOnly } from './snapshot.ts';
import type { Ask } from './snapshot.ts';
import { transactionChecks } from './transaction-checks.ts';
import { verifyBlocks } from './verify-blocks.ts';

const keys = { current: LEDGER_KEY, former: [] };
/** Height of the last of the four blocks before the part. */
const AFTER = 2n;
const scope = { afterHeight: AFTER };

describe('the newest part', () => {
  let original: Original;
  let victim: Victim;
  beforeAll(async () => {
    original = await makeOriginal();
  });
  afterEach(() => victim.close());
  afterAll(() => original.drop());

  const verify = () => verifyLedger(victim.db, { keys, roots: victim.roots, scope });
  async function checksThatNotice(): Promise<string[]> {
    const { problems } = await verify();
    return [...new Set(problems.map(({ check }) => check))].toSorted();
  }

  test('is the rows sealed after a block, the rows that wait, and the accounts of both', async () => {
    victim = await original.copy();
    expect(await verify()).toMatchObject({
      problems: [],
      afterHeight: AFTER,
      head: { height: 4n },
      roots: { count: 1n },
      counts: {
        accounts: 2n,
        transactions: 2n,
        entries: 4n,
        holds: 0n,
        auditEvents: 3n,
        blocks: 2n,
        sealed: 3n,
        unsealed: 2n,
      },
    });
  });

  test.each([
    [1, [1, 1, 0]],
    [1_000, [2, 0]],
  ])('has blocks, of which one is read at least and %s leaves', async (mostLeaves, expected) => {
    victim = await original.copy();
    const read: number[] = [];
    const ask: Ask = (question) =>
      readOnly(victim.db, async (tx) => {
        const answer = await question(tx);
        const { blocks } = { ...(answer as { blocks?: unknown[] }) };
        if (blocks !== undefined) read.push(blocks.length);
        return answer;
      });
    await verifyBlocks(ask, { ...scope, mostLeaves }, keys, () => expect.unreachable());
    expect(read).toEqual(expected);
  });

  test.each<[string, (v: Victim) => string[], string[]]>([
    ['a payment in it', (v) => raisePayment(v, v.newest, 9), ['sealed-transaction']],
    [
      'an entry in it',
      (v) => [
        `UPDATE ledger_entry SET amount = amount + 1
                WHERE transaction_id = '${v.newest}' AND account_id = '${v.wallet}'`,
      ],
      ['entry-chain', 'sealed-transaction', 'zero-sum'],
    ],
    [
      'the balance of an account it touches',
      (v) => [`UPDATE ledger_account SET posted = posted + 1 WHERE id = '${v.wallet}'`],
      ['account-balance'],
    ],
    [
      'the owner of an account it touches',
      (v) => [`UPDATE ledger_account SET owner_id = gen_random_uuid() WHERE id = '${v.wallet}'`],
      ['sealed-account'],
    ],
    ['a hold', () => ['UPDATE ledger_hold SET amount = 1'], ['held-amount']],
    [
      'an audit event',
      () => ["UPDATE audit_event SET action = 'x' WHERE id = 3"],
      ['sealed-audit'],
    ],
    [
      'a number and time of an audit event',
      () => ["UPDATE audit_event SET at = at - interval '1 day' WHERE id = 6"],
      ['audit-order'],
    ],
    [
      'a mark',
      (v) => [`INSERT INTO ledger_unsealed (transaction_id) VALUES ('${v.newest}')`],
      ['transaction-sealed-or-waiting'],
    ],
    [
      'a block',
      () => ["UPDATE ledger_block SET sealed_at = 'epoch' WHERE height = 3"],
      ['block-root'],
    ],
    [
      'the block that it follows',
      () => ["UPDATE ledger_block SET root = sha256('x') WHERE height = 2"],
      ['block-chain'],
    ],
  ])('reports a changed %s', async (_what, statements, checks) => {
    victim = await original.copy();
    await victim.tamper(...statements(victim));
    expect(await checksThatNotice()).toEqual(checks);
  });

  test('leaves older rows to a verification of the whole', async () => {
    victim = await original.copy();
    await victim.tamper(`UPDATE ledger_transaction SET actor_id = gen_random_uuid()
                          WHERE id IN (SELECT transaction_id FROM ledger_seal WHERE height = 1)`);
    expect(await checksThatNotice()).toEqual([]);
    const whole = await verifyLedger(victim.db, { keys, roots: victim.roots });
    expect(whole.problems).toMatchObject([{ check: 'sealed-transaction' }]);
  });

  test('and the whole also run the checks of other modules', async () => {
    victim = await original.copy();
    const furtherChecks = async (_tx: Tx, { afterHeight }: Scope): Promise<Check[]> => [
      {
        name: 'further',
        query: sql`SELECT height::text AS id, 'is too high' AS what FROM ledger_block
                    WHERE height > ${afterHeight ?? 3n}`,
      },
      { name: 'broken', query: sql`SELECT id, what FROM no_such_table` },
    ];
    const found = async (part?: typeof scope) =>
      (await verifyLedger(victim.db, { furtherChecks, ...(part && { scope: part }) })).problems;
    const broken = {
      check: 'broken',
      id: 'database',
      what: expect.stringContaining('cannot be asked: relation "no_such_table" does not exist'),
    };
    const further = (id: string) => ({ check: 'further', id, what: 'is too high' });
    expect(await found()).toEqual([further('4'), broken]);
    expect(await found(scope)).toEqual([further('3'), further('4'), broken]);
  });

  test('and the whole can be verified at the gentle pace, query by query', async () => {
    victim = await original.copy();
    await victim.tamper(...raisePayment(victim, victim.newest, 9));
    const fast = await verifyLedger(victim.db, { keys });
    const gentle = await verifyLedger(victim.db, { keys, pace: 'gentle' });
    expect(fast.problems).toHaveLength(1);
    const when = { startedAt: expect.any(Date), durationMs: expect.any(Number) };
    expect(gentle).toEqual({ ...fast, ...when });
  });
});

describe('querying the newest part', () => {
  let fixture: LedgerFixture;
  beforeAll(async () => {
    fixture = await openLedgerFixture();
    const { db } = fixture;
    const funding = await fundingAccount(db);
    const wallet = await openWallet(db);
    const sealer = createTestSealer(db, LEDGER_KEY, { maxBlockLeaves: 1_000 });
    for (let batch = 0; batch < 6; batch += 1) {
      const batchOf = Array.from({ length: 1_000 }, () => transfer(funding, wallet, 1n));
      await withTx(db, (tx) => post(tx, batchOf));
    }
    await sql`
      SELECT ledger_account_open(id, 'salary', gen_random_uuid(), 'USD'),
             ledger_hold_place(gen_random_uuid(), ${wallet}, 1, 'H-' || number)
        FROM (SELECT gen_random_uuid() AS id, number FROM generate_series(1, 3000) AS number) AS n`.execute(
      db,
    );
    await sql`SELECT ledger_hold_release(id) FROM ledger_hold WHERE reference > 'H-1'`.execute(db);
    await sql`
      INSERT INTO audit_event (actor_role, action, subject_type)
      SELECT 'system', 'something.done', 'test' FROM generate_series(1, 3000)`.execute(db);
    await sealer.run();
    await withTx(db, (tx) => post(tx, [transfer(funding, wallet, 1n)]));
    await sealer.run();
    await fixture.owner.query('ANALYZE');
  });
  afterAll(() => fixture.close());

  const all = [balanceChecks, transactionChecks, sealChecks].flatMap((checks) =>
    checks({ afterHeight: 7n }),
  );

  test.each(all)('$name reads no large table as a whole', async ({ query }) => {
    const plan = await readOnly(fixture.db, async (tx) => {
      const { rows } = await sql<{ 'QUERY PLAN': string }>`EXPLAIN ${query}`.execute(tx);
      return rows.map((row) => Object.values(row)[0]).join('\n');
    });
    expect(plan).not.toMatch(
      /Seq Scan on (?:ledger_(?:entry|transaction|hold|account|seal)|audit_event)\b/,
    );
  });
});
