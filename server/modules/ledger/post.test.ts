import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import {
  dumpLedger,
  fundingAccount,
  openLedgerFixture,
  openWallet,
  type LedgerFixture,
} from '#test/ledger-fixture.ts';
import { transfer } from '#test/ledger-postings.ts';
import {
  accountBalances,
  balanceAt,
  captureHold,
  ensureSystemAccount,
  LedgerError,
  monthlyTotals,
  openAccount,
  placeHold,
  post,
  releaseHold,
  reverseAll,
  setTimeZone,
  verifyLedger,
} from './index.ts';
import { postBatch } from './post.ts';

let fixture: LedgerFixture;
let funding: string;

beforeAll(async () => {
  fixture = await openLedgerFixture();
  funding = await fundingAccount(fixture.db);
});
afterAll(() => fixture.close());

const balanceOf = async (id: string) => (await accountBalances(fixture.db, [id])).get(id);

async function refusal(
  work: Promise<unknown>,
): Promise<{ code: string; about: string | undefined }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LedgerError))
    throw new Error(`not refused by the ledger: ${String(error)}`);
  return { code: error.code, about: error.about };
}

describe('posting', () => {
  test('moves money between accounts and reports the time', async () => {
    const wallet = await openWallet(fixture.db);
    const posting = transfer(funding, wallet, 2500n);
    const [posted] = await withTx(fixture.db, (tx) => post(tx, [posting]));
    expect(posted).toMatchObject({ id: posting.id, reference: posting.reference });
    expect(posted?.effectiveAt).toEqual(posted?.recordedAt);
    expect(await balanceOf(wallet)).toEqual({
      postedMinor: 2500n,
      heldMinor: 0n,
      availableMinor: 2500n,
    });
  });

  test('posts nothing for an empty batch', async () => {
    expect(await withTx(fixture.db, (tx) => post(tx, []))).toEqual([]);
  });

  test('numbers the entries of an account that appears many times in a batch', async () => {
    const [a, b] = [await openWallet(fixture.db), await openWallet(fixture.db)];
    const batch = [
      transfer(funding, a, 100n),
      transfer(a, b, 30n),
      transfer(funding, a, 5n),
      transfer(a, b, 75n),
    ];
    await withTx(fixture.db, (tx) => post(tx, batch));
    const { rows } = await fixture.owner.query(
      `SELECT transaction_id, account_version, balance_after FROM ledger_entry
        WHERE account_id = $1 ORDER BY account_version`,
      [a],
    );
    expect(rows).toEqual(
      [100n, 70n, 75n, 0n].map((balance, index) => ({
        transaction_id: batch[index]?.id,
        account_version: BigInt(index + 1),
        balance_after: balance,
      })),
    );
  });

  test('refuses a batch in which an account has too little money at its turn', async () => {
    const [a, b] = [await openWallet(fixture.db), await openWallet(fixture.db)];
    const batch = [transfer(a, b, 100n), transfer(funding, a, 100n)];
    expect(await refusal(withTx(fixture.db, (tx) => post(tx, batch)))).toEqual({
      code: 'insufficient_funds',
      about: a,
    });
    await withTx(fixture.db, (tx) => post(tx, batch.toReversed()));
    expect((await balanceOf(b))?.postedMinor).toBe(100n);
  });

  test('refuses each malformed batch with its own code', async () => {
    const wallet = await openWallet(fixture.db, 100n);
    const euros = await withTx(fixture.db, (tx) => ensureSystemAccount(tx, 'fees', 'EUR'));
    const attempt = async (posting: Parameters<typeof post>[1][number]) =>
      (await refusal(withTx(fixture.db, (tx) => post(tx, [posting])))).code;
    const good = transfer(funding, wallet, 1n);
    const missing = newId();

    expect(await attempt({ ...good, entries: [] })).toBe('invalid_posting');
    expect(await attempt({ ...good, entries: good.entries.slice(1) })).toBe('unbalanced');
    expect(await attempt(transfer(funding, wallet, 0n))).toBe('invalid_posting');
    expect(await attempt(transfer(funding, missing, 1n))).toBe('unknown_account');
    expect(await attempt(transfer(euros, wallet, 1n))).toBe('currency_mismatch');
    expect(await attempt(transfer(wallet, wallet, 1n))).toBe('invalid_posting');
    const [half, other] = [transfer(funding, wallet, 2n), transfer(wallet, funding, 1n)];
    expect(await attempt({ ...half, entries: [...half.entries, ...other.entries] })).toBe(
      'invalid_posting',
    );
    expect(await attempt(transfer(funding, wallet, 2n ** 63n))).toBe('amount_out_of_range');
    expect(await attempt(transfer(funding, wallet, 2n ** 63n - 1n))).toBe('amount_out_of_range');
    expect(await attempt({ ...good, kind: 'Not A Kind' })).toBe('invalid_posting');
    expect(await attempt({ ...good, reference: 'two words' })).toBe('invalid_posting');
  });

  test('accepts transactions of several currencies in a batch, each in one currency', async () => {
    const wallet = await openWallet(fixture.db);
    const [fees, euros] = await withTx(fixture.db, async (tx) => [
      await ensureSystemAccount(tx, 'fees', 'EUR'),
      await openAccount(tx, { kind: 'salary', ownerId: newId(), currency: 'EUR' }),
    ]);
    const batch = [transfer(funding, wallet, 1n), transfer(fees, euros, 2n)];
    await withTx(fixture.db, (tx) => post(tx, batch));
    expect((await balanceOf(euros))?.postedMinor).toBe(2n);
  });

  test('stores text unchanged, whatever characters it has', async () => {
    const wallet = await openWallet(fixture.db);
    const descriptions = ['', 'NULL', 'null', '{a,"b"}', String.raw`\ "\" '`, 'zwei\nZeilen ✓'];
    const metadata = { note: String.raw`"{,}\"`, isLate: true, parts: null };
    const batch = descriptions.map((description) => ({
      ...transfer(funding, wallet, 1n),
      description,
      metadata,
    }));
    await withTx(fixture.db, (tx) => post(tx, batch));
    const { rows } = await fixture.owner.query(
      'SELECT description, metadata FROM ledger_transaction WHERE id = ANY ($1) ORDER BY array_position($1, id)',
      [batch.map(({ id }) => id)],
    );
    expect(rows).toEqual(descriptions.map((description) => ({ description, metadata })));
  });

  test('accepts a reference only once', async () => {
    const wallet = await openWallet(fixture.db);
    const first = transfer(funding, wallet, 10n);
    const second = { ...transfer(funding, wallet, 10n), reference: first.reference };
    await withTx(fixture.db, (tx) => post(tx, [first]));
    expect((await refusal(withTx(fixture.db, (tx) => post(tx, [second])))).code).toBe(
      'duplicate_reference',
    );
    expect((await balanceOf(wallet))?.postedMinor).toBe(10n);
  });
});

