import { describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import {
  bankAccountActs,
  passPrenotes,
  updateBankAccount,
} from '#server/modules/bank-accounts/index.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { bankDetails } from '#test/factories/money.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { openBankProofs } from '#test/factories/bank-proofs.ts';
import type { ReturnDesk } from '#test/factories/returned-payouts.ts';
import type { ReturnedEntry } from '#test/factories/returns-file.ts';
import { createTestServices } from '#test/factories/services.ts';
import { expectOneWins } from '#test/one-wins.ts';
import { expectLocksInOrder } from '#test/start-and-block.ts';
import { readNacha } from './nacha/read-nacha.ts';
import { makePayoutFile } from './make-payout-file.ts';
import { settlePrenoteFiles } from './payout-file.ts';
import { getPayoutFile } from './file-queries.ts';
import { getPayouts } from './get-payouts.ts';

/** Tuesday, 10:00 AM in New York. A prenote of that day settles on Wednesday, and ends on Monday, December 14. */
const MORNING = '2026-12-08T15:00:00.000Z';
const LATER = '2026-12-08T16:00:00.000Z';
const LAST_MOMENT = '2026-12-14T04:59:59.000Z';
const OVER = '2026-12-14T05:00:00.000Z';

const services = createTestServices(MORNING);
let db: Db;
let admin: CommandContext;
let other: CommandContext;
let owner: CommandContext;
let steps: ReturnDesk['steps'];
const { add, verify, mine, make } = openBankProofs(
  services,
  { proof: 'prenote', morning: MORNING, ownerNow: () => owner },
  (desk) => ({ db, admin, other, owner, steps } = desk),
);
const entryOf = async (file: { number: string }) => {
  const [entry] = (await getPayoutFile(db, services, admin, file)).entries;
  if (entry === undefined) throw new Error('a file without entries');
  return entry;
};
/** A bank account whose prenote was sent, with the entry of its file. */
async function sent(details = {}) {
  const { id } = await add(details);
  const file = await make(id);
  await steps.download(file.id);
  await steps.doAct('send', file.id);
  const { traceNumber: trace, reference } = await entryOf(file);
  return { id, file, trace, reference };
}
type Sent = Awaited<ReturnType<typeof sent>>;
const answered = ({ trace, reference }: Sent, code: string, more: Partial<ReturnedEntry> = {}) =>
  steps.book([{ code, trace, reference, ...more }]);
const rejected = (id: string) => mine(id).then(({ rejectionReason }) => rejectionReason);
const noticesTo = async ({ actor }: CommandContext) => {
  const notices = db.selectFrom('notification').select('message').where('userId', '=', actor.id);
  return (await notices.execute()).map(({ message }) => message);
};

describe('a prenote', () => {
  it('is an entry of no amount, by which a bank account is verified three banking days after it', async () => {
    const { id } = await add();
    expect((await mine(id)).prenote).toEqual({
      fileNumber: null,
      isSent: false,
      verifiableFrom: null,
    });
    const { ready, readySum } = await getPayouts(db, services, admin);
    expect(ready).toMatchObject([{ id, kind: 'prenote', payees: 'accounts' }]);
    expect(readySum).toMatchObject({ count: 1, total: { minor: '0' } });
    await expect(verify(id)).rejects.toThrow(/It is not in a payout file yet/);

    const file = await make(id);
    expect(file).toMatchObject({ itemCount: 1, total: { minor: '0' } });
    expect(file.checks).toContainEqual({ check: 'holds', note: null, refusal: null });
    expect((await getPayouts(db, services, admin)).ready).toEqual([]);
    expect((await mine(id)).prenote).toMatchObject({ fileNumber: file.number, isSent: false });
    await expect(verify(id)).rejects.toThrow(`Payout file ${file.number} was not sent yet`);

    const { content } = await steps.download(file.id);
    const entries: [string, bigint][] = [];
    await readNacha([content], (entry) => {
      entries.push([entry.transactionCode, entry.amountMinor]);
    });
    expect(entries).toEqual([['23', 0n]]);
    expect(content.match(/^5\d{3}.*$/m)?.[0]).toMatch(/PPDPAYROLL/);

    await steps.doAct('send', file.id);
    expect((await mine(id)).prenote).toMatchObject({ isSent: true, verifiableFrom: OVER });
    services.clock.set(LAST_MOMENT);
    await expect(verify(id)).rejects.toThrow(/Its bank can send that back before Dec 14, 2026/);
    expect(await passPrenotes(db, services)).toBe(0);
    services.clock.set(OVER);
    // Administrators are notified once.
    expect(await passPrenotes(db, services)).toBe(1);
    expect(await passPrenotes(db, services)).toBe(0);
    const passed = (await noticesTo(other)).filter((message) => /did not come back/.test(message));
    expect(passed).toEqual([expect.stringMatching(/^The prenote to .* of Maya Castellanos/)]);
    await verify(id);
    expect(await mine(id)).toMatchObject({ status: 'verified', prenote: null, isPrimary: true });
    // No statement has the file, so it is settled by itself once its day is over in New York.
    services.clock.set('2026-12-10T04:59:59.000Z');
    expect(await settlePrenoteFiles(db, services)).toBe(0);
    services.clock.set('2026-12-10T05:00:00.000Z');
    expect(await settlePrenoteFiles(db, services)).toBe(1);
    expect(await getPayoutFile(db, services, admin, file)).toMatchObject({
      status: 'settled',
      leftBankOn: '2026-12-09',
      unposted: 0,
    });
    services.clock.set(OVER);
  });

  it('passes with others in the order of the ids of their accounts, and not of their days', async () => {
    const ids: string[] = [];
    for (const last4 of ['0001', '0002', '0003']) {
      ids.push((await add({ accountNumber: `44100${last4}` })).id);
    }
    const days = ['08', '09', '10'];
    for (const id of ids.toSorted().toReversed()) {
      services.clock.set(MORNING.replace('08', days.shift() ?? ''));
      const file = await make(id);
      await steps.download(file.id);
      await steps.doAct('send', file.id);
    }
    services.clock.set(OVER.replace('14', '20'));
    await expectLocksInOrder(db, 'bank_account', ids, () => passPrenotes(db, services));
    for (const id of ids) await verify(id);
  });

  it('has its own transaction code for a savings account, and its own batch', async () => {
    const { id } = await add({ accountType: 'savings' });
    const { id: withdrawalId } = await withProof('none', () => steps.approved());
    const file = await withTx(db, (tx) =>
      makePayoutFile(tx, services, admin, {
        withdrawalIds: [withdrawalId],
        billIds: [],
        bankAccountIds: [id],
      }),
    );
    expect(file.batches).toMatchObject([
      { payees: 'people', count: 1, total: { minor: '40000' } },
      { payees: 'accounts', count: 1, total: { minor: '0' } },
    ]);
    const { content } = await steps.download(file.id);
    const codes: string[] = [];
    await readNacha([content], (entry) => {
      codes.push(entry.transactionCode);
    });
    expect(codes).toEqual(['22', '33']);
    await steps.doAct('send', file.id);
    await steps.doAct('settle', file.id);
  });

  it('is in one file of two that are made concurrently', async () => {
    const { id } = await add();
    const made = await Promise.allSettled([make(id), make(id)]);
    expectOneWins(made, 'payout_item_not_ready');
    const [file] = (await getPayouts(db, services, admin)).files;
    await expect(make(id)).rejects.toThrow(`It has one in payout file ${file?.number}`);
    await steps.doAct('cancel', file?.id ?? '');
    await steps.doAct('cancel', (await make(id)).id);
  });

  it.each([
    [
      'changed',
      /The bank account was changed since/,
      (id: string) =>
        withTx(db, (tx) =>
          updateBankAccount(tx, services, owner, {
            id,
            change: bankDetails({ bankName: 'Alder' }),
          }),
        ),
    ],
    [
      'removed',
      /The bank account was changed since/,
      (id: string) => withTx(db, (tx) => bankAccountActs.remove(tx, services, owner, { id })),
    ],
    [
      'rejected',
      /It is rejected/,
      (id: string) =>
        withTx(db, (tx) => bankAccountActs.reject(tx, services, other, { id, reason: 'No' })),
    ],
  ])('to an account that was %s since is not given out', async (_how, sentence, change) => {
    const { id } = await add();
    const file = await make(id);
    services.clock.set(LATER);
    await change(id);
    await expect(steps.download(file.id)).rejects.toThrow(sentence);
    await steps.doAct('cancel', file.id);
  });

  it('counts for the account as it was, and not for one that was changed between file and answer', async () => {
    const { id } = await add();
    const file = await make(id);
    await steps.download(file.id);
    services.clock.set(LATER);
    const change = bankDetails({ accountNumber: '900017' });
    await withTx(db, (tx) => updateBankAccount(tx, services, owner, { id, change }));
    await steps.doAct('send', file.id);
    expect((await mine(id)).prenote).toMatchObject({ fileNumber: null });
    services.clock.set(OVER);
    await expect(verify(id)).rejects.toMatchObject({ code: 'bank_account_untested' });
    // Its bank answers about the former number, which says nothing about this one.
    const { traceNumber: trace, reference } = await entryOf(file);
    await answered({ id, file, trace, reference }, 'R03');
    expect((await mine(id)).status).toBe('pending');
    await steps.doAct('cancel', (await make(id)).id);
  });

  it('is not sent to an account whose number was destroyed with the key of its owner', async () => {
    const { id } = await add();
    const { actor } = owner;
    await withTx(db, (tx) => services.vault.destroyKey(tx, actor.id, services.clock.now()));
    const { ready } = await getPayouts(db, services, admin);
    expect(ready.map((payment) => payment.id)).not.toContain(id);
    await expect(make(id)).rejects.toMatchObject({ code: 'data_destroyed' });
  });

  it('is not asked for once the company verifies accounts otherwise', async () => {
    const { id } = await add();
    await withProof('none', async () => {
      expect((await mine(id)).prenote).toBeNull();
      expect((await getPayouts(db, services, admin)).ready).toEqual([]);
      await expect(make(id)).rejects.toThrow(/The company asks for no prenotes/);
      await verify(id);
    });
  });
});

describe('the answer to a prenote', () => {
  it('rejects the account, whose owner reads why and can enter it again', async () => {
    const one = await sent();
    const [entry] = await answered(one, 'R03');
    expect(entry).toMatchObject({
      status: 'booked',
      isMarked: true,
      amount: { minor: '0' },
      payment: { kind: 'prenote', id: one.id, wallet: null },
    });
    expect(await rejected(one.id)).toBe(
      'R03: No account or unable to locate. Check the account and enter it again.',
    );
    expect(await noticesTo(owner)).toContainEqual(
      expect.stringMatching(/was not verified\. Reason: R03: No account/),
    );
    const change = bankDetails({ accountNumber: '900018' });
    await withTx(db, (tx) => updateBankAccount(tx, services, owner, { id: one.id, change }));
    services.clock.set(OVER);
    await expect(verify(one.id)).rejects.toThrow(/It is not in a payout file yet/);
    const again = await make(one.id);
    await steps.doAct('cancel', again.id);
  });

  it('that comes late takes the verification back', async () => {
    const one = await sent();
    services.clock.set(OVER);
    await verify(one.id);
    await answered(one, 'R04');
    expect(await mine(one.id)).toMatchObject({ status: 'rejected', isPrimary: false });
  });

  it('that is about the file leaves the account waiting for another prenote', async () => {
    const one = await sent();
    const [entry] = await answered(one, 'R26');
    expect(entry).toMatchObject({ status: 'booked', isMarked: false });
    services.clock.set(OVER);
    await expect(verify(one.id)).rejects.toThrow(/It is not in a payout file yet/);
    await steps.doAct('cancel', (await make(one.id)).id);
  });

  it('by which the bank asks for other details rejects the account and keeps none of them', async () => {
    const one = await sent();
    const [entry] = await answered(one, 'C01', { corrected: '4400918' });
    expect(entry).toMatchObject({ status: 'booked', kind: 'change', change: null });
    expect(await rejected(one.id)).toBe(
      'C01: the bank has other details (account number). Check the account and enter it again.',
    );
  });

  it('is booked once, also where it comes as another code', async () => {
    const one = await sent();
    const entries = await steps.book([
      { code: 'R03', trace: one.trace, reference: one.reference },
      { code: 'R04', trace: one.trace, reference: one.reference },
    ]);
    expect(entries.map(({ status }) => status)).toEqual(['booked', 'repeated']);
    const [again] = await answered(one, 'R02');
    expect(again).toMatchObject({ status: 'repeated', cause: 'returned' });
  });

  it('with an amount, or before the file was sent, is unknown and changes nothing', async () => {
    const one = await sent();
    const [paid] = await answered(one, 'R03', { amountMinor: 1n });
    expect(paid).toMatchObject({ status: 'unknown', cause: 'amount' });
    const { id } = await add();
    const file = await make(id);
    const { traceNumber: trace, reference } = await entryOf(file);
    const [early] = await answered({ id, file, trace, reference }, 'R03');
    expect(early).toMatchObject({ status: 'unknown', cause: 'not_sent' });
    expect([(await mine(one.id)).status, (await mine(id)).status]).toEqual(['pending', 'pending']);
    await steps.doAct('cancel', file.id);
  });

  it('about an own account is booked by another administrator', async () => {
    owner = await createPersonBy(db, { role: 'admin' });
    const one = await sent();
    const entry = { code: 'R03', trace: one.trace, reference: one.reference };
    await expect(steps.book([entry], owner)).rejects.toMatchObject({ code: 'own_request' });
    await steps.book([entry]);
    expect((await mine(one.id)).status).toBe('rejected');
  });
});

/** Does something while the company verifies bank accounts otherwise. */
async function withProof<T>(bankAccountProof: 'none', run: () => Promise<T>): Promise<T> {
  const set = (value: 'none' | 'prenote') =>
    withTx(db, (tx) => updateSettings(tx, services, admin, { bankAccountProof: value }));
  await set(bankAccountProof);
  try {
    return await run();
  } finally {
    await set('prenote');
  }
}
