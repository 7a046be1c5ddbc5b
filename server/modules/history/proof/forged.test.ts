/**
 * Forgeries of what an employee's browser is sent to prove a number: each field of each reply changed,
 * removed or taken from another reply, each row dropped, repeated or put elsewhere. None may pass. What
 * passes all the same is in no seal, and is named here.
 */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BalanceProof, EventProof, RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Money } from '#contract/money.ts';
import { NUMBER_CHECKS } from '#contract/questions.ts';
import { marksAfter, verifyNumber } from '#contract/verify-number.ts';
import type { Findings, KeptMarks } from '#contract/verify-number.ts';
import { ofBalance, ofEvent } from '#contract/verify-shown.ts';
import { withTx } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { moveMoney, payPerson } from '#server/modules/payments/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { createPayee, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { createMemoryRoots, createTestSealer } from '#test/ledger-sealer.ts';
import { forge, forgeriesOf, nameOf } from '#test/forge-json.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { historyScope } from '../scope.ts';
import { getLedgerRoots, getSealedBlocks, proveBalance, proveEvent, proveTotal } from './prove.ts';

const services = createTestServices();

/** Everything that one check of a number is sent. */
interface Replies<Proof = EventProof | BalanceProof> {
  proof: Proof;
  blocks: RouteReply<'getSealedBlocks'>;
  roots: RouteReply<'getLedgerRoots'>;
  totals: RouteReply<'proveTotal'>;
}

let test: TestDb;
let maya: Payee;
let sam: Payee;
/** Maya's payment to Sam, and other movements. */
let payment: Replies<EventProof>;
let movements: Replies<EventProof>[];
/** Her newest balance, and other ones. */
let balance: Replies<BalanceProof>;
let balances: Replies<BalanceProof>[];

beforeAll(async () => {
  test = await openTestDb();
  const { db } = test;
  const [first, second] = [generateKey(), generateKey()];
  const roots = createMemoryRoots();
  const former = createTestSealer(db, first, { roots });
  const current = createTestSealer(db, second, { roots });
  const admin = await createPersonBy(db, { role: 'admin' });
  maya = await createPayee(db, services, { admin, firstName: 'Maya' });
  sam = await createPayee(db, services, { admin, firstName: 'Sam' });
  const savings = await withTx(db, (tx) =>
    openWallet(tx, services, { userId: maya.by.actor.id, type: 'savings' }),
  );
  await former.run();
  await former.handOver(second);
  await withTx(db, (tx) =>
    payPerson(tx, services, maya.by, {
      recipientId: sam.by.actor.id,
      walletId: maya.wallet.id,
      amount: money(2_500n, 'USD'),
      note: 'Lunch',
      savePayee: false,
    }),
  );
  await withTx(db, (tx) =>
    moveMoney(tx, services, maya.by, {
      fromWalletId: maya.wallet.id,
      toWalletId: savings.id,
      amount: money(900n, 'USD'),
    }),
  );
  await current.run();
  await withdrawalIn(db, services, { payee: maya, admin, status: 'completed' });
  await current.run();
  await withdrawalIn(db, services, { payee: maya, admin, status: 'pending' });
  const lee = await createPayee(db, services, { admin, firstName: 'Lee' });
  await current.run();
  balance = await balanceOf(maya, 'salary');
  balances = [await balanceOf(maya, 'savings'), await balanceOf(lee, 'salary')];
  payment = await movementOf(maya, balance, 1);
  movements = [
    await movementOf(maya, balance, 0),
    await movementOf(maya, balance, 3),
    await movementOf(lee, invariant(balances[1], 'that of Lee'), 0),
  ];
});
afterAll(() => test.close());

const generateKey = () => generateKeyPairSync('ed25519').privateKey;

async function scopeOf({ by }: Payee) {
  return historyScope(test.db, by.actor.id, await readSettings(test.db));
}

async function balanceOf(who: Payee, account: 'salary' | 'savings') {
  const proof = await proveBalance(test.db, await scopeOf(who), { account, number: '' });
  return withSources(who, proof, proof.entries[0]?.movement);
}

async function movementOf(who: Payee, { proof }: Replies<BalanceProof>, entry: number) {
  const { event } = invariant(proof.entries[entry], 'the account has this entry');
  const proven = await proveEvent(test.db, await scopeOf(who), event.id);
  return withSources(who, proven, proven.movement);
}

async function withSources<Proof>(
  who: Payee,
  proof: Proof,
  first: EventProof['movement'] | undefined,
): Promise<Replies<Proof>> {
  const { db } = test;
  return structuredClone({
    proof,
    blocks: await getSealedBlocks(db, first?.proof?.block.height ?? '0'),
    roots: await getLedgerRoots(db),
    totals: await proveTotal(db, await scopeOf(who)),
  });
}

/** Result of Maya's browser for her payment, or of the newest balance of her salary wallet. */
async function check(replies: Replies, kept?: KeptMarks): Promise<Findings> {
  return verifyNumber(subjectOf(replies), { kept, ...sourcesOf(replies) });
}

