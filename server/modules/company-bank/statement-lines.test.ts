import { describe, expect, it } from 'vitest';
import type { RouteReply } from '#contract/api.ts';
import { addDays } from '#contract/calendar.ts';
import { openTestApp } from '#test/app.ts';
import { BANK_DAY, BankDesk, csvStatement } from '#test/bank-desk.ts';
import { createAdmin } from '#test/factories/people.ts';

const IBAN = 'DE89370400440532013000';

describe('lines of statements', () => {
  it('are read a page at a time and searched by the server, in the statement of the last day first', async () => {
    const own = await openTestApp();
    try {
      const by = await createAdmin(own.db, own.services, { firstName: 'Renee' });
      const first = new BankDesk(own, await own.cookieOf(by));
      await first.addAccount(IBAN);
      await first.book([['WIRE IN', 45_000n]]);
      const second = new BankDesk(own, await own.cookieOf(by));
      await second.addAccount('NL26VAYB8060476890');
      const former = addDays(BANK_DAY, -3);
      const rows = Array.from(
        { length: 450 },
        (_, n) => [`LOCKBOX ITEM ${n}`, -BigInt(n + 1)] as const,
      );
      await second.load(csvStatement(0n, rows, former));
      const { statements, position } = await first.bank();
      expect(statements.map(({ to: day, open }) => [day, open])).toEqual([
        [BANK_DAY, 1],
        [former, 450],
      ]);
      expect(position.openLines).toBe(451);

      const id = statements[1]?.id ?? '';
      const find = (query: string) =>
        first.send<RouteReply<'adminListBankLines'>>('GET', `/lines?${query}`);
      const pages = [];
      for (const page of [1, 2, 3]) pages.push(await find(`statementId=${id}&page=${page}`));
      expect(pages.map(({ lines, total }) => [lines.length, total])).toEqual([
        [200, 450],
        [200, 450],
        [50, 450],
      ]);
      const texts = pages.flatMap(({ lines }) => lines.map(({ text }) => text));
      expect(texts).toEqual(rows.map(([text]) => text).toReversed());
      // Without a match first.
      const last = pages[2]?.lines.at(-1);
      await first.match({ id: pages[0]?.lines[0]?.id ?? '' }, [
        { kind: 'own', itemId: null, minor: '-450' },
      ]);
      expect((await find(`statementId=${id}&page=3`)).lines.at(-1)?.text).toBe(texts[0]);
      expect(last?.text).toBe('LOCKBOX ITEM 0');

      expect(await find(`statementId=${id}&search=item 44`)).toMatchObject({ total: 14 });
      for (const typed of ['4.30', '$4.30', '-4.30']) {
        expect(await find(`search=${typed}`)).toMatchObject({
          lines: [{ text: 'LOCKBOX ITEM 429' }],
        });
      }
      expect(await find('search=wire')).toMatchObject({ lines: [{ text: 'WIRE IN' }], total: 1 });
      expect(await find('page=3')).toMatchObject({ total: 450 });
    } finally {
      await own.close();
    }
  });
});