describe('an account that was changed past the ledger', () => {
  const stored = (id: string, assignments: string) =>
    fixture.tamper(`UPDATE ledger_account SET ${assignments} WHERE id = '${id}'`);

  test.each([
    ['whose stored balance was raised', 'posted = posted + 1000000'],
    ['whose number of entries was raised', 'version = version + 1'],
    ['whose number of entries was lowered', 'version = version - 1, posted = 100'],
  ])('%s pays nothing and promises nothing', async (_, assignments) => {
    const wallet = await openWallet(fixture.db, 100n);
    await withTx(fixture.db, (tx) => post(tx, [transfer(funding, wallet, 50n)]));
    const holdId = await withTx(fixture.db, (tx) =>
      placeHold(tx, { accountId: wallet, amountMinor: 10n, reference: `H-${newId()}` }),
    );
    await stored(wallet, assignments);
    const before = await dumpLedger(fixture.db);
    const attempts: ((tx: Tx) => Promise<unknown>)[] = [
      (tx) => post(tx, [transfer(wallet, funding, 20n)]),
      (tx) => post(tx, [transfer(funding, wallet, 20n)]),
      (tx) => captureHold(tx, holdId, transfer(wallet, funding, 10n)),
    ];
    if (!assignments.includes('- 1')) {
      attempts.push((tx) =>
        placeHold(tx, { accountId: wallet, amountMinor: 20n, reference: `H-${newId()}` }),
      );
    }
    for (const attempt of attempts) {
      // oxlint-disable-next-line no-await-in-loop -- one after another, on one account
      expect((await refusal(withTx(fixture.db, attempt))).code).toBe('balance_differs');
    }
    expect(await dumpLedger(fixture.db)).toBe(before);
    await stored(wallet, 'posted = 150, version = 2');
  });

  test('pays nothing of a stored balance without entries', async () => {
    const wallet = await openWallet(fixture.db);
    await stored(wallet, 'posted = 1000000');
    const paying = withTx(fixture.db, (tx) => post(tx, [transfer(wallet, funding, 900_000n)]));
    expect(await refusal(paying)).toEqual({ code: 'balance_differs', about: wallet });
    await stored(wallet, 'posted = 0');
  });
});

