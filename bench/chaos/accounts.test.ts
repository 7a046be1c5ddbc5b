import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { liftGuards, openOwner, undone } from '#test/unguarded.ts';
import type { OwnerDb } from '#test/unguarded.ts';
import { compareActions } from './accounts.ts';
import type { Findings } from './accounts.ts';
import { journalOf, makeComparedCompany } from './compared-company.ts';
import type { ComparedCompany } from './compared-company.ts';
import type { Journal } from './journal.ts';

type Company = ComparedCompany;
type IdOf = (company: Company) => string;

let database: TestDb;
let owner: OwnerDb;
let company: Company;
let journal: Journal & Disposable;

beforeAll(async () => {
  database = await openTestDb();
  company = await makeComparedCompany(database.db, createTestServices());
  owner = openOwner(database.ownerUrl);
  await withTx(owner.db, async (tx) => {
    await liftGuards(tx);
    await sql`DROP INDEX ledger_transaction_reverses_key`.execute(tx);
    // The markers of chaos, by which a request that was done twice is recognized.
    await sql`UPDATE withdrawal SET reason = id`.execute(tx);
  });
  journal = await journalOf(owner.db, company);
});
afterAll(async () => {
  journal[Symbol.dispose]();
  await owner.close();
  await database.close();
});

/** Findings after a change of the database, which is undone. */
const findingsAfter = (change: (tx: Tx) => Promise<unknown>): Promise<Findings> =>
  undone(owner.db, async (tx) => {
    await change(tx);
    return compareActions(tx, journal, { ids: company.owners, fundedMinor: 0n });
  });

const remove = (tx: Tx, table: string, id: string) =>
  sql`DELETE FROM ${sql.table(table)} WHERE id = ${id}`.execute(tx);
const setStatus = (tx: Tx, table: string, id: string, status: string) =>
  sql`UPDATE ${sql.table(table)} SET status = ${status} WHERE id = ${id}`.execute(tx);

