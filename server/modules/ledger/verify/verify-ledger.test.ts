import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import {
  fundingAccount,
  openLedgerFixture,
  openWallet,
  type LedgerFixture,
} from '#test/ledger-fixture.ts';
import { transfer } from '#test/ledger-postings.ts';
import { createTestSealer } from '#test/ledger-sealer.ts';
import { captureHold, placeHold, post, reverseAll, verifyLedger } from '../index.ts';

const { privateKey } = generateKeyPairSync('ed25519');
const keys = { current: privateKey, former: [] };

let fixture: LedgerFixture;
let wallet: string;
/** A sealed payment into the wallet, one that waits to be sealed, a capture and a reversal. */
let sealed: string;
let waiting: string;
let capture: string;
let reversal: string;
let hold: string;

beforeEach(async () => {
  fixture = await openLedgerFixture();
  const funding = await fundingAccount(fixture.db);
  wallet = await openWallet(fixture.db);
  const payment = transfer(funding, wallet, 500n);
  for (const posting of [payment, transfer(funding, wallet, 20n)]) {
    await withTx(fixture.db, (tx) => post(tx, [posting]));
    await createTestSealer(fixture.db, privateKey).run();
  }
  sealed = payment.id;

  const payout = transfer(wallet, funding, 100n);
  const mistake = transfer(funding, wallet, 7n);
  await withTx(fixture.db, async (tx) => {
    const held = await placeHold(tx, { accountId: wallet, amountMinor: 100n, reference: 'H-1' });
    await captureHold(tx, held, payout);
    hold = await placeHold(tx, { accountId: wallet, amountMinor: 50n, reference: 'H-2' });
    await post(tx, [mistake]);
    const undone = { transactionId: mistake.id, reference: 'R-1', description: '', actorId: null };
    reversal = (await reverseAll(tx, [undone]))[0]?.id ?? '';
  });
  capture = payout.id;
  waiting = mistake.id;
});
afterEach(() => fixture.close());

const tamper = (statement: string) => fixture.tamper(statement);

const problems = async () => (await verifyLedger(fixture.db, { keys })).problems;

/** Expects that a check reports a row, by `id` and by words of the finding. */
async function expectFinding(check: string, id: string, words: string): Promise<void> {
  expect(await problems()).toContainEqual({ check, id, what: expect.stringContaining(words) });
}

test('finds a ledger in use sound, and counts it', async () => {
  expect(await verifyLedger(fixture.db, { keys })).toMatchObject({
    ok: true,
    problems: [],
    counts: { accounts: 2n, transactions: 5n, entries: 10n, holds: 2n, blocks: 2n, unsealed: 3n },
    sums: [{ currency: 'USD', ownedMinor: 420n, heldMinor: 50n }],
    head: { height: 2n },
  });
});

test('reports an account whose balance was raised, and the missing money', async () => {
  await tamper(`UPDATE ledger_account SET posted = posted + 1000 WHERE id = '${wallet}'`);
  await expectFinding('account-balance', wallet, 'balance 1420 after 5 entries');
  await expectFinding('zero-sum-of-all-accounts', 'USD', '1000');
});

test('reports an account below its minimum', async () => {
  const limit = 'constraint public.ledger_account.ledger_account_available';
  await fixture.owner.query('ALTER TABLE ledger_account DROP CONSTRAINT ledger_account_available');
  await tamper(`UPDATE ledger_account SET held = 421 WHERE id = '${wallet}'`);
  await expectFinding('database-catalog', limit, 'is missing');
  await expectFinding('least-available', wallet, 'has -1 available');
  await expectFinding('held-amount', wallet, 'says 421 held; its holds say 50');
});

test('reports a deleted account', async () => {
  await tamper(`DELETE FROM ledger_account WHERE id = '${wallet}'`);
  await expectFinding('account-balance', wallet, 'does not exist');
});

test('reports the transaction and the entry whose amount was changed', async () => {
  await tamper(`UPDATE ledger_entry SET amount = amount + 1
                 WHERE transaction_id = '${sealed}' AND account_id = '${wallet}'`);
  await expectFinding('zero-sum', sealed, 'its 2 entries sum to 1');
  await expectFinding('entry-chain', wallet, `entry 1 (transaction ${sealed})`);
  await expectFinding('sealed-transaction', sealed, 'block 1');
  await expectFinding('monthly-total', wallet, 'transfer in');
});

test('reports a changed running balance', async () => {
  await tamper(`UPDATE ledger_entry SET balance_after = balance_after + 1
                 WHERE transaction_id = '${waiting}' AND account_id = '${wallet}'`);
  await expectFinding('entry-chain', wallet, `(transaction ${waiting}): says balance 428`);
});

test('reports the gap that deleted entries leave', async () => {
  await tamper(`DELETE FROM ledger_entry WHERE transaction_id = '${capture}'`);
  await expectFinding('zero-sum', capture, 'has no entries');
  await expectFinding('entry-chain', wallet, 'entry 4');
  await expectFinding('captured-hold', await capturedHold(), 'does not touch');
});

