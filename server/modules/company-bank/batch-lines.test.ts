import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimalAmount, money } from '#contract/money.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { businessChecks, runChecks } from '#server/modules/verification/index.ts';
import type { OpenedWallet } from '#server/modules/wallets/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { createAdmin, createPersonBy } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { BANK_DAY, BankDesk, depositInto } from '#test/bank-desk.ts';
import { camt053 } from '#test/statement-files.ts';
import { liftGuards, openOwner, undone } from '#test/unguarded.ts';

const IBAN = 'DE89370400440532013000';

let app: TestApp;
let admin: TestPerson;
let owner: CommandContext;
let wallet: OpenedWallet;
let desk: BankDesk;
const deposit = (minor: bigint) =>
  depositInto(app, { owner, wallet, admin }, { minor, isApproved: true });

beforeAll(async () => {
  app = await openTestApp();
  admin = await createAdmin(app.db, app.services, { firstName: 'Renee' });
  desk = new BankDesk(app, await app.cookieOf(admin));
  await offerDeposits(app.db, app.services);
  owner = await createPersonBy(app.db, { firstName: 'Keiko', lastName: 'Tanabe' });
  wallet = await fundedWallet(app.db, app.services, owner, 0n, 'savings');
  await desk.addAccount(IBAN);
  await desk.book([['WIRE IN', 10_000n]]);
});
afterAll(() => app.close());

const own = (kind: string, minor: bigint) => ({ kind, itemId: null, minor: String(minor) });

describe('a batch that the bank books as one line', () => {
  type Part = readonly [reference: string, minor: bigint];
  const absolute = (minor: bigint) => decimalAmount(minor < 0n ? -minor : minor);
  const amountOf = (minor: bigint) =>
    `<Amt Ccy="USD">${absolute(minor)}</Amt><CdtDbtInd>${minor < 0n ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;
  const entry = (reference: string, minor: bigint, parts: readonly Part[], more = '') =>
    `<Ntry>${amountOf(minor)}${more}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${BANK_DAY}</Dt></BookgDt>
      <AcctSvcrRef>${reference}</AcctSvcrRef><NtryDtls><Btch><NbOfTxs>${parts.length}</NbOfTxs></Btch>${parts
        .map(
          ([endToEnd, each]) =>
            `<TxDtls><Refs><EndToEndId>${endToEnd}</EndToEndId></Refs>${amountOf(each)}</TxDtls>`,
        )
        .join('')}</NtryDtls><AddtlNtryInf>BATCH ${reference}</AddtlNtryInf></Ntry>`;

  it('is matched with each of its payments where all are known, and shows them otherwise', async () => {
    const [first, second, third] = [
      await deposit(4_100n),
      await deposit(4_200n),
      await deposit(4_300n),
    ];
    const statement = (minor: bigint, entries: readonly string[]) => {
      const line = {
        day: BANK_DAY,
        amountMinor: minor,
        reference: 'X',
        endToEnd: 'X',
        trace: 'X',
        text: 'X',
        counterparty: 'X',
      };
      const openingMinor = desk.closing;
      return camt053(8, { iban: IBAN, currency: 'USD', openingMinor, lines: [line] })
        .replace(/<Ntry>[\s\S]*<\/Ntry>/, entries.join(''))
        .replaceAll(/20(?:20-01-01|39-12-31)/g, BANK_DAY);
    };
    const all = [
      [first.reference, 4_100n],
      [second.reference, 4_200n],
    ] as const;
    const some = [
      [third.reference, 4_300n],
      ['UNKNOWN', 700n],
    ] as const;
    const unequal = statement(8_301n, [entry('B0', 8_301n, all)]);
    expect(await desk.check(unequal)).toMatchObject({ code: 'statement_unreadable' });
    const taken = all.map(([reference, minor]) => [reference, -minor] as const);
    const file = statement(8_300n + 5_000n - 8_300n, [
      entry('B1', 8_300n, all),
      entry('B2', 5_000n, some),
      entry('B3', -8_300n, taken, '<RvslInd>true</RvslInd>'),
    ]);
    expect(await desk.load(file)).toMatchObject({ lines: 3, matched: 1 });
    desk.closing += 5_000n;
    const { statements } = await desk.bank();
    const lines = await desk.lines(`?statementId=${statements[0]?.id}`);
    expect(lines.find(({ text }) => text === 'BATCH B1')).toMatchObject({
      matched: { reason: 'reference' },
      matchedWith: [{ name: first.reference }, { name: second.reference }],
    });
    const open = await desk.open('BATCH B2');
    expect(open).toMatchObject({
      matched: null,
      parts: [
        { references: [third.reference], amount: money(4_300n, 'USD') },
        { references: ['UNKNOWN'], amount: money(700n, 'USD') },
      ],
    });
    const item = { kind: 'deposit', itemId: third.id, minor: '4300' };
    expect(await desk.match(open, [item])).toMatchObject({ code: 'bank_items_sum' });
    expect(await desk.match(open, [item, own('own', 700n)])).toMatchObject({ status: 'matched' });
    const reversal = await desk.open('BATCH B3');
    expect(reversal).toMatchObject({ isReversal: true, suggestion: null });
    const checks = businessChecks.filter(({ name }) => name.startsWith('bank-'));
    const server = openOwner(app.ownerUrl);
    const found = (...tampering: string[]) =>
      undone(server.db, async (tx) => {
        await liftGuards(tx);
        for (const text of tampering) await sql.raw(text).execute(tx);
        return (await runChecks(tx, checks)).map(({ check }) => check);
      });
    expect(await found()).toEqual([]);
    const [former] = statements.slice(1);
    for (const text of [
      `DELETE FROM bank_line_part WHERE position = 2`,
      `UPDATE bank_line_part SET end_to_end_reference = 'FORGED' WHERE position = 1`,
      // Into a statement that had none.
      `INSERT INTO bank_line_part (line_id, position, amount_minor, text)
       SELECT id, 1, amount_minor, 'FORGED' FROM bank_line WHERE statement_id = '${former?.id}' LIMIT 1`,
    ]) {
      expect(new Set(await found(text)), text).toEqual(new Set(['bank-line-part']));
    }
    const forgedTotal = `UPDATE bank_open_total SET lines = lines + 1`;
    expect(new Set(await found(forgedTotal))).toEqual(new Set(['bank-open-total']));
    // One from before its record had a hash is compared with its line.
    const unrecorded = `UPDATE audit_event SET details = details - 'partsHash'`;
    expect(await found(unrecorded)).toEqual([]);
    for (const text of [
      `DELETE FROM bank_line_part WHERE position = 1`,
      `UPDATE bank_line_part SET amount_minor = -amount_minor`,
    ]) {
      expect(new Set(await found(unrecorded, text)), text).toEqual(new Set(['bank-line-part']));
    }
    await server.close();
  });
});
