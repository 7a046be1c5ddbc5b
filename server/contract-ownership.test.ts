import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { payslipId } from '#contract/account-documents.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { requestDeposit } from '#server/modules/deposits/index.ts';
import { loadOwnApplication, signLink } from '#server/modules/kyc/index.ts';
import { createStandingBill, scheduleBill } from '#server/modules/payments/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp, TestRequest } from '#test/app.ts';
import { outsidePayee } from '#test/factories/bills.ts';
import { giveCheckImages, offerDeposits } from '#test/factories/deposits.ts';
import { picture } from '#test/factories/images.ts';
import { completeApplication, giveDocument } from '#test/factories/kyc.ts';
import { bankDetails, createPayee, pendingBank, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin, createEmployee } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { OPERATIONS } from '#test/operations.ts';
import { tableSums } from '#test/table-sums.ts';

/**
 * Every operation of an employee that takes an id, asked by another employee about what is not
 * theirs: refused exactly as an id that does not exist, and nothing changes.
 */
let purser: TestApp;
let admin: TestPerson;
/** Whose thing it is, and who asks for it. Both could do it with a thing of their own. */
let payees: readonly [SignedIn<Payee>, SignedIn<Payee>];
/** Whom both of them may pay. */
let colleague: { id: string };

/** Whom each of the two can pay a bill to, and a bill of theirs. */
const payeeOf = new Map<string, string>();
const billIdOf = new Map<string, string>();

type SignedIn<T> = T & { cookie: string };

beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  await offerDeposits(db, services);
  admin = await createAdmin(db, services);
  payees = [await payee(), await payee()];
  for (const who of payees) {
    const { id } = who.by.actor;
    payeeOf.set(id, await outsidePayee(db, services, who.by));
    billIdOf.set(id, await scheduledBill(who));
  }
  colleague = (await payee()).by.actor;
});
afterAll(() => purser.close());

async function payee(): Promise<SignedIn<Payee>> {
  const person = await createPayee(purser.db, purser.services, { admin: admin.by });
  return { ...person, cookie: await purser.cookieOf(person.by.actor) };
}

async function applicant(): Promise<SignedIn<TestPerson>> {
  const person = await createEmployee(purser.db, purser.services);
  await completeApplication(purser.db, purser.services, person.by);
  return { ...person, cookie: await purser.cookieOf(person) };
}

interface Asked {
  /** In the path, where the id that is asked about stands elsewhere. */
  pathId?: string;
  query?: Record<string, string>;
  body?: object;
  bytes?: Uint8Array;
}

interface Case {
  /** Makes a thing of the first of the pair, and answers its id. */
  make(holder: Someone): Promise<string> | string;
  /** What is sent beside the id: of the one who asks, where it is a thing too. */
  beside?(who: Someone, id: string, holder: Someone): Promise<Asked> | Asked;
  /** Whether it takes people whose application is not submitted yet. */
  isOfApplicants?: true;
}

type Someone = SignedIn<Payee | TestPerson>;

const owner = () => payees[0];
const inDb = () => [purser.db, purser.services] as const;
const AMOUNT = money(1_000n, 'USD');

const pending = async () => {
  const order = {
    payee: owner(),
    admin: admin.by,
    amountMinor: 1_000n,
    status: 'pending',
  } as const;
  return (await withdrawalIn(...inDb(), order)).id;
};
const payslip = async () => {
  const { id } = await purser.db
    .selectFrom('payrollLine')
    .select('id')
    .where('userId', '=', owner().by.actor.id)
    .executeTakeFirstOrThrow();
  return payslipId(id);
};
/** The event of their history that payroll posted. */
const paidEvent = async () => {
  const { ledgerTransactionId } = await purser.db
    .selectFrom('payrollLine')
    .select('ledgerTransactionId')
    .where('userId', '=', owner().by.actor.id)
    .executeTakeFirstOrThrow();
  return `${ledgerTransactionId}.salary`;
};
const deposit = async (method: 'ach' | 'mobile_check' = 'ach') => {
  const body = { walletId: owner().wallet.id, method, amount: money(10_000n, 'USD') };
  return (await withTx(purser.db, (tx) => requestDeposit(tx, purser.services, owner().by, body)))
    .id;
};
const check = () => deposit('mobile_check');
const checkImage = async () => {
  await giveCheckImages(...inDb(), owner().by, await check());
  const { id } = await purser.db
    .selectFrom('depositImage')
    .select('id')
    .where('userId', '=', owner().by.actor.id)
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
};
const bankAccount = async () => (await pendingBank(...inDb(), owner().by)).id;
const document = async ({ by }: Someone) =>
  (await giveDocument(...inDb(), by, { type: 'id_front' })).id;