async function capturedHold(): Promise<string> {
  const { rows } = await fixture.owner.query<{ id: string }>(
    `SELECT id FROM ledger_hold WHERE transaction_id = '${capture}'`,
  );
  return rows[0]?.id ?? '';
}

test('reports entries whose transaction was deleted, and its seal', async () => {
  await tamper(`DELETE FROM ledger_transaction WHERE id = '${sealed}'`);
  await expectFinding('zero-sum', sealed, 'does not exist');
  await expectFinding('transaction-sealed-or-waiting', sealed, 'does not exist');
  await expectFinding('sealed-transaction', sealed, 'block 1');
});

test('reports a transaction whose time was changed', async () => {
  await tamper(`UPDATE ledger_transaction SET effective_at = effective_at - interval '40 days'
                 WHERE id = '${sealed}'`);
  await expectFinding('transaction-entries', sealed, 'other times');
  await expectFinding('sealed-transaction', sealed, 'block 1');
});

test('reports entries out of order in time, and the total of the month they left', async () => {
  await tamper(`UPDATE ledger_entry SET effective_at = effective_at - interval '40 days'
                 WHERE transaction_id = '${waiting}'`);
  await expectFinding('entry-chain', wallet, 'takes effect before');
  await expectFinding('monthly-total', wallet, 'transfer in');
});

test('reports a transaction that mixes currencies', async () => {
  await tamper(`UPDATE ledger_account SET currency = 'EUR' WHERE id = '${wallet}'`);
  await expectFinding('transaction-entries', sealed, 'mixes currencies');
});

test.each([
  ['kind', `'bonus'`],
  ['reference', `'PAY-1'`],
  ['actor_id', 'gen_random_uuid()'],
  ['subject_id', 'gen_random_uuid()'],
])('reports a sealed transaction whose %s was changed', async (column, value) => {
  await tamper(`UPDATE ledger_transaction SET ${column} = ${value} WHERE id = '${sealed}'`);
  await expectFinding('sealed-transaction', sealed, 'block 1');
});

test('accepts changed descriptions, which may hold personal data to be erased', async () => {
  await tamper(`UPDATE ledger_transaction SET description = '', metadata = '{}'`);
  expect(await problems()).toEqual([]);
});

test('reports an account whose holds do not add up', async () => {
  await tamper(`UPDATE ledger_hold SET amount = 40 WHERE id = '${hold}'`);
  await expectFinding('held-amount', wallet, 'says 50 held; its holds say 40');
});

test('reports a total that was changed or removed', async () => {
  await tamper(`UPDATE ledger_total SET credit = credit + 1
                 WHERE account_id = '${wallet}' AND kind = 'transfer'`);
  await expectFinding('monthly-total', wallet, 'credit 528');
  await tamper(`DELETE FROM ledger_total WHERE account_id = '${wallet}' AND kind = 'transfer'`);
  await expectFinding('monthly-total', wallet, 'credit 0, count 0; the entries say 100, 527, 4');
});

test('reports a reversal that reverses another transaction', async () => {
  await tamper(`UPDATE ledger_transaction SET reverses_id = '${sealed}' WHERE id = '${reversal}'`);
  await expectFinding('reversal', reversal, `does not mirror transaction ${sealed}`);
});

test('reports a transaction that is never sealed, or would be sealed twice', async () => {
  await tamper(`DELETE FROM ledger_unsealed WHERE transaction_id = '${waiting}'`);
  await expectFinding('transaction-sealed-or-waiting', waiting, 'neither');
  await tamper(`INSERT INTO ledger_unsealed VALUES ('${sealed}')`);
  await expectFinding('transaction-sealed-or-waiting', sealed, 'sealed and waits');
});

test('reports the block from which a whole transaction was removed', async () => {
  await tamper(`WITH seal AS (DELETE FROM ledger_seal WHERE transaction_id = '${sealed}')
                DELETE FROM ledger_transaction WHERE id = '${sealed}'`);
  await expectFinding('block-content', '1', 'says 1 transactions; 0 are sealed');
});

test('reports a block whose leaves, header, signature or place was changed', async () => {
  await tamper(`UPDATE ledger_seal SET leaf = sha256('x') WHERE height = 1`);
  await expectFinding('block-content', '1', 'Merkle root');
  await tamper(`UPDATE ledger_block SET sealed_at = sealed_at + interval '1 s' WHERE height = 1`);
  await expectFinding('block-root', '1', 'not that of its header');
  await tamper(`UPDATE ledger_block SET signature = set_byte(signature, 0, get_byte(signature, 0) # 1)
                 WHERE height = 2`);
  await expectFinding('block-signature', '2', 'not valid');
  await tamper('DELETE FROM ledger_block WHERE height = 1');
  await expectFinding('block-chain', '2', 'the block before it is number 0');
  await expectFinding('block-chain', '2', 'does not name the root');
});