function subjectOf({ proof }: Replies) {
  const personId = maya.by.actor.id;
  return 'event' in proof
    ? ofEvent(proof, { personId, id: payment.proof.event.id })
    : ofBalance(proof, { personId, account: 'salary', number: '' });
}

function sourcesOf({ blocks, roots, totals }: Replies) {
  let isAsked = false;
  return {
    readBlocks: async () => {
      if (isAsked) return { ...blocks, blocks: [] };
      isAsked = true;
      return blocks;
    },
    readRoots: async () => roots,
    readTotals: async () => totals,
  };
}

async function passes(replies: Replies, kept?: KeptMarks): Promise<boolean> {
  try {
    return isProven(await check(replies, kept));
  } catch {
    // A reply that is not of its shape proves nothing.
    return false;
  }
}

function isProven({ states }: Findings): boolean {
  return NUMBER_CHECKS.every((name) => states[name] === 'right');
}

/** Forgeries tried at a time. */
const AT_A_TIME = 100;

/** Fields of which some forgery passed, and the number of forgeries. */
async function tryAll(...[honest, others, replies]: Parameters<typeof forgeriesOf<Replies>>) {
  const forgeries = forgeriesOf(honest, others, replies);
  const unnoticed = new Set<string>();
  for (let from = 0; from < forgeries.length; from += AT_A_TIME) {
    await Promise.all(
      forgeries.slice(from, from + AT_A_TIME).map(async ({ path, value }) => {
        if (await passes(forge(honest, path, value))) unnoticed.add(nameOf(path));
      }),
    );
  }
  return { count: forgeries.length, unnoticed: [...unnoticed].toSorted() };
}

/** Not used: the newest block is known by the chain and by the root that is loaded apart. */
const HEAD = ['proof.head', 'proof.head.height', 'proof.head.sealedAt', 'blocks.head.sealedAt'];

/**
 * Fields of a movement that no seal has: words that can be erased, or that a request has and not its
 * posting. The screen of a proof shows none of them.
 */
const unsealed = (event: string, movement: string) => [
  ...['account', 'account.last4', 'account.name', 'bankReference', 'description', 'documentId'].map(
    (field) => `${event}.${field}`,
  ),
  ...['leftBankOn', 'note', 'payPeriod', 'processedBy', 'rejectionReason', 'requestReference'].map(
    (field) => `${event}.${field}`,
  ),
  `${event}.reversedReference`,
  // The order in which the two sides are listed, and names that are not those of sealed accounts.
  `${movement}.entries`,
  `${movement}.entries[].account`,
  `${movement}.entries[].isOwn`,
];

describe('forged replies', () => {
  it('are generated from honest ones, which pass', async () => {
    for (const honest of [payment, balance]) {
      expect(await check(honest)).toMatchObject({ missing: undefined, fault: undefined });
      expect(await passes(honest)).toBe(true);
    }
  });

  it('about a movement do not pass', async () => {
    const { count, unnoticed } = await tryAll(payment, movements, ['proof', 'blocks', 'roots']);
    expect(count).toBeGreaterThan(1_000);
    expect(unnoticed).toEqual(
      [...HEAD, ...unsealed('proof.event', 'proof.movement'), 'roots.roots'].toSorted(),
    );
  });

  it('about a balance do not pass', async () => {
    const { count, unnoticed } = await tryAll(balance, balances, ['proof', 'blocks', 'roots']);
    expect(count).toBeGreaterThan(3_000);
    const account = ['proof.account', 'proof.account.last4', 'proof.account.name'];
    const held = ['', '[]', '[].amount.minor', '[].description', '[].reference'];
    expect(unnoticed).toEqual(
      [
        ...HEAD,
        ...unsealed('proof.entries[].event', 'proof.entries[].movement'),
        ...account,
        ...held.map((field) => `proof.held${field}`),
        'proof.accounts',
        'roots.roots',
      ].toSorted(),
    );
  });
});

/** The honest balance, changed by one who knows what is compared. */
function forgedBalance(change: (proof: BalanceProof) => void): Replies<BalanceProof> {
  const copy = structuredClone(balance);
  change(copy.proof);
  return copy;
}

const MILLION = 100_000_000n;

function more({ minor, currency }: Money, by: bigint): Money {
  return money(BigInt(minor) + by, currency);
}

/** A million more in the first entry, and with it in every balance. */
function raise({ proof }: { proof: BalanceProof }, change: (entry: Side) => void): void {
  proof.balance = more(proof.balance, MILLION);
  for (const [index, { event, movement }] of proof.entries.entries()) {
    if (event.balanceAfter) event.balanceAfter = more(event.balanceAfter, MILLION);
    if (index === 0) event.amount = more(event.amount, MILLION);
    for (const entry of movement.entries) {
      if (index === 0) entry.amount = more(entry.amount, entry.isOwn ? MILLION : -MILLION);
      if (entry.isOwn && entry.balanceAfter) entry.balanceAfter = more(entry.balanceAfter, MILLION);
      change(entry);
    }
  }
}

type Side = EventProof['movement']['entries'][number];

