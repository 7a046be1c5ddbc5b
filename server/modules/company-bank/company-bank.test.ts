import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { withTx } from '#server/db/tx.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { depositActs } from '#server/modules/deposits/index.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import type { OpenedWallet } from '#server/modules/wallets/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createAdmin, createPersonBy } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { BANK_DAY, BankDesk, depositInto, expectSum } from '#test/bank-desk.ts';
import type { BankLine } from '#test/bank-desk.ts';

let app: TestApp;
let admin: TestPerson;
let cookie: string;
let owner: CommandContext;
let wallet: OpenedWallet;
let desk: BankDesk;
const deposit = (minor: bigint, isApproved: boolean) =>
  depositInto(app, { owner, wallet, admin }, { minor, isApproved });

beforeAll(async () => {
  app = await openTestApp();
  admin = await createAdmin(app.db, app.services, { firstName: 'Renee' });
  cookie = await app.cookieOf(admin);
  desk = new BankDesk(app, cookie);
  await offerDeposits(app.db, app.services);
  owner = await createPersonBy(app.db, { firstName: 'Keiko', lastName: 'Tanabe' });
  wallet = await fundedWallet(app.db, app.services, owner, 100_000n, 'savings');
});
afterAll(() => app.close());

const own = (kind: string, minor: bigint) => ({ kind, itemId: null, minor: String(minor) });