describe('time', () => {
  test("is the caller's, but never earlier than the account's newest entry nor later than now", async () => {
    const wallet = await openWallet(fixture.db);
    const bank = await withTx(fixture.db, (tx) => ensureSystemAccount(tx, 'bank', 'USD'));
    const march = new Date('2025-03-05T12:00:00.123Z');
    const april = new Date('2025-04-05T12:00:00.000Z');
    const postAt = async (effectiveAt: Date) =>
      (
        await withTx(fixture.db, (tx) => post(tx, [transfer(bank, wallet, 10n)], { effectiveAt }))
      )[0];

    expect((await postAt(march))?.effectiveAt).toEqual(march);
    expect((await postAt(april))?.effectiveAt).toEqual(april);
    expect((await postAt(march))?.effectiveAt).toEqual(april);
    const future = await postAt(new Date(Date.now() + 86_400_000));
    expect(future?.effectiveAt).toEqual(future?.recordedAt);

    expect(await balanceAt(fixture.db, wallet, new Date(march.getTime() - 1))).toBe(0n);
    expect(await balanceAt(fixture.db, wallet, march)).toBe(10n);
    expect(await balanceAt(fixture.db, wallet, april)).toBe(30n);
    expect(await balanceAt(fixture.db, wallet, new Date())).toBe(40n);
  });

  test('is finite: refuses a time that could not be sealed', async () => {
    const wallet = await openWallet(fixture.db);
    // Both accounts are new, because an earlier entry would move this one's time forward.
    const bank = await withTx(fixture.db, (tx) => ensureSystemAccount(tx, 'infinite', 'USD'));
    const id = newId();
    const posting = sql`
      SELECT ledger_post(
        ARRAY[${id}]::uuid[], '{transfer}', ARRAY[${`T-${id}`}], '{A transfer}', '{NULL}', '{NULL}',
        ARRAY['{}']::jsonb[], '{NULL}', '{NULL}', '-infinity',
        ARRAY[${id}, ${id}]::uuid[], ARRAY[${bank}, ${wallet}]::uuid[], '{-1,1}')`;
    await expect(posting.execute(fixture.db)).rejects.toMatchObject({
      constraint: 'ledger_transaction_finite_times',
    });
  });

  test('totals months in the configured time zone, before and after a change of it', async () => {
    const wallet = await openWallet(fixture.db);
    const bank = await withTx(fixture.db, (tx) => ensureSystemAccount(tx, 'zoned', 'USD'));
    const newYearInLondon = new Date('2025-01-01T02:00:00Z');
    const pay = (amount: bigint) =>
      withTx(fixture.db, (tx) =>
        post(tx, [transfer(bank, wallet, amount, 'payroll')], { effectiveAt: newYearInLondon }),
      );
    const months = async () =>
      (
        await monthlyTotals(fixture.db, {
          accountIds: [wallet],
          fromMonth: '2024-12-01',
          toMonth: '2025-01-01',
          kinds: ['payroll'],
        })
      ).map(({ month, creditMinor, count }) => ({ month, creditMinor, count }));

    await withTx(fixture.db, (tx) => setTimeZone(tx, 'Europe/London'));
    await pay(1n);
    expect(await months()).toEqual([{ month: '2025-01-01', creditMinor: 1n, count: 1n }]);
    await withTx(fixture.db, (tx) => setTimeZone(tx, 'America/New_York'));
    await pay(2n);
    expect(await months()).toEqual([{ month: '2024-12-01', creditMinor: 3n, count: 2n }]);
    await expect(withTx(fixture.db, (tx) => setTimeZone(tx, 'Mars/Base'))).rejects.toThrow('zone');
  });
});

