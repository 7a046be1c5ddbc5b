import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import type { RootRecord } from '#server/lib/root-store.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { openAccount, placeHold, post } from '#server/modules/ledger/index.ts';
import type { Sealer } from '#server/modules/ledger/index.ts';
import { CURRENCY, fundingAccount, openLedgerFixture } from './ledger-fixture.ts';
import type { LedgerFixture } from './ledger-fixture.ts';
import { transfer } from './ledger-postings.ts';
import { createMemoryRoots, createTestSealer } from './ledger-sealer.ts';
import type { MemoryRoots } from './ledger-sealer.ts';

export const { privateKey: LEDGER_KEY } = generateKeyPairSync('ed25519');

/** A ledger in use, and what an intruder may do to it. */
export interface Victim extends LedgerFixture {
  /** A wallet, and the account it is paid from. */
  wallet: string;
  funding: string;
  /** A sealed payment into the wallet, the newest that is sealed, and one that waits to be. */
  paid: string;
  newest: string;
  waiting: string;
  roots: MemoryRoots;
  /** The server seals, with its key, and exports the root. */
  seal(): Promise<Sealer>;
  /** The owner's own rights, with no more than they allow. */
  asOwner(...statements: readonly string[]): Promise<void>;
}

type Facts = Pick<Victim, 'wallet' | 'funding' | 'paid' | 'newest' | 'waiting'>;

/** A ledger with something of everything, to be copied for each tampering. */
export interface Original {
  copy(): Promise<Victim>;
  drop(): Promise<void>;
}

export async function makeOriginal(): Promise<Original> {
  const fixture = await openLedgerFixture();
  const roots = createMemoryRoots();
  const facts = await live(fixture, roots);
  await fixture.disconnect();
  return {
    copy: () => copyOf(fixture.name, facts, roots.kept),
    drop: () => fixture.close(),
  };
}

async function live(fixture: LedgerFixture, roots: MemoryRoots): Promise<Facts> {
  const { db } = fixture;
  const sealer = createTestSealer(db, LEDGER_KEY, { roots });
  const funding = await fundingAccount(db);
  const wallet = await withTx(db, (tx) =>
    openAccount(tx, { kind: 'salary', ownerId: newId(), currency: CURRENCY }),
  );
  let hoursAgo = 9;
  const act = async (action: string) => {
    await withTx(db, (tx) =>
      recordAudit(tx, {
        by: { actor: 'system' },
        action,
        subjectType: 'operation',
        subjectId: null,
      }),
    );
    // As if everything had not happened within a second.
    hoursAgo -= 1;
    await fixture.tamper(`UPDATE audit_event SET at = at - interval '${hoursAgo} h'
                           WHERE id = (SELECT max(id) FROM audit_event)`);
  };
  const payments = [700n, 200n, 30n].map((amount) => transfer(funding, wallet, amount));
  for (const payment of payments) {
    await act('payment.sent');
    await withTx(db, (tx) => post(tx, [payment]));
    await sealer.run();
  }
  await withTx(db, (tx) =>
    placeHold(tx, { accountId: wallet, amountMinor: 100n, reference: 'WD-1' }),
  );
  // A number that a rolled-back transaction has left.
  await fixture.owner.query("SELECT nextval('audit_event_id_seq')");
  await act('withdrawal.requested');
  await sealer.run();
  const last = transfer(funding, wallet, 5n);
  await withTx(db, (tx) => post(tx, [last]));
  await act('payment.sent');
  const [, paid, newest] = payments.map(({ id }) => id);
  return { funding, wallet, paid: paid ?? '', newest: newest ?? '', waiting: last.id };
}

async function copyOf(name: string, facts: Facts, kept: readonly RootRecord[]): Promise<Victim> {
  const fixture = await openLedgerFixture(name);
  const roots = createMemoryRoots();
  roots.kept.push(...kept);
  // However long ago the original was made.
  await fixture.tamper(
    'UPDATE ledger_unsealed SET queued_at = now()',
    'UPDATE audit_unsealed SET queued_at = now()',
  );
  return {
    ...fixture,
    ...facts,
    roots,
    async seal() {
      const sealer = createTestSealer(fixture.db, LEDGER_KEY, { roots });
      await sealer.run();
      return sealer;
    },
    async asOwner(...statements) {
      for (const statement of statements) await fixture.owner.query(statement);
    },
  };
}