describe('the company’s own money', () => {
  it('is not known before the first statement', async () => {
    expect(await desk.bank()).toMatchObject({
      accounts: [],
      position: {
        atBank: null,
        onItsWay: null,
        difference: null,
        owed: { amount: money(100_000n, 'USD') },
      },
    });
  });

  it('is on accounts whose numbers rest encrypted, each once', async () => {
    const account = {
      bankName: 'Northgate',
      label: 'Employee funds',
      number: 'de89 3704 0044 0532 0130 00',
    };
    const added = await desk.send<{ id: string }>('POST', '/accounts', account);
    expect(added).toMatchObject({ last4: '3000', routingNumber: null, closing: null });
    desk.accountId = added.id;
    expect(await desk.send('POST', '/accounts', account)).toMatchObject({
      code: 'company_account_exists',
    });
    const wrong = { ...account, number: 'DE89370400440532013001' };
    expect(await desk.send('POST', '/accounts', wrong)).toMatchObject({ code: 'invalid_request' });
    const american = { ...account, number: '4410' };
    expect(await desk.send('POST', '/accounts', american)).toMatchObject({
      code: 'invalid_request',
    });
    const { rows } = await sql<{
      row: string;
    }>`SELECT to_jsonb(a)::text AS row FROM company_bank_account AS a`.execute(app.db);
    expect(rows[0]?.row).not.toContain('0532013000');
  });

  it('begins with the first statement, and names the difference of its opening balance', async () => {
    desk.closing = 5_000n;
    const { reference } = await deposit(45_000n, true);
    const pending = await deposit(5_000n, false);
    const loaded = await desk.book([
      [`ACH CREDIT ${reference}`, 45_000n],
      [`ACH CREDIT ${pending.reference.replace('-', ' ')}`, 5_000n],
      ['WIRE IN OPERATING', 100_000n],
      ['INTEREST PAID', 1_284n],
    ]);
    expect(loaded).toMatchObject({ lines: 4, known: 0, matched: 2 });
    const position = await expectSum(desk, 5_000n + 100_000n + 1_284n);
    expect(position.openLines).toBe(3);
    expect(position.onItsWay?.groups).toMatchObject([
      { group: 'payroll', amount: money(100_000n, 'USD'), count: 1 },
      { group: 'depositsWaiting', amount: money(-5_000n, 'USD'), names: [pending.reference] },
    ]);
    const all = await desk.lines(`?statementId=${(await desk.bank()).statements[0]?.id}`);
    expect(all.filter(({ matched }) => matched !== null)).toMatchObject([
      { matched: { reason: 'reference', by: null }, matchedWith: [{ name: pending.reference }] },
      {
        matched: { reason: 'reference', by: null },
        matchedWith: [{ name: reference, person: 'Keiko Tanabe' }],
      },
    ]);
    // Approving it is another act. What waited is then what is owed.
    await withTx(app.db, (tx) =>
      depositActs.approve(tx, app.services, admin.by, { id: pending.id }),
    );
    const after = await expectSum(desk, 106_284n);
    expect(after.onItsWay?.groups.map(({ group }) => group)).toEqual(['payroll']);
  });

  it('suggests the one item of an amount, and takes it with one step back', async () => {
    const wire = await desk.open('WIRE IN OPERATING');
    expect(wire).toMatchObject({
      status: 'suggested',
      suggestion: { item: { kind: 'payroll' }, ruleId: null },
    });
    const { kind, itemId } = wire.suggestion?.item ?? {};
    const whole = [{ kind, itemId, minor: '100000' }];
    const taken = await desk.match(wire, whole, { isSuggestion: true });
    expect(taken).toMatchObject({ status: 'matched', matched: { reason: 'suggestion' } });
    expect(await desk.match(wire, whole)).toMatchObject({ code: 'bank_line_matched' });
    await expectSum(desk, 6_284n);
    expect(await desk.send('POST', `/lines/${wire.id}/unmatch`)).toMatchObject({
      status: 'suggested',
    });
    expect(await desk.send('POST', `/lines/${wire.id}/unmatch`)).toMatchObject({
      code: 'bank_line_unmatched',
    });
    await expectSum(desk, 106_284n);
    await desk.match(wire, whole, { isSuggestion: true });
    const { rows } = await sql<{ action: string }>`
      SELECT action FROM audit_event WHERE subject_id = ${wire.id} ORDER BY id`.execute(app.db);
    expect(rows.map(({ action }) => action)).toEqual([
      'bank_line.matched',
      'bank_line.unmatched',
      'bank_line.matched',
    ]);
  });

  it('proposes by rules, which match nothing themselves', async () => {
    const rule = await desk.send<{ id: string }>('POST', '/rules', {
      text: 'interest',
      direction: 'in',
      most: money(5_000n, 'USD'),
      kind: 'interest',
    });
    const line = await desk.open('INTEREST PAID');
    expect(line).toMatchObject({
      status: 'suggested',
      suggestion: { ruleId: rule.id, why: 'Rule “interest”' },
    });
    expect(await desk.match(line, [own('interest', 1_284n)], { ruleId: rule.id })).toMatchObject({
      matched: { reason: 'rule' },
      matchedWith: [{ name: 'Bank interest' }],
    });
    const opening = await desk.open('Opening balance less what was owed then');
    expect(await desk.match(opening, [own('own', 5_000n)])).toMatchObject({ status: 'matched' });
    const { onItsWay, difference } = await expectSum(desk, 0n);
    expect(difference).toEqual(money(0n, 'USD'));
    expect(onItsWay?.groups).toMatchObject([{ group: 'own', amount: money(-6_284n, 'USD') }]);
    expect((await desk.bank()).rules).toMatchObject([{ id: rule.id, taken: 1 }]);
    expect(await desk.send('DELETE', `/rules/${rule.id}`)).toEqual({ ok: true });
    expect(await desk.send('DELETE', `/rules/${rule.id}`)).toMatchObject({
      code: 'bank_rule_not_found',
    });
  });

  it('is matched with several items to the cent, each no further than it is open', async () => {
    const [first, second] = [await deposit(2_000n, true), await deposit(3_000n, true)];
    await desk.book([['LOCKBOX 2 ITEMS', 5_001n]]);
    const line = await desk.open('LOCKBOX 2 ITEMS');
    const items = (extra: bigint) => [
      { kind: 'deposit', itemId: first.id, minor: '2000' },
      { kind: 'deposit', itemId: second.id, minor: String(3_000n + extra) },
      own('own', 1n),
    ];
    expect(await desk.match(line, items(0n).slice(0, 2))).toMatchObject({ code: 'bank_items_sum' });
    expect(await desk.match(line, [...items(1n), own('fee', -1n)])).toMatchObject({
      code: 'bank_item_taken',
    });
    const stranger = { kind: 'withdrawal', itemId: first.id, minor: '5001' };
    expect(await desk.match(line, [stranger])).toMatchObject({ code: 'bank_item_not_found' });
    expect(await desk.match(line, items(0n))).toMatchObject({ status: 'matched' });
    await desk.book([['SECOND OF THEM', 3_000n]]);
    const again = await desk.open('SECOND OF THEM');
    const twice = [{ kind: 'deposit', itemId: second.id, minor: '3000' }];
    expect(await desk.match(again, twice)).toMatchObject({ code: 'bank_item_taken' });
    const { candidates: found } = await desk.send<{ candidates: BankLine['matchedWith'] }>(
      'GET',
      `/lines/${again.id}/items?search=tanabe`,
    );
    expect(found).toEqual([]);
  });

  it('says of a deposit whether it is on a statement, and warns of approved ones that are not', async () => {
    const read = async (id: string) => {
      const reply = await app.ask('GET', `/api/admin/deposits/${id}`, { cookie });
      return (await reply.json()) as RouteReply<'adminGetDeposit'>;
    };
    const risks = async () => {
      const reply = await app.ask('GET', '/api/admin/risks', { cookie });
      const { items } = (await reply.json()) as RouteReply<'adminListRisks'>;
      return items.find(({ kind }) => kind === 'depositsNotAtBank')?.count ?? 0;
    };
    expect(await risks()).toBe(0);
    const missing = await deposit(7_700n, true);
    expect(await read(missing.id)).toMatchObject({ atBankOn: null, isBankKnown: true });
    expect(await risks()).toBe(1);
    await desk.book([[`ACH CREDIT ${missing.reference}`, 7_700n]]);
    expect(await read(missing.id)).toMatchObject({ atBankOn: BANK_DAY });
    expect(await risks()).toBe(0);
  });

  it('has no suggestion where two items have its amount', async () => {
    const pair = [await deposit(60_000n, true), await deposit(60_000n, true)];
    await desk.book([['REMOTE DEPOSIT', 60_000n]]);
    const line = await desk.open('REMOTE DEPOSIT');
    expect(line).toMatchObject({ status: 'unmatched', suggestion: null });
    const { candidates: found } = await desk.send<{ candidates: BankLine['matchedWith'] }>(
      'GET',
      `/lines/${line.id}/items`,
    );
    expect(found.map(({ itemId }) => itemId ?? '').toSorted()).toEqual(
      pair.map(({ id }) => id).toSorted(),
    );
  });

  it('finds an open item behind any number of newer ones that lines have', async () => {
    const old = await deposit(91_001n, true);
    const newer = [];
    for (let at = 0; at < 51; at += 1) newer.push(await deposit(100n, true));
    await desk.book(newer.map(({ reference }) => [`ACH CREDIT ${reference}`, 100n] as const));
    await desk.book([['COUNTER CREDIT', 91_002n]]);
    const line = await desk.open('COUNTER CREDIT');
    const found = await desk.candidates(line, 'tanabe');
    expect(found.map(({ itemId }) => itemId)).toContain(old.id);
    await desk.match(line, [own('own', 91_002n)]);
  });

  it('cannot be matched past its amount in the database, whoever writes', async () => {
    const line = await desk.open('REMOTE DEPOSIT');
    const forged = sql`INSERT INTO bank_match (id, line_id, kind, amount_minor, made_at)
      VALUES (gen_random_uuid(), ${line.id}, 'own', 1, now())`.execute(app.db);
    await expect(forged).rejects.toMatchObject({ code: '23514' });
  });

  it('is verified, and changes past the commands are found', async () => {
    const found = async (tamper: (tx: Tx) => Promise<unknown>) => {
      const names: string[] = [];
      await withTx(app.db, async (tx) => {
        await tamper(tx);
        const problems = await runChecks(tx, checks);
        names.push(...problems.map((problem) => problem.check));
        throw new Error('undone');
      }).catch((error: unknown) => {
        if (!(error instanceof Error) || error.message !== 'undone') throw error;
      });
      return [...new Set(names)].toSorted((a, b) => (a < b ? -1 : 1));
    };
    const checks = businessChecks.filter(({ name }) => name.startsWith('bank-'));
    expect(await found(() => Promise.resolve())).toEqual([]);
    const matched = (
      await desk.lines(`?statementId=${(await desk.bank()).statements.at(-1)?.id}`)
    ).find(({ matched: by }) => by?.by !== null && by !== null);
    const line = matched?.id ?? '';
    const run = (text: string) => (tx: Tx) => sql.raw(text).execute(tx);
    expect(await found(run(`UPDATE bank_line SET matched_by = NULL WHERE id = '${line}'`))).toEqual(
      ['bank-line-record'],
    );
    expect(
      await found(run(`UPDATE bank_match SET undone_at = now() WHERE line_id = '${line}'`)),
    ).toEqual(['bank-line', 'bank-line-record']);
    const { rows } = await sql<{
      id: string;
    }>`SELECT item_id AS id FROM bank_match WHERE kind = 'deposit' LIMIT 1`.execute(app.db);
    const twice = `INSERT INTO bank_match (id, line_id, kind, item_id, amount_minor, made_at)
      SELECT gen_random_uuid(), line_id, kind, item_id, amount_minor, now() FROM bank_match WHERE item_id = '${rows[0]?.id}'`;
    expect(await found(run(twice))).toEqual(['bank-item', 'bank-line', 'bank-line-record']);
    const forged = `INSERT INTO bank_statement
      SELECT gen_random_uuid(), account_id, number + 1, format, file_name, file_hash, from_day, to_day, closing_minor,
             closing_minor + 1, 0, 0, imported_by, imported_at FROM bank_statement ORDER BY number DESC LIMIT 1`;
    expect(await found(run(forged))).toEqual(['bank-statement']);
  });
});
