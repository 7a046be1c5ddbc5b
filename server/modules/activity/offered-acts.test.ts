import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { firstView } from '#contract/list.ts';
import { bankAccountList, billList, depositList, withdrawalList } from '#contract/lists.ts';
import { money } from '#contract/money.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import { bill } from '#contract/things/bill.ts';
import { deposit } from '#contract/things/deposit.ts';
import { operationOf } from '#contract/things/operations.ts';
import { personalActs, specOf } from '#contract/things/thing.ts';
import type { ActSpec, Thing } from '#contract/things/thing.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { bankAccountHandlers } from '#server/modules/bank-accounts/routes.ts';
import { depositHandlers } from '#server/modules/deposits/routes.ts';
import { UploadQueue } from '#server/modules/kyc/index.ts';
import { paymentHandlers } from '#server/modules/payments/routes.ts';
import { withdrawalHandlers } from '#server/modules/withdrawals/routes.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { bankDetails } from '#test/factories/money.ts';
import { createTestServices } from '#test/factories/services.ts';
import { makeOfferedThings } from '#test/offered-things.ts';
import { REFUSAL_CAUSES, undoCauses } from '#test/refusal-causes.ts';
import type { OfferedThings } from '#test/offered-things.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { listWaiting } from './waiting.ts';

const services = createTestServices();
const NOW = new Date('2026-12-08T15:00:00.000Z');
interface Shown {
  id: string;
  status: string;
  acts: { act: string; refusal: string | null }[];
}
interface Page {
  items: Shown[];
}
interface AnyHandler {
  run(where: unknown, context: unknown, input: unknown): Promise<unknown>;
}

let test: TestDb;
let db: Db;
let handlers: Readonly<Record<string, AnyHandler>>;
let things: OfferedThings;

beforeAll(async () => {
  services.clock.set(NOW.toISOString());
  test = await openTestDb();
  db = test.db;
  handlers = {
    ...withdrawalHandlers(services),
    ...depositHandlers(services, new UploadQueue()),
    ...paymentHandlers(services, createTestIdentity(test, services)),
    ...bankAccountHandlers(services),
  } as never;
  await undoCauses(db);
  things = await makeOfferedThings(db, services);
});
afterAll(() => test.close());
afterEach(() => undoCauses(db));

const run = <Reply>(work: (tx: Tx) => Promise<Reply>) => withTx(db, work);
/** Each thing: how an admin reads one and all of them, how its owner reads one, and what waits in its statuses. */
const THINGS = [
  {
    thing: withdrawal,
    get: 'adminGetWithdrawal',
    list: 'adminListWithdrawals',
    view: firstView(withdrawalList),
    getOwn: (id: string) => ask<Shown>('getWithdrawal', things.maya.by, { params: { id } }),
    waiting: {
      approve: 'payoutsToApprove',
      startProcessing: 'payoutsToSend',
      complete: 'payoutsToComplete',
    },
  },
  {
    thing: deposit,
    get: 'adminGetDeposit',
    list: 'adminListDeposits',
    view: firstView(depositList),
    getOwn: (id: string) => ask<Shown>('getDeposit', things.maya.by, { params: { id } }),
    waiting: { approve: 'deposits' },
  },
  {
    thing: bill,
    get: 'adminGetBill',
    list: 'adminListBills',
    view: firstView(billList),
    getOwn: async (id: string) => {
      const own = await ask<Page & { returned: Shown[] }>('listScheduledBills', things.maya.by);
      return oneOf({ items: [...own.items, ...own.returned] }, id);
    },
    waiting: { send: 'billsToSend', complete: 'billsToComplete' },
  },
  {
    thing: bankAccount,
    get: 'adminGetBankAccount',
    list: 'adminListBankAccounts',
    view: firstView(bankAccountList),
    getOwn: async (id: string) => oneOf(await ask<Page>('listBankAccounts', things.maya.by), id),
    waiting: { verify: 'bankAccounts' },
  },
] as const;
type Kind = (typeof THINGS)[number];

const contextOf = ({ actor }: CommandContext) => ({
  actor,
  origin: { requestId: 'test', ipAddress: null, userAgent: null },
  headers: new Headers(),
});
const handlerOf = (name: string): AnyHandler =>
  invariant(handlers[name], `nothing answers ${name}`);
/** In a transaction, whose statements are planned once: unlike those of a server's reads, which PostgreSQL plans each time. */
const ask = <Reply>(name: string, by: CommandContext, input: object = {}) =>
  run(async (tx) => (await handlerOf(name).run(tx, contextOf(by), input)) as Reply);
const oneOf = ({ items }: Page, id: string) => items.find((item) => item.id === id);

/** The sentence with which the command refuses; null if it does the act, which is undone then. */
async function refusalOf(operation: string, by: CommandContext, input: object) {
  try {
    await run(async (tx) => {
      await handlerOf(operation).run(tx, contextOf(by), input);
      throw UNDONE;
    });
    return null;
  } catch (error) {
    if (error === UNDONE) return null;
    if (error instanceof AppError) return error.message;
    throw error;
  }
}
const UNDONE = new Error('undone');

