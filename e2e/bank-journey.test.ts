import { readFile } from 'node:fs/promises';
import { JOURNAL_ACCOUNTS, monthName } from '#contract/closing.ts';
import { appCode } from '#scripts/app-code.ts';
import { verifyCommand } from '#server/programs/verify.ts';
import { csvStatement } from '#test/bank-desk.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import { camt053 } from '#test/statement-files.ts';
import { ask } from './support/api.ts';
import {
  DAYS,
  entriesOf,
  makeBankDesk,
  makePayouts,
  morningOf,
  sumOfColumn,
} from './support/bank-company.ts';
import { openCompany } from './support/company.ts';
import { signInAt, withShiftedServer } from './support/own-server.ts';
import { expect, test } from './support/test.ts';

const IBAN = 'NL26VAYB8060476890';
const PAID_IN = 960_000n;
const SENT = 310_000n;
const CAME_BACK = 48_000n;

test('five withdrawals and two bills leave by a file, the bank answers, and the month is closed', async ({
  page,
  context,
  openAs,
  faults,
}) => {
  // It is many times as long as others.
  test.slow();
  const started = { name: 'bank', time: morningOf(DAYS.first) };
  await withShiftedServer(started, async ({ origin, dataDir, clock }) => {
    const company = await openCompany(dataDir, clock);
    const desk = await makeBankDesk(company, { origin, context });
    // For some hours after their invites administrators approve nothing.
    clock.set(morningOf(DAYS.payday));
    const asked = await makePayouts(company, desk, clock);
    const question = page.getByRole('alertdialog');
    const answer = (name: string) => question.getByRole('button', { name }).click();
    const choose = (name: string, text: string) =>
      page.locator('input[type="file"]').setInputFiles({
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(text),
      });
    const saved = async (press: () => Promise<void>) => {
      const downloading = page.waitForEvent('download');
      await press();
      return readFile(await (await downloading).path(), 'utf8');
    };

    const sent = await test.step('the file is made, downloaded by a code, and sent', async () => {
      await page.goto(`${origin}/admin/payouts`);
      await page.getByRole('button', { name: 'Make Payout File $3,100.00' }).click();
      await answer('Make Payout File');
      await expect(page.getByRole('heading', { name: 'Payout file 0001' })).toBeVisible();
      await expect(page.getByRole('region', { name: 'Checks' })).toContainText('7 of 7');
      // Long after the sign-in.
      await company.db.updateTable('authSession').set({ confirmedAt: null }).execute();
      faults.allowRefusal(403, '/download');
      await page.getByRole('button', { name: 'Download Once' }).click();
      const file = await saved(async () => {
        await answer('Download Once');
        const confirming = page.getByRole('dialog', { name: 'Confirm it’s you' });
        await confirming.getByLabel('Code from the app').fill(appCode(desk.key));
        await confirming.getByRole('button', { name: 'Confirm' }).click();
      });
      await page.getByRole('button', { name: 'Mark as Sent' }).click();
      await answer('Mark as Sent');
      await expect(page.getByRole('button', { name: 'Mark as Sent' })).toBeHidden();
      return entriesOf(file);
    });
    expect([...sent.values()].map(({ amountMinor }) => amountMinor)).toHaveLength(7);
    const traceOf = (name: string) => sent.get(name)?.traceNumber ?? '';

    await test.step('the bank’s statement settles the file', async () => {
      clock.set(morningOf(DAYS.settled));
      await page.goto(`${origin}/admin/company-bank`);
      await page.getByRole('button', { name: 'Add Account' }).first().click();
      const form = page.getByRole('dialog', { name: 'Add bank account' });
      await form.getByLabel('Bank', { exact: true }).fill('Northgate Commerce Bank');
      await form.getByLabel('Name of the account').fill('Employee funds');
      await form.getByLabel('Account number or IBAN').fill(IBAN);
      await form.getByRole('button', { name: 'Add Account' }).click();
      await expect(page.getByText('Employee funds ••6890')).toBeVisible();
      const line = { reference: '', endToEnd: '', trace: '', counterparty: 'Tallis & Reed' };
      const lines = [
        { ...line, day: DAYS.payday, amountMinor: PAID_IN, text: 'TRANSFER FROM OPERATING' },
        { ...line, day: DAYS.settled, amountMinor: -SENT, text: 'ACH SETTLEMENT 0001' },
      ].map((one, index) => ({ ...one, reference: `NG${index}`, endToEnd: `E${index}` }));
      const period = { from: DAYS.first, to: DAYS.settled };
      const statement = { iban: IBAN, currency: 'USD' as const, openingMinor: 0n, lines, period };
      await choose('northgate.xml', camt053(8, statement));
      await page.getByRole('button', { name: 'Import 2 Lines' }).click();
      await page.getByRole('button', { name: 'Match TRANSFER FROM OPERATING' }).click();
      await expect(page.getByText('Nothing unexplained')).toBeVisible();
      await page.goto(`${origin}/admin/payouts/1`);
      await expect(page.getByRole('list', { name: 'Progress of the file' })).toContainText(
        'Settled',
      );
    });

    await test.step('one payment comes back, and one account is corrected', async () => {
      clock.set(morningOf(DAYS.returned));
      const day = DAYS.returned.replaceAll('-', '').slice(2);
      const returned = returnsFile(
        [
          { code: 'R03', trace: traceOf('Aanya Castellanos'), amountMinor: CAME_BACK },
          { code: 'C01', trace: traceOf('Aanya Brandt'), corrected: '4400917788' },
        ],
        { createdOn: day },
      );
      await page.goto(`${origin}/admin/returns`);
      await page.getByRole('button', { name: 'Upload Returns' }).first().click();
      await choose('northgate-returns.ach', returned.join('\n'));
      await page.getByRole('button', { name: 'Book Returns $480.00' }).click();
      await expect(
        page.getByRole('table', { name: 'Returned payouts and what followed' }),
      ).toContainText('$480.00 is back in Salary Wallet');
      await page.getByRole('button', { name: 'Update Bank Account of Aanya Brandt' }).click();
      await answer('Update Bank Account');
      await expect(page.getByRole('table', { name: 'Changes of bank details' })).toContainText(
        'Updated',
      );
      const theirs = await openAs();
      await signInAt(theirs.context(), origin, asked.get('Brandt')?.person ?? desk.renee);
      await theirs.goto(`${origin}/employee/notifications`);
      await expect(theirs.getByRole('main')).toContainText('7788');
      await theirs.goto('about:blank');
    });

    await test.step('the rest of the month is matched, so nothing is unexplained', async () => {
      clock.set(morningOf(DAYS.last));
      await page.goto(`${origin}/admin/company-bank`);
      await page.getByRole('button', { name: 'Import Statement' }).click();
      const rows = [
        [`ACH RETURN ${traceOf('Aanya Castellanos')}`, CAME_BACK],
        ['SERVICE CHARGE 7712', -1_250n],
      ] as const;
      await choose('northgate.csv', csvStatement(PAID_IN - SENT, rows, DAYS.last));
      await page.getByRole('button', { name: 'Import 2 Lines' }).click();
      await page.getByRole('button', { name: 'Line SERVICE CHARGE 7712' }).click();
      await page.getByRole('button', { name: 'It is bank fees' }).click();
      await expect(page.getByText('Nothing unexplained')).toBeVisible();
      await page.goto(`${origin}/admin/dashboard`);
      const held = page.getByRole('region', { name: 'Owed and held' });
      await expect(held).toContainText('All of it is there.');
    });

    await test.step('the month is verified and closed', async () => {
      clock.set(new Date().toISOString());
      await page.goto(`${origin}/admin/close`);
      await page.getByRole('button', { name: 'Verify Now' }).click();
      // At a pace at which people notice nothing, while other tests run.
      await expect(page.getByText('The books are verified')).toBeVisible({ timeout: 120_000 });
      await expect(page.locator('.month-checks__task')).toHaveCount(0);
      const name = `Close ${monthName(DAYS.first).split(' ')[0]}`;
      await page.getByRole('button', { name }).click();
      await question.getByRole('checkbox').click();
      await answer(name);
      await expect(page.getByText('Closed by')).toBeVisible();
    });

    await test.step('the journal is the same twice, and debit equals credit', async () => {
      for (const [index, account] of JOURNAL_ACCOUNTS.entries()) {
        const body = { code: `60${index}0`, name: `Account of ${account}` };
        await ask(desk.api, 'adminMapChartAccount', { params: { account }, body });
      }
      const exported = () => saved(() => page.getByRole('link', { name: 'Export CSV' }).click());
      const journal = await exported();
      expect(await exported()).toBe(journal);
      const sumOf = (column: string) => sumOfColumn(journal, column);
      expect(sumOf('Debits')).toBeGreaterThan(0);
      expect(sumOf('Debits')).toBe(sumOf('Credits'));
    });

    await test.step('nothing is posted in it any longer, and the books are sound', async () => {
      // A clock that jumped back.
      clock.set(morningOf(DAYS.last));
      faults.allowRefusal(409, '/return');
      await page.goto(`${origin}/admin/withdrawals?request=${asked.get('Duarte')?.withdrawalId}`);
      await page.getByRole('button', { name: 'Returned by bank' }).click();
      const returning = page.getByRole('dialog', { name: 'Returned by bank' });
      await returning.getByLabel('Reason').fill('R02 Account closed');
      await returning.getByRole('button', { name: 'Book the return' }).click();
      await expect(page.getByText('This would count in a month that is closed.')).toBeVisible();
      await page.goto('about:blank');
      const said: string[] = [];
      const print = (text: string) => void said.push(text);
      const env = { PURSER_DATA: dataDir };
      const { signal: stopped } = new AbortController();
      const isSound = await verifyCommand({ args: [], env, print, printError: print, stopped });
      expect(isSound, said.join('\n')).toBe(true);
    });
    await company.close();
  });
});