describe('holds', () => {
  test('set money aside, and release it once', async () => {
    const wallet = await openWallet(fixture.db, 100n);
    const hold = (amountMinor: bigint) =>
      withTx(fixture.db, (tx) =>
        placeHold(tx, { accountId: wallet, amountMinor, reference: `H-${newId()}` }),
      );
    const id = await hold(80n);
    expect(await balanceOf(wallet)).toEqual({
      postedMinor: 100n,
      heldMinor: 80n,
      availableMinor: 20n,
    });
    expect(await refusal(hold(21n))).toEqual({ code: 'insufficient_funds', about: wallet });
    expect((await refusal(hold(0n))).code).toBe('invalid_posting');
    expect((await refusal(hold(-5n))).code).toBe('invalid_posting');
    const spend = withTx(fixture.db, (tx) => post(tx, [transfer(wallet, funding, 21n)]));
    expect((await refusal(spend)).code).toBe('insufficient_funds');

    await withTx(fixture.db, (tx) => releaseHold(tx, id));
    const again = withTx(fixture.db, (tx) => releaseHold(tx, id));
    expect(await refusal(again)).toEqual({ code: 'hold_not_held', about: id });
    expect((await balanceOf(wallet))?.availableMinor).toBe(100n);
  });

  test('are captured once, by a transaction of their own account', async () => {
    const [wallet, other] = [
      await openWallet(fixture.db, 300n),
      await openWallet(fixture.db, 100n),
    ];
    const id = await withTx(fixture.db, (tx) =>
      placeHold(tx, { accountId: wallet, amountMinor: 100n, reference: `H-${newId()}` }),
    );
    const capture = (from: string) =>
      withTx(fixture.db, (tx) => captureHold(tx, id, transfer(from, funding, 100n)));
    expect(await refusal(capture(other))).toEqual({ code: 'invalid_capture', about: id });
    await capture(wallet);
    expect(await balanceOf(wallet)).toEqual({
      postedMinor: 200n,
      heldMinor: 0n,
      availableMinor: 200n,
    });
    expect(await refusal(capture(wallet))).toEqual({ code: 'hold_not_held', about: id });
    const release = withTx(fixture.db, (tx) => releaseHold(tx, id));
    expect(await refusal(release)).toEqual({ code: 'hold_not_held', about: id });
  });

  test.each([
    ['more', [-101n]],
    ['less', [-99n]],
    ['money that comes in', [100n]],
    ['two entries', [-60n, -40n]],
    ['its amount and something back', [-100n, 1n]],
  ])('are not captured for %s', async (_what, amounts) => {
    const wallet = await openWallet(fixture.db, 500n);
    const holdId = await withTx(fixture.db, (tx) =>
      placeHold(tx, { accountId: wallet, amountMinor: 100n, reference: `H-${newId()}` }),
    );
    const paid = amounts.reduce((sum, amountMinor) => sum + amountMinor, 0n);
    const posting = {
      ...transfer(wallet, funding, 1n),
      entries: [
        ...amounts.map((amountMinor) => ({ accountId: wallet, amountMinor })),
        { accountId: funding, amountMinor: -paid },
      ],
    };
    const before = await balanceOf(wallet);
    const capture = withTx(fixture.db, (tx) => captureHold(tx, holdId, posting));
    // An account on both sides is refused for that.
    const expected = amounts.includes(1n)
      ? { code: 'invalid_posting', about: wallet }
      : { code: 'invalid_capture', about: holdId };
    expect(await refusal(capture)).toEqual(expected);
    expect(await balanceOf(wallet)).toEqual(before);
  });
});

describe('reversal', () => {
  const undo = (transactionId: string) =>
    withTx(fixture.db, (tx) =>
      reverseAll(tx, [
        {
          transactionId,
          reference: `R-${newId()}`,
          description: 'Paid by mistake',
          actorId: null,
        },
      ]),
    );

  test('mirrors a transaction, once', async () => {
    const wallet = await openWallet(fixture.db);
    const posting = transfer(funding, wallet, 70n);
    await withTx(fixture.db, (tx) => post(tx, [posting]));
    await undo(posting.id);
    expect((await balanceOf(wallet))?.postedMinor).toBe(0n);
    expect((await refusal(undo(posting.id))).code).toBe('already_reversed');
  });

  test('is refused when the money is spent, and for an unknown transaction', async () => {
    const wallet = await openWallet(fixture.db);
    const posting = transfer(funding, wallet, 70n);
    await withTx(fixture.db, (tx) => post(tx, [posting, transfer(wallet, funding, 1n)]));
    expect(await refusal(undo(posting.id))).toEqual({ code: 'insufficient_funds', about: wallet });
    expect((await refusal(undo(newId()))).code).toBe('unknown_transaction');
  });

  test('names the exact transaction that it mirrors', async () => {
    const wallet = await openWallet(fixture.db);
    const posting = transfer(funding, wallet, 70n);
    await withTx(fixture.db, (tx) => post(tx, [posting]));
    const half = { ...transfer(wallet, funding, 35n), reversesId: posting.id };
    const attempt = withTx(fixture.db, (tx) => postBatch(tx, [half], {}));
    expect(await refusal(attempt)).toEqual({ code: 'invalid_reversal', about: half.id });
  });
});

test('verifies as sound after all these postings', async () => {
  expect((await verifyLedger(fixture.db)).problems).toEqual([]);
});