/** Body of a command, of which each takes what it knows. */
function bodyOf(act: string): object {
  // Without an account number: it stays.
  if (act === 'edit') return { ...bankDetails(), accountNumber: undefined };
  if (act === 'resend') {
    const to = { bankAccountId: things.maya.bank.id, payeeId: things.otherPayeeId };
    return { ...to, change: null, payOn: '2026-12-09' };
  }
  if (act !== 'change') return { reason: 'The account is closed', bankReference: '' };
  const to = { walletId: things.maya.wallet.id, payeeId: things.otherPayeeId };
  return { ...to, amount: money(1_500n, 'USD'), payOn: '2026-12-09', dueOn: null, memo: '' };
}

interface Read {
  /** The reader. */
  name: string;
  by: CommandContext;
  as: 'admin' | 'owner';
  shown: Shown;
}

/** Compares what a read says about each act with what the command then does. Returns what it says. */
async function compare(thing: Thing, { name, by, as, shown }: Read, isThorough: boolean) {
  const said: string[] = [];
  const acts: readonly string[] = personalActs(thing);
  for (const act of acts) {
    const spec = specOf(thing, act);
    const isLegal = spec.from.includes(shown.status);
    if (spec.by !== as || (!isLegal && !isThorough)) continue;
    const input = { params: { id: shown.id }, body: bodyOf(act) };
    const refusal = await refusalOf(String(operationOf(thing, act)), by, input);
    const offered = shown.acts.find((one) => one.act === act);
    const label = `${name}: ${act} ${thing.name} ${shown.status}`;
    if (isLegal && spec.firstOf !== undefined) {
      const steps: readonly string[] = [act, spec.firstOf.act];
      const next = shown.acts.filter((one) => steps.includes(one.act));
      expect(next, `${label}: one of its two steps is offered`).toHaveLength(1);
    }
    if (isLegal && (offered !== undefined || !isOfTwoSteps(spec))) {
      expect(offered, label).toEqual({ act, refusal });
      said.push(String(refusal));
    } else {
      expect(offered, label).toBeUndefined();
      expect(refusal, label).not.toBeNull();
    }
  }
  return said;
}

/** An act of two steps, of which one is offered at a time. */
const isOfTwoSteps = ({ firstOf, secondPerson = [] }: ActSpec) =>
  firstOf !== undefined || secondPerson.some(({ unlessDone }) => unlessDone !== undefined);

async function idsOf({ name }: Thing): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${sql.table(name)} ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}

describe.each(REFUSAL_CAUSES)('because of %s', (cause, bringAbout, words) => {
  it('a read says of each act what the command does, and what waits is left to those who may', async () => {
    await bringAbout(db, things);
    const said: string[] = [];
    const waiting = new Map<string, Waiting>();
    for (const by of [things.renee, things.priya, things.maya.by]) {
      const { name } = by.actor;
      const { items } = await listWaiting(db, by.actor.id);
      for (const kind of THINGS) {
        const seen = await readAll(kind, by);
        for (const shown of seen) {
          const read = { name, by, as: 'admin', shown } as const;
          said.push(...(await compare(kind.thing, read, cause === 'nothing')));
        }
        for (const [act, queue] of Object.entries(kind.waiting)) {
          const counted = items.find((item) => item.kind === queue);
          waiting.set(`${name}: ${queue}`, {
            listed: { mine: counted?.mine ?? 0, others: counted?.others ?? 0 },
            ...countsOf(kind.thing, seen, act),
          });
        }
      }
    }
    for (const { thing, getOwn } of THINGS) {
      for (const id of await idsOf(thing)) {
        const shown = await getOwn(id).catch(unlessNotFound);
        if (shown === undefined) continue;
        const read = { name: 'owner', by: things.maya.by, as: 'owner', shown } as const;
        said.push(...(await compare(thing, read, cause === 'nothing')));
      }
    }
    for (const part of words) expect(said).toContainEqual(expect.stringContaining(part));
    for (const [queue, { listed, offered }] of waiting) expect(listed, queue).toEqual(offered);
  });
});

interface Waiting {
  listed: { mine: number; others: number };
  offered: { mine: number; others: number };
}

/** All things as an admin sees them one by one, after a comparison with the rows of the list. */
async function readAll({ thing, get, list, view }: Kind, by: CommandContext): Promise<Shown[]> {
  const query = { ...view, status: 'all', page: 1, pageSize: 100 };
  const { items } = await ask<Page>(list, by, { query });
  const seen: Shown[] = [];
  for (const id of await idsOf(thing)) {
    const shown = await ask<Shown>(get, by, { params: { id } });
    expect(oneOf({ items }, id)?.acts, `${thing.name} ${shown.status}`).toEqual(shown.acts);
    seen.push(shown);
  }
  expect(items).toHaveLength(seen.length);
  return seen;
}

/**
 * Number of things that wait for an act or its first step, and of those whose refusal says that somebody else has to
 * do it.
 */
function countsOf(thing: Thing, seen: readonly Shown[], act: string): Pick<Waiting, 'offered'> {
  const leadsTo = (name: string) => specOf(thing, name).firstOf?.act ?? name;
  const waiting = seen.flatMap(({ acts }) => acts.filter((one) => leadsTo(one.act) === act));
  const others = waiting.filter(({ refusal }) => refusal?.startsWith('Someone else must') === true);
  return { offered: { mine: waiting.length - others.length, others: others.length } };
}

/** Things of the person who left are nobody's to read as an owner. */
function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof AppError && error.code.endsWith('_not_found'))) throw error;
}