const applicationOf = ({ by }: Someone) => loadOwnApplication(...inDb(), by.actor.id);
const application = async (holder: Someone) => (await applicationOf(holder)).id;
const versionOf = async (holder: Someone) => ({ version: (await applicationOf(holder)).version });
const savedPayee = async () => {
  const id = newId();
  const row = { id, userId: owner().by.actor.id, kind: 'colleague' as const };
  await purser.db
    .insertInto('payee')
    .values({ ...row, colleagueId: colleague.id, createdAt: new Date() })
    .execute();
  return id;
};
const newest = async (table: 'authSession' | 'notification') => {
  const { id } = await purser.db
    .selectFrom(table)
    .select('id')
    .where('userId', '=', owner().by.actor.id)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
};
const session = async () => {
  await purser.cookieOf(owner().by.actor);
  return newest('authSession');
};

const passkey = async () => {
  const { id } = await withTx(purser.db, (tx) =>
    tx
      .insertInto('authPasskey')
      .values({
        ...{ userId: owner().by.actor.id, credentialId: randomUUID(), publicKey: '', counter: 0 },
        ...{ deviceType: 'singleDevice', backedUp: false },
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return id;
};

/** One of its own for each case: the same details again would be the payee that the bills go to. */
const payeeOutside = () => outsidePayee(...inDb(), owner().by, { name: `Harbor ${randomUUID()}` });
const PAYEE_CHANGE = {
  ...{ name: 'Harbor Fiber', kind: 'business', routingNumber: '021000021' },
  ...{ accountType: 'checking', customerNumber: '' },
};
/** A bill of one's own, as it is asked for. */
const billOf = ({ by, wallet }: Payee) => ({
  walletId: wallet.id,
  payeeId: payeeOf.get(by.actor.id) ?? '',
  amount: AMOUNT,
  payOn: dayIn('America/New_York', new Date()),
});
const standingOf = (who: Payee) => {
  const { payOn: startsOn, ...bill } = billOf(who);
  return { ...bill, frequency: 'weekly' as const, startsOn };
};
const standingBill = async (who = owner()) => {
  const bill = { ...standingOf(who), endsOn: null, memo: '' };
  return (await withTx(purser.db, (tx) => createStandingBill(tx, purser.services, who.by, bill)))
    .id;
};
const scheduledBill = async (who = owner()) => {
  const bill = { ...billOf(who), dueOn: null, memo: '' };
  return (await withTx(purser.db, (tx) => scheduleBill(tx, purser.services, who.by, bill))).id;
};

/** By operation and field. */
const CASES: Readonly<Record<string, Case>> = {
  'revokeSession id': { make: session },
  'renamePasskey id': { make: passkey, beside: () => ({ body: { name: 'My phone' } }) },
  'removePasskey id': { make: passkey },
  'markNotificationRead id': { make: () => newest('notification') },
  'deleteNotification id': { make: () => newest('notification') },
  'restoreNotification id': { make: () => newest('notification') },
  'revealWallet id': { make: () => owner().wallet.id },
  'getHistoryEvent id': { make: async () => `${await pending()}.salary` },
  'proveEvent id': { make: paidEvent },
  'getAccountDocument id': { make: payslip },
  'downloadAccountDocument id': { make: payslip },
  'updateBankAccount id': { make: bankAccount, beside: () => ({ body: bankDetails() }) },
  'removeBankAccount id': { make: bankAccount },
  'revealBankAccount id': { make: bankAccount },
  'getWithdrawal id': { make: pending },
  'cancelWithdrawal id': { make: pending },
  'requestWithdrawal walletId': {
    make: () => owner().wallet.id,
    beside: (who) => ({ body: { bankAccountId: (who as Payee).bank.id, amount: AMOUNT } }),
  },
  'requestWithdrawal bankAccountId': {
    make: () => owner().bank.id,
    beside: (who) => ({ body: { walletId: (who as Payee).wallet.id, amount: AMOUNT } }),
  },
  'getDeposit id': { make: () => deposit() },
  'requestDeposit walletId': {
    make: () => owner().wallet.id,
    beside: () => ({ body: { method: 'ach', amount: money(10_000n, 'USD') } }),
  },
  'cancelDeposit id': { make: () => deposit() },
  'uploadCheckImage id': {
    make: check,
    beside: async () => ({ query: { fileName: 'front.png' }, bytes: await picture('png') }),
  },
  'getCheckImage id': { make: checkImage },
  'saveMyApplication id': {
    isOfApplicants: true,
    make: application,
    beside: async (_who, _id, holder) => ({
      body: { ...(await versionOf(holder)), answers: { city: 'Tacoma' } },
    }),
  },
  'submitMyApplication id': {
    isOfApplicants: true,
    make: application,
    beside: async (_who, _id, holder) => ({ body: await versionOf(holder) }),
  },
  'createDocumentLink id': { isOfApplicants: true, make: document },
  'payPerson walletId': {
    make: () => owner().wallet.id,
    beside: () => ({ body: { recipientId: colleague.id, amount: AMOUNT } }),
  },
  'removePayee id': { make: savedPayee },
  'updatePayee id': { make: payeeOutside, beside: () => ({ body: PAYEE_CHANGE }) },
  'getBill id': { make: () => scheduledBill() },
  'cancelBill id': { make: () => scheduledBill() },
  'changeBill id': {
    make: () => scheduledBill(),
    beside: (who) => ({ body: billOf(who as Payee) }),
  },
  'changeBill walletId': {
    make: () => owner().wallet.id,
    beside: (who) => ({
      pathId: billIdOf.get(who.by.actor.id) ?? '',
      body: billOf(who as Payee),
    }),
  },
  'changeBill payeeId': {
    make: async () => {
      // Whoever changes a bill has another one then.
      billIdOf.set(owner().by.actor.id, await scheduledBill());
      return payeeOutside();
    },
    beside: (who) => ({
      pathId: billIdOf.get(who.by.actor.id) ?? '',
      body: billOf(who as Payee),
    }),
  },
  'createStandingBill walletId': {
    make: () => owner().wallet.id,
    beside: (who) => ({ body: standingOf(who as Payee) }),
  },
  'createStandingBill payeeId': {
    make: payeeOutside,
    beside: (who) => ({ body: standingOf(who as Payee) }),
  },
  'stopStandingBill id': { make: () => standingBill() },
  'scheduleBill walletId': {
    make: () => owner().wallet.id,
    beside: (who) => ({ body: billOf(who as Payee) }),
  },
  'scheduleBill payeeId': {
    make: payeeOutside,
    beside: (who) => ({ body: billOf(who as Payee) }),
  },
  // The link of the one whose document it is, in other hands.
  'getDocument id': {
    isOfApplicants: true,
    make: document,
    beside: (_who, documentId, { by }) => {
      const { url } = signLink(purser.services, { documentId, viewerId: by.actor.id });
      return { query: Object.fromEntries(new URL(url, 'http://localhost').searchParams) };
    },
  },
};

/** Every field of an employee's operation that is an id. */
const FIELDS = OPERATIONS.filter(({ spec }) =>
  ['employee', 'signedIn'].includes(spec.access),
).flatMap((operation) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    idsIn(operation.spec[part]).map((field) => ({
      ...operation,
      ...{ part, field, key: `${operation.name} ${field}` },
    })),
  ),
);

function idsIn(schema: z.ZodObject | undefined): string[] {
  if (schema === undefined) return [];
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return Object.entries(json.properties ?? {}).flatMap(([name, property]) => {
    const isId = typeof property === 'object' && property.format === 'uuid';
    return isId || name === 'id' || name.endsWith('Id') ? [name] : [];
  });
}

/** Ids of others by purpose: whom to pay. */
const OF_OTHERS = ['payPerson recipientId'];
const OWN_FIELDS = FIELDS.filter(({ key }) => !OF_OTHERS.includes(key));

test('no field is left out', () => {
  expect(OWN_FIELDS.map(({ key }) => key).toSorted()).toEqual(Object.keys(CASES).toSorted());
});

describe.each(OWN_FIELDS)('$key', ({ key, method, path, spec, part, field }) => {
  async function ask(who: Someone, id: string, holder: Someone): Promise<Response> {
    const beside = (await CASES[key]?.beside?.(who, id, holder)) ?? {};
    const query = new URLSearchParams({
      ...beside.query,
      ...(part === 'query' && { [field]: id }),
    });
    const at = path
      .replace('{id}', part === 'params' ? id : (beside.pathId ?? ''))
      .replace('{side}', 'front');
    const { bytes, body } = beside;
    const sent = part === 'body' ? { ...body, [field]: id } : (bytes ?? body);
    const request: TestRequest = { cookie: who.cookie, key: randomUUID(), body: sent };
    return purser.ask(method, `${at}?${query.toString()}`, request);
  }

  async function refusal(who: Someone, id: string, holder: Someone): Promise<object> {
    const response = await ask(who, id, holder);
    const { requestId, ...problem } = (await response.json()) as Record<string, unknown>;
    expect(requestId).toEqual(expect.any(String));
    response.headers.delete('x-request-id');
    const headers = Object.fromEntries(response.headers);
    return { status: response.status, headers, problem };
  }

  test('of another employee is refused like one that does not exist', async () => {
    const thing = CASES[key] as Case;
    const [holder, stranger] = thing.isOfApplicants
      ? [await applicant(), await applicant()]
      : payees;
    const id = await thing.make(holder);
    const missing = id.replace(/^[0-9a-f-]{36}/, randomUUID());
    const before = await tableSums(purser.db);
    const refused = await refusal(stranger, id, holder);
    expect(await tableSums(purser.db)).toEqual(before);
    expect(refused).toEqual(await refusal(stranger, missing, holder));
    expect(spec.errors).toContain((refused as { problem: { code: string } }).problem.code);
    // The id is a real one, and nothing else is wrong with the request.
    expect((await ask(holder, id, holder)).status).toBe(spec.status);
  });
});