/** Adds to a posted payment, with every sum that depends on it. */
export function raisePayment(
  { wallet, funding }: Facts,
  paymentId: string,
  byMinor: number,
): string[] {
  const sides = [
    { account: wallet, minor: byMinor, column: 'credit' },
    { account: funding, minor: -byMinor, column: 'debit' },
  ];
  return sides.flatMap(({ account, minor, column }) => [
    `UPDATE ledger_entry SET amount = amount + ${minor}
      WHERE transaction_id = '${paymentId}' AND account_id = '${account}'`,
    `UPDATE ledger_entry AS entry SET balance_after = entry.balance_after + ${minor}
       FROM ledger_entry AS raised
      WHERE raised.transaction_id = '${paymentId}' AND raised.account_id = '${account}'
        AND entry.account_id = '${account}' AND entry.account_version >= raised.account_version`,
    `UPDATE ledger_account SET posted = posted + ${minor} WHERE id = '${account}'`,
    `UPDATE ledger_total SET ${column} = ${column} + ${byMinor} WHERE account_id = '${account}'`,
  ]);
}

/** Takes the newest payment of all away, as if it had never been. */
function removeNewestPayment({ wallet, funding }: Facts, paymentId: string): string[] {
  const amount = `(SELECT abs(amount) FROM ledger_entry WHERE transaction_id = '${paymentId}' LIMIT 1)`;
  const repair = (account: string, sign: string, column: string) => [
    `UPDATE ledger_account SET posted = posted ${sign} ${amount}, version = version - 1,
            last_entry_at = (SELECT max(effective_at) FROM ledger_entry
                              WHERE account_id = '${account}' AND transaction_id <> '${paymentId}')
      WHERE id = '${account}'`,
    `UPDATE ledger_total SET ${column} = ${column} - ${amount}, count = count - 1
      WHERE account_id = '${account}'`,
  ];
  return [
    ...repair(wallet, '-', 'credit'),
    ...repair(funding, '+', 'debit'),
    `DELETE FROM ledger_entry WHERE transaction_id = '${paymentId}'`,
    `DELETE FROM ledger_transaction WHERE id = '${paymentId}'`,
  ];
}

/** Removes the newest blocks, from the third on, with all that they seal and all that waits. */
export function cutOff(facts: Facts): string[] {
  return [
    'DELETE FROM ledger_unsealed',
    ...removeNewestPayment(facts, facts.waiting),
    ...removeNewestPayment(facts, facts.newest),
    'DELETE FROM ledger_seal WHERE height >= 3',
    `DELETE FROM audit_event WHERE id IN (SELECT audit_event_id FROM audit_seal WHERE height >= 3
                                          UNION SELECT audit_event_id FROM audit_unsealed)`,
    'DELETE FROM audit_seal WHERE height >= 3',
    'DELETE FROM audit_unsealed',
    'DELETE FROM ledger_block WHERE height >= 3',
  ];
}

/** Puts everything back as if it had never been sealed. */
export const UNSEAL_ALL: readonly string[] = [
  ...[
    ['ledger_unsealed', 'ledger_seal', 'transaction_id'],
    ['ledger_account_unsealed', 'ledger_account_seal', 'account_id'],
    ['audit_unsealed', 'audit_seal', 'audit_event_id'],
  ].flatMap(([queue, seals, key]) => [
    `INSERT INTO ${queue} (${key}) SELECT ${key} FROM ${seals}`,
    `DELETE FROM ${seals}`,
  ]),
  'DELETE FROM ledger_block',
];

/** Appends a block as the server's role can without the key, over one transaction that waits. */
export async function appendUnsigned({ db }: Pick<Victim, 'db'>): Promise<void> {
  const leaf = sql`sha256('anything')`;
  await sql`
    SELECT ledger_block_append(
             head.height + 1, head.root, head.sealed_at, ${leaf}, sha256(''), sha256(''),
             sha256(convert_to(concat_ws(E'\n', 'purser-block-2', head.height + 1,
               encode(head.root, 'hex'), encode(${leaf}, 'hex'), 1, encode(sha256(''), 'hex'), 0,
               encode(sha256(''), 'hex'), 0,
               to_char(head.sealed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'UTF8')),
             head.public_key, head.signature,
             ARRAY(SELECT transaction_id FROM ledger_unsealed LIMIT 1),
             ARRAY[decode(repeat('00', 16), 'hex')], ARRAY[${leaf}],
             '{}', '{}', '{}', '{}', '{}', '{}')
      FROM (SELECT * FROM ledger_block ORDER BY height DESC LIMIT 1) AS head`.execute(db);
}