/** Inserts a row again under another id, which it returns. */
async function repeat(tx: Tx, table: string, id: string, changes: object = {}): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    SELECT attname AS name FROM pg_attribute
     WHERE attrelid = ${table}::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`.execute(
    tx,
  );
  const [columns, values] = ['', 'other.'].map((of) =>
    sql.raw(rows.map(({ name }) => `${of}"${name}"`).join(', ')),
  );
  const changed = { id: newId(), reference: newId(), item_id: newId(), ...changes };
  await sql`
    INSERT INTO ${sql.table(table)} (${columns}) SELECT ${values}
      FROM ${sql.table(table)} AS one
     CROSS JOIN LATERAL jsonb_populate_record(one, ${JSON.stringify(changed)}::jsonb) AS other
     WHERE one.id = ${id}`.execute(tx);
  return changed.id;
}

/** Posting of a thing, or of its settlement; or the reversal of that posting. */
async function postingOf(
  tx: Tx,
  subjectId: string,
  { isSettlement = false, isReversal = false } = {},
) {
  const { rows } = await sql<{ id: string }>`
    SELECT one.id FROM ledger_transaction AS one LEFT JOIN ledger_transaction AS former ON former.id = one.reverses_id
     WHERE one.subject_id = ${subjectId} AND (former.id IS NOT NULL) = ${isReversal}
       AND (coalesce(former.kind, one.kind) = 'settlement') = ${isSettlement}`.execute(tx);
  expect(rows).toHaveLength(1);
  return rows[0]?.id ?? '';
}

test('a company of which all was acknowledged has no findings', async () => {
  const nothing = { lost: [], doubled: [], invented: [], wrong: [] };
  expect(await findingsAfter(() => Promise.resolve())).toEqual(nothing);
});

/** One thing of each kind with its table, and a status before its own where it has one. */
const THINGS: [name: string, table: string, idOf: IdOf, before?: string][] = [
  ['withdrawal', 'withdrawal', ({ withdrawals }) => withdrawals.completed, 'processing'],
  ['payout by a file', 'withdrawal', ({ sent }) => sent.settled, 'processing'],
  ['returned payout', 'withdrawal', ({ sent }) => sent.returned, 'completed'],
  ['deposit', 'deposit', ({ deposits }) => deposits.approved, 'pending'],
  ['pending deposit', 'deposit', ({ deposits }) => deposits.pending],
  ['payroll', 'payroll_batch', ({ payroll }) => payroll.id, 'processing'],
  ['funding', 'payroll_batch', ({ reduced }) => reduced.id, 'processing'],
  ['bill', 'bill', ({ bills }) => bills.paid, 'sent'],
  ['returned bill', 'bill', ({ bills }) => bills.returned, 'paid'],
  ['standing bill', 'standing_bill', ({ standingBill }) => standingBill],
  ['payout file', 'payout_file', ({ fileId }) => fileId, 'sent'],
  ['reversal by the bank', 'payout_reversal', ({ reversalId }) => reversalId, 'sent'],
  ['payment to a colleague', 'person_payment', ({ payment }) => payment],
  ['move', 'wallet_move', ({ move }) => move],
];

/** Names of those whose text is in no finding. */
const unnamed = (findings: readonly string[], expected: readonly (readonly [string, string])[]) =>
  expected.filter(([, text]) => !findings.some((one) => one.includes(text))).map(([name]) => name);

describe('things', () => {
  test('that are gone are lost', async () => {
    const { lost } = await findingsAfter(async (tx) => {
      for (const [, table, idOf] of THINGS) await remove(tx, table, idOf(company));
    });
    const gone = THINGS.map(([name, , idOf]) => [name, idOf(company)] as const);
    expect(unnamed(lost, gone)).toEqual([]);
  });

  test('that nobody asked for are invented', async () => {
    const made: [string, string][] = [];
    const { invented } = await findingsAfter(async (tx) => {
      for (const [name, table, idOf] of THINGS) {
        const changes = table === 'withdrawal' ? { reason: newId() } : {};
        made.push([name, await repeat(tx, table, idOf(company), changes)]);
      }
    });
    expect(unnamed(invented, made)).toEqual([]);
  });

  test('whose last step is gone are lost', async () => {
    const stepped: [string, string][] = [];
    const { lost } = await findingsAfter(async (tx) => {
      for (const [name, table, idOf, before] of THINGS) {
        if (before === undefined) continue;
        await setStatus(tx, table, idOf(company), before);
        stepped.push([name, idOf(company)]);
      }
    });
    expect(stepped).toHaveLength(10);
    expect(unnamed(lost, stepped)).toEqual([]);
  });
});

/** Postings of each kind, and the text that a finding about one has. */
const POSTINGS: [name: string, idOf: IdOf, of?: Parameters<typeof postingOf>[2], found?: IdOf][] = [
  ['withdrawal', ({ withdrawals }) => withdrawals.completed],
  ['returned withdrawal', ({ withdrawals }) => withdrawals.returned, { isReversal: true }],
  [
    'payout by a file',
    ({ sent }) => sent.settled,
    {},
    ({ sent }) => `payout of withdrawal ${sent.settled}`,
  ],
  [
    'settlement',
    ({ sent }) => sent.settled,
    { isSettlement: true },
    ({ sent }) => `settlement of withdrawal ${sent.settled}`,
  ],
  [
    'reversal of a settlement',
    ({ sent }) => sent.settledAndReturned,
    { isSettlement: true, isReversal: true },
    ({ sent }) => `settlement of withdrawal ${sent.settledAndReturned}`,
  ],
  ['deposit', ({ deposits }) => deposits.approved],
  ['line of a payroll', ({ payroll }) => payroll.lineId, {}, ({ payroll }) => payroll.id],
  ['bill', ({ bills }) => bills.paid],
  ['returned bill', ({ bills }) => bills.returned, { isReversal: true }],
  ['payment to a colleague', ({ payment }) => payment],
  ['move', ({ move }) => move],
  ['automatic transfer', ({ payroll }) => payroll.moveId],
];

describe('postings', () => {
  const named = () =>
    POSTINGS.map(([name, idOf, , found = idOf]) => [name, found(company)] as const);
  const ofEach = async (tx: Tx, work: (id: string) => Promise<unknown>) => {
    const ids: string[] = [];
    for (const [, idOf, of] of POSTINGS) ids.push(await postingOf(tx, idOf(company), of));
    for (const id of ids) await work(id);
  };

  test('that are gone are lost', async () => {
    const { lost } = await findingsAfter((tx) =>
      ofEach(tx, (id) => remove(tx, 'ledger_transaction', id)),
    );
    expect(unnamed(lost, named())).toEqual([]);
  });

  test('that are there twice are doubled', async () => {
    const { doubled } = await findingsAfter((tx) =>
      ofEach(tx, (id) => repeat(tx, 'ledger_transaction', id)),
    );
    expect(unnamed(doubled, named())).toEqual([]);
  });
});

describe('of withdrawals,', () => {
  test('a request that was done twice is doubled', async () => {
    const ids = [company.withdrawals.pending];
    const { doubled } = await findingsAfter(async (tx) => {
      ids.push(await repeat(tx, 'withdrawal', company.withdrawals.pending));
    });
    expect(doubled).toEqual([expect.stringMatching(`withdrawal (?:${ids.join('|')})`)]);
  });

  test('the reversal of the settlement of a returned payout is no finding, and neither is a return before it', async () => {
    const { settledAndReturned, returned } = company.sent;
    const { lost, doubled, invented } = await findingsAfter(async (tx) => {
      const parts = { isSettlement: true, isReversal: true };
      await postingOf(tx, settledAndReturned, parts);
      await expect(postingOf(tx, returned, parts)).rejects.toThrow();
    });
    expect([...lost, ...doubled, ...invented]).toEqual([]);
  });

  test('money that left for a pending one is invented', async () => {
    const { pending, completed } = company.withdrawals;
    const { invented } = await findingsAfter(async (tx) => {
      const posting = await postingOf(tx, completed);
      await repeat(tx, 'ledger_transaction', posting, { subject_id: pending });
    });
    expect(invented).toEqual([`payout of withdrawal ${pending}`]);
  });

  test('a settlement of a payout that was in no file is invented', async () => {
    const { completed } = company.withdrawals;
    const { invented } = await findingsAfter(async (tx) => {
      const posting = await postingOf(tx, company.sent.settled, { isSettlement: true });
      await repeat(tx, 'ledger_transaction', posting, { subject_id: completed });
    });
    expect(invented).toEqual([`settlement of withdrawal ${completed}`]);
  });
});

test('a part that was taken back and is gone is lost, and one that nobody asked for is doubled', async () => {
  const { id, lineId } = company.reduced;
  const { lost } = await findingsAfter((tx) =>
    sql`
      DELETE FROM ledger_transaction WHERE subject_id = ${lineId} AND kind = 'reversal'`.execute(
      tx,
    ),
  );
  expect(lost).toEqual([`payroll ${id}: 0 further postings, 0 missing`]);
  const { doubled } = await findingsAfter(async (tx) => {
    const { id: reversal } = await tx
      .selectFrom('ledgerTransaction')
      .select('id')
      .where('subjectId', '=', lineId)
      .where('kind', '=', 'reversal')
      .executeTakeFirstOrThrow();
    await repeat(tx, 'ledger_transaction', reversal);
    await repeat(tx, 'ledger_transaction', reversal, { subject_id: company.payroll.lineId });
  });
  const found = [
    `payroll ${company.payroll.id}: 1 further postings, 0 missing`,
    `payroll ${id}: 2 further postings, 0 missing`,
  ];
  expect(doubled.toSorted()).toEqual(found.toSorted());
});

test('an unpaid line of a payroll is lost', async () => {
  const { id, lineId } = company.payroll;
  const { lost } = await findingsAfter((tx) => setStatus(tx, 'payroll_line', lineId, 'pending'));
  expect(lost).toContainEqual(expect.stringContaining(`payroll ${id}: 1 unpaid`));
});

test('an automatic transfer that is gone is lost, and one that is there twice is doubled', async () => {
  const { moveId, lineId } = company.payroll;
  const { lost } = await findingsAfter((tx) => remove(tx, 'wallet_move', moveId));
  expect(lost).toEqual([`0 automatic transfers after ${lineId}`]);
  const { doubled } = await findingsAfter((tx) => repeat(tx, 'wallet_move', moveId));
  expect(doubled).toEqual([`2 automatic transfers after ${lineId}`]);
});

describe('of lines of a statement and people of a file,', () => {
  const lineId = async (tx: Tx) => {
    const { statementLine: text } = company;
    const line = tx.selectFrom('bankLine').select('id').where('text', '=', text);
    return (await line.executeTakeFirstOrThrow()).id;
  };

  test('one that is gone is lost', async () => {
    const { lost } = await findingsAfter(async (tx) => {
      await remove(tx, 'bank_line', await lineId(tx));
      await sql`UPDATE app_user SET name = 'Gone' WHERE email = ${company.importedPerson}`.execute(
        tx,
      );
    });
    expect(lost).toEqual([company.statementLine, company.importedPerson]);
  });

  test('one with another amount is lost', async () => {
    const { lost } = await findingsAfter(async (tx) => {
      await sql`UPDATE bank_line SET amount_minor = 1 WHERE id = ${await lineId(tx)}`.execute(tx);
    });
    expect(lost).toEqual([company.statementLine]);
  });

  test('one that is there twice is doubled, and one that nobody sent is invented', async () => {
    const { doubled, invented } = await findingsAfter(async (tx) => {
      await repeat(tx, 'bank_line', await lineId(tx));
      await repeat(tx, 'bank_line', await lineId(tx), { text: 'Nobody sent this' });
      const { id } = await tx
        .selectFrom('appUser')
        .select('id')
        .where('email', '=', company.importedPerson)
        .executeTakeFirstOrThrow();
      await repeat(tx, 'app_user', id, { email: 'nobody@purser.test' });
    });
    expect(doubled).toEqual([company.statementLine]);
    expect(invented.toSorted()).toEqual(['Nobody sent this', 'nobody@purser.test']);
  });
});

test('each kind of action is compared with the audit trail', async () => {
  const { acknowledged } = journal;
  expect([...acknowledged.keys()]).toEqual(
    expect.arrayContaining(['withdrawal.requested', 'bill.paid', 'payout_file.settled']),
  );
  const withoutAudit = await findingsAfter((tx) => sql`DELETE FROM audit_event`.execute(tx));
  expect(withoutAudit.lost).toHaveLength(acknowledged.size);
  const twice = await findingsAfter((tx) =>
    sql`
      INSERT INTO audit_event OVERRIDING SYSTEM VALUE
      SELECT (jsonb_populate_record(one, jsonb_build_object('id', id + 1000000))).* FROM audit_event AS one`.execute(
      tx,
    ),
  );
  expect(twice.invented).toHaveLength(acknowledged.size);
});

test('money that is not accounted for is wrong', async () => {
  const { wrong } = await findingsAfter((tx) =>
    sql`
      UPDATE ledger_account SET posted = posted + 1, held = held + 1
       WHERE id = (SELECT ledger_account_id FROM wallet WHERE user_id = ${company.owners[0]} LIMIT 1)`.execute(
      tx,
    ),
  );
  expect(wrong).toHaveLength(2);
});
