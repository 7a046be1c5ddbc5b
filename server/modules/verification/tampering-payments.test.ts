import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { post } from '#server/modules/ledger/index.ts';
import { wordsIn, readDocsTable } from '#test/docs-table.ts';
import { asServer, openTamperedCompany } from '#test/tampered-company.ts';
import type { TamperedCompany } from '#test/tampered-company.ts';
import { liftGuards } from '#test/unguarded.ts';

let company: TamperedCompany;
beforeAll(async () => {
  company = await openTamperedCompany();
});
afterAll(() => company.close());

interface Case {
  what: string;
  does: (tx: Tx) => Promise<unknown>;
  /** Exactly the checks that find it. */
  found: readonly string[];
}

/** What an owner of the database can do, with everything taken away that refuses it. */
const byOwner: Case[] = [
  {
    what: 'raises a payment to a person, and its posting',
    does: (tx) =>
      sql`WITH paid AS (UPDATE person_payment SET amount_minor = amount_minor * 20
                         WHERE id = ${company.payment} RETURNING ledger_transaction_id)
          UPDATE ledger_entry SET amount = amount * 20 FROM paid
           WHERE transaction_id = ledger_transaction_id`.execute(tx),
    found: ['payment-record'],
  },
  {
    what: 'turns a payment to a person around',
    does: (tx) =>
      sql`UPDATE person_payment
             SET (payer_id, payer_wallet_id, recipient_id, recipient_wallet_id) =
                 (recipient_id, recipient_wallet_id, payer_id, payer_wallet_id)
           WHERE id = ${company.payment}`.execute(tx),
    found: ['payment-history', 'payment-posting', 'payment-record'],
  },
  {
    what: 'deletes a payment to a person',
    does: (tx) => sql`DELETE FROM person_payment WHERE id = ${company.payment}`.execute(tx),
    found: ['payment-history', 'payment-posting'],
  },
  {
    what: 'deletes the record of a payment to a person',
    does: (tx) => sql`DELETE FROM audit_event WHERE subject_id = ${company.payment}`.execute(tx),
    found: ['payment-history'],
  },
];

/** What an intruder in the server can do, past nothing that is refused. */
const byServer: Case[] = [
  {
    what: 'posts a payment to a person that nobody made',
    does: (tx) => transfer(tx, {}),
    found: ['payment-posting'],
  },
  {
    what: 'pays a person in another’s name',
    does: async (tx) => {
      const id = newId();
      await insertPayment(tx, { id, transactionId: await transfer(tx, { subjectId: id }) });
    },
    found: ['payment-history'],
  },
  {
    what: 'records a payment to a person that did not happen',
    does: (tx) =>
      sql`INSERT INTO audit_event (actor_id, actor_role, action, subject_type, subject_id)
          VALUES (${company.ids.maya}, 'employee', 'person_payment.made', 'person_payment',
                  ${newId()})`.execute(tx),
    found: ['payment-history'],
  },
];

test.each(byOwner)('an owner is found who $what', async ({ does, found }) => {
  const finding = company.finds(async (tx) => {
    await liftGuards(tx);
    await does(tx);
  });
  expect(await finding).toEqual(found);
});

test.each(byServer)('the server’s role is found that $what', async ({ does, found }) => {
  expect(await company.finds((tx) => asServer(tx, () => does(tx)))).toEqual(found);
});

test('docs/ledger.md has every case, with the checks that notice it', () => {
  const rows = readDocsTable('### Payments').map(([what, noticed]) => ({
    what,
    found: wordsIn(noticed),
  }));
  const cases = [...byOwner, ...byServer];
  expect(rows).toEqual(cases.map(({ what, found }) => ({ what, found: [...found] })));
});

const MONEY = { code: '23514', constraint: 'person_payment_money' };

test.each([
  [
    'raise a payment',
    (tx: Tx) => sql`UPDATE person_payment SET amount_minor = 1`.execute(tx),
    { code: '42501' },
  ],
  [
    'record more than was posted',
    async (tx: Tx) => {
      const id = newId();
      const transactionId = await transfer(tx, { subjectId: id });
      await insertPayment(tx, { id, transactionId, amountMinor: 2_000n });
    },
    MONEY,
  ],
  [
    'record the posting of another payment',
    (tx: Tx) =>
      sql`INSERT INTO person_payment
          SELECT ${newId()}, 'TXN-FORGED', payer_id, payer_wallet_id, recipient_id,
                 recipient_wallet_id, amount_minor, currency, note, limit_day,
                 ledger_transaction_id, paid_at
            FROM person_payment WHERE id = ${company.payment}`.execute(tx),
    MONEY,
  ],
  [
    'pay from the wallet of another',
    async (tx: Tx) => {
      const id = newId();
      const transactionId = await transfer(tx, { subjectId: id, actorId: company.ids.admin });
      await insertPayment(tx, { id, transactionId, payerId: company.ids.admin });
    },
    { code: '23503', constraint: 'person_payment_payer_wallet_fkey' },
  ],
])('the server’s role cannot %s', async (_what, does, refused) => {
  expect(await company.refusal(does)).toEqual(refused);
});

const FORGED = { reference: 'TXN-FORGED', amountMinor: 1_000n };

/** Posts 1,000 cents from Maya to Ben. */
async function transfer(
  tx: Tx,
  { subjectId, actorId = company.ids.maya }: { subjectId?: string; actorId?: string },
): Promise<string> {
  const [posted] = await post(tx, [
    {
      kind: 'transfer',
      reference: FORGED.reference,
      description: '',
      subjectId: subjectId ?? null,
      actorId,
      entries: [
        { accountId: company.ids.mayaAccount, amountMinor: -FORGED.amountMinor },
        { accountId: company.ids.benAccount, amountMinor: FORGED.amountMinor },
      ],
    },
  ]);
  return posted?.id ?? '';
}

function insertPayment(
  tx: Tx,
  payment: { id: string; transactionId: string; amountMinor?: bigint; payerId?: string },
): Promise<unknown> {
  return sql`
    INSERT INTO person_payment (id, reference, payer_id, payer_wallet_id, recipient_id,
                                recipient_wallet_id, amount_minor, currency, note, limit_day,
                                ledger_transaction_id, paid_at)
    VALUES (${payment.id}, ${FORGED.reference}, ${payment.payerId ?? company.ids.maya},
            ${company.maya.wallet.id}, ${company.ids.ben}, ${company.ben.wallet.id},
            ${payment.amountMinor ?? FORGED.amountMinor}, 'USD', '', current_date,
            ${payment.transactionId}, now())`.execute(tx);
}