describe('a forgery that agrees with itself', () => {
  it('cannot add a million to every balance, with the salts or without', async () => {
    const kept = (entry: Side) => entry;
    const removed = (entry: Side) => (entry.salt = null);
    for (const change of [kept, removed]) {
      const forged = structuredClone(balance);
      raise(forged, change);
      expect(await check(forged)).toMatchObject({ states: { sum: 'right', content: 'wrong' } });
    }
  });

  it('cannot cut an entry out of the middle and number the others again', async () => {
    const forged = forgedBalance((proof) => {
      const [cut] = proof.entries.splice(1, 1);
      const amount = BigInt(cut?.event.amount.minor ?? 0);
      proof.balance = more(proof.balance, -amount);
      proof.number = (BigInt(proof.number) - 1n).toString();
      for (const { event, movement } of proof.entries.slice(1)) {
        const own = movement.entries.find(({ accountId }) => accountId === ownAccountId());
        if (!own?.balanceAfter || own.number === null) throw new Error('it is shown');
        own.number = event.entryNumber = (BigInt(own.number) - 1n).toString();
        own.balanceAfter = event.balanceAfter = more(own.balanceAfter, -amount);
        own.salt = null;
      }
    });
    expect(await check(forged)).toMatchObject({ states: { sum: 'right', content: 'wrong' } });
  });

  it('is not believed to be of a former format', async () => {
    for (const honest of [balance, payment]) {
      const forged = structuredClone(honest);
      const { proof } = forged;
      const lines = 'event' in proof ? [proof] : proof.entries;
      for (const { event, movement } of lines) {
        if (movement.proof) movement.proof.format = 1;
        for (const entry of movement.entries) {
          if (entry.isOwn) entry.balanceAfter = event.balanceAfter = more(event.amount, MILLION);
          entry.salt = entry.commitment = null;
        }
      }
      expect(await passes(forged)).toBe(false);
      // The other side of such a line cannot be shown, so its leaf is not proven.
      if (honest === payment) expect(await check(forged)).toMatchObject({ unshown: 1 });
    }
  });

  it('cannot show another account, or another number, in place of the one that was asked for', async () => {
    for (const other of balances) {
      expect(await passes({ ...balance, proof: other.proof })).toBe(false);
    }
    const earlier = await proveBalance(test.db, await scopeOf(maya), {
      account: 'salary',
      number: '2',
    });
    const subject = ofBalance(earlier, {
      personId: maya.by.actor.id,
      account: 'salary' as const,
      number: '3',
    });
    expect(await verifyNumber(subject, { kept: undefined, ...sourcesOf(balance) })).toMatchObject({
      fault: 'answer',
    });
    for (const other of movements) expect(await check(other)).toMatchObject({ fault: 'answer' });
  });

  it('cannot withhold the newest entry', async () => {
    const kept = marksAfter(subjectOf(balance), await check(balance), undefined);
    const forged = forgedBalance((proof) => {
      proof.entries.pop();
      const { event } = invariant(proof.entries.at(-1), 'others are left');
      proof.number = event.entryNumber ?? '';
      proof.balance = event.balanceAfter ?? money(0n, 'USD');
      const used = proof.entries.flatMap(({ movement }) =>
        movement.entries.map(({ accountId }) => accountId),
      );
      proof.accounts = proof.accounts.filter(({ id }) => used.includes(id));
    });
    expect(await check(forged)).toMatchObject({
      states: { content: 'right', chain: 'partly' },
      missing: { what: 'newer' },
    });
    // Nor where all replies say so, to a browser that saw it.
    const flow = invariant(forged.totals.flows[0], 'a salary wallet');
    [flow.number, flow.balance] = [forged.proof.number, forged.proof.balance];
    expect(await check(forged, kept)).toMatchObject({
      states: { chain: 'wrong' },
      missing: { what: 'entry', number: 4n },
    });
  });

  it('cannot cut the chain at its end, or show another one', async () => {
    const kept = marksAfter(subjectOf(payment), await check(payment), undefined);
    const forged = structuredClone(payment);
    const cut = invariant(forged.blocks.blocks.pop(), 'a block follows');
    if (forged.blocks.head) forged.blocks.head.height = (BigInt(cut.height) - 1n).toString();
    const missing = { what: 'root', height: BigInt(cut.height) };
    expect(await check(forged)).toMatchObject({ states: { chain: 'wrong' }, missing });
    // Nor where the root that is loaded apart agrees, to a browser that saw it.
    const { height, ...last } = invariant(forged.blocks.blocks.at(-1), 'a block follows');
    forged.roots.roots = [{ ...last, height: Number(height) }];
    expect(await passes(forged)).toBe(true);
    expect(await check(forged, kept)).toMatchObject({ states: { chain: 'wrong' }, missing });
    const another = { ...invariant(kept, 'it passed'), root: '11'.repeat(32) };
    expect(await check(payment, another)).toMatchObject({ states: { chain: 'wrong' }, missing });
  });
});

const ownAccountId = () => subjectOf(balance).own?.id;
