import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { fundedWallet } from '#test/factories/money.ts';
import { expectAccessible } from './support/accessible.ts';
import type { Company } from './support/company.ts';
import { signIn } from './support/people.ts';
import { changeSettings, loosenSettings } from './support/settings.ts';
import { expect, test } from './support/test.ts';

const FIFTY = 50;
/** For fifty approvals of each, one after the other, on a machine that is busy with other things. */
const FIFTY_WITHIN_MS = 150_000;

/** People whose deposits of $77.00 and more wait, all of one last name. */
async function createDepositors(company: Company, lastName: string, count: number) {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const person = await company.createEmployee({ firstName: `Sender${index}`, lastName });
    const wallet = await fundedWallet(company.db, company.services, person.by, 0n);
    const { id } = await withTx(company.db, (tx) =>
      requestDeposit(tx, company.yesterday, person.by, {
        walletId: wallet.id,
        method: 'ach',
        amount: { minor: String(7_700 + index * 100), currency: 'USD' },
      }),
    );
    ids.push(id);
  }
  return ids;
}

const rows = (page: Page) =>
  page.getByRole('table', { name: 'Deposit requests' }).getByRole('row').filter({ hasText: 'ACH' });

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

test('several are approved together, and each says what became of it', async ({
  page,
  company,
  faults,
}) => {
  faults.allowRefusal(409, '/approve');
  const lastName = 'Quillon';
  const [first] = await createDepositors(company, lastName, 3);
  await page.goto(`/admin/deposits?search=${lastName}`);
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const bar = page.getByRole('group', { name: 'Selected rows' });
  await expect(bar).toContainText('3 selected, $234.00');
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Approve 3 Deposits' }).click();

  // Another admin is faster with one of them.
  const rival = await company.createAdmin({ firstName: 'Theo', lastName: 'Marchetti' });
  await withTx(company.db, (tx) =>
    depositActs.reject(tx, company.services, rival.by, { id: first ?? '', reason: 'Not received' }),
  );
  const question = page.getByRole('alertdialog', { name: 'Approve 3 deposits?' });
  await expect(question.getByRole('row')).toHaveCount(5);
  await question.getByRole('button', { name: 'Approve $234.00' }).click();
  const result = page.getByRole('dialog', { name: '2 of 3 deposits approved' });
  await expect(result).toContainText(/Theo Marchetti rejected this on .+ at \d+:\d\d [AP]M\./);
  await expect(result.getByRole('row').last()).toContainText('+$157.00');
  await expectAccessible(page);
  await result.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('No deposits found')).toBeVisible();
});

test('a selection stays across pages and filters, takes all, and goes on in the background', async ({
  page,
  company,
}) => {
  const lastName = 'Vantongeren';
  await createDepositors(company, lastName, 18);
  await page.goto(`/admin/deposits?search=${lastName}`);
  await expect(rows(page)).toHaveCount(15);
  const bar = page.getByRole('group', { name: 'Selected rows' });
  await page
    .getByRole('checkbox', { name: /^Select Sender/ })
    .first()
    .check();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await expect(bar).toContainText('4 selected');
  await expect(bar).toContainText('1 not on this page');
  const search = page.getByRole('searchbox', { name: 'Search deposits' });
  await search.fill(`Sender1 ${lastName}`);
  await expect(bar).toContainText('4 selected');
  await search.fill(lastName);
  await bar.getByRole('button', { name: 'Select all 18' }).click();
  await expect(bar).toContainText('18 selected, $1,539.00');
  await expect(bar.getByRole('button', { name: /^Select all/ })).toBeHidden();
  await expectAccessible(page);

  // One of them is held up until its screen was left.
  const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
  await page.route('**/approve', async (route) => {
    await held;
    await route.continue();
  });
  await bar.getByRole('button', { name: /^Approve 18 Deposits/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Approve 18 deposits?' });
  await question.getByRole('button', { name: 'Approve $1,539.00' }).click();
  await question.getByRole('button', { name: 'Continue in the Background' }).click();
  await page.getByRole('link', { name: 'Withdrawals' }).click();
  const line = page.getByRole('region', { name: 'Running in the background' });
  await expect(line).toContainText('Approving deposits 1 of 18');
  await expectAccessible(page);
  goOn();
  await expect(line).toContainText('18 of 18 done');
  await line.getByRole('button', { name: 'Show Results' }).click();
  const result = page.getByRole('dialog', { name: '18 of 18 deposits approved' });
  await expect(result.getByRole('row').last()).toContainText('+$1,539.00');
  await result.getByRole('button', { name: 'Done' }).click();
  await expect(line).toBeHidden();
  await page.goto(`/admin/deposits?status=approved&search=${lastName}`);
  await expect(rows(page)).toHaveCount(15);
});

test('one is opened, with who asks, and rejected', async ({ page, company }) => {
  const [id] = await createDepositors(company, 'Ravenel', 1);
  await page.goto(`/admin/deposits?deposit=${id}`);
  const details = page.getByRole('dialog', { name: 'Deposit details' });
  await expect(details).toContainText('Their first deposit');
  await expect(details).toContainText('Waiting for approval');
  await expectAccessible(page);
  await details.getByRole('button', { name: 'Reject' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject deposit' });
  await dialog.getByLabel('Reason').fill('It did not arrive.');
  await dialog.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('Deposit Rejected', { exact: true })).toBeVisible();
  await page.goto(`/admin/deposits?status=rejected&search=Ravenel`);
  await expect(rows(page)).toHaveCount(1);
});

test('two admins approve the same fifty concurrently: each is posted once, and the summary says by whom', async ({
  page,
  company,
  openAs,
  faults,
}) => {
  faults.allowRefusal(409, '/approve');
  const lastName = 'Umberland';
  await createDepositors(company, lastName, FIFTY);
  const rival = await company.createAdmin({ firstName: 'Theo', lastName: 'Marchetti' });
  const pages = [page, await openAs(rival)];
  for (const each of pages) {
    await each.goto(`/admin/deposits?search=${lastName}&rows=${FIFTY}`);
    await expect(rows(each)).toHaveCount(FIFTY);
    await each.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await each
      .getByRole('group', { name: 'Selected rows' })
      .getByRole('button', { name: `Approve ${FIFTY} Deposits` })
      .click();
  }
  const results = await Promise.all(
    pages.map(async (each) => {
      await each
        .getByRole('alertdialog')
        .getByRole('button', { name: /^Approve/ })
        .click();
      const result = each.getByRole('dialog', { name: /deposits approved$/ });
      await expect(result).toBeVisible({ timeout: FIFTY_WITHIN_MS });
      return result;
    }),
  );
  const names = await Promise.all(
    results.map((result) => result.getByRole('heading').first().textContent()),
  );
  const done = names.map((name) => Number(/^(\d+) of/.exec(name ?? '')?.[1]));
  expect(done.reduce((sum, count) => sum + count, 0)).toBe(FIFTY);
  const refused = results.filter((_result, index) => (done[index] ?? 0) < FIFTY);
  expect(refused.length).toBeGreaterThan(0);
  for (const result of refused) {
    await expect(
      result
        .getByText(/^(?:Renee Albright|Theo Marchetti) approved this on .+ at \d+:\d\d [AP]M\./)
        .first(),
    ).toBeVisible();
  }
  const { rows: posted } = await sql<{ deposits: number; postings: number }>`
    SELECT count(*)::int AS deposits, count(DISTINCT deposit.ledger_transaction_id)::int AS postings
      FROM deposit JOIN app_user ON app_user.id = deposit.user_id
     WHERE app_user.last_name = ${lastName} AND deposit.status = 'approved'`.execute(company.db);
  expect(posted).toEqual([{ deposits: FIFTY, postings: FIFTY }]);
});

test('a deposit that takes two is confirmed by one administrator and approved by another', async ({
  page,
  company,
  openAs,
}) => {
  // Above what the other tests deposit, so that the rule holds for this one alone.
  const amount = { minor: '900000', currency: 'USD' } as const;
  const person = await company.createEmployee({ firstName: 'Twice', lastName: 'Seenmoney' });
  const wallet = await fundedWallet(company.db, company.services, person.by, 0n);
  const { id } = await withTx(company.db, (tx) =>
    requestDeposit(tx, company.services, person.by, {
      walletId: wallet.id,
      method: 'ach',
      amount,
    }),
  );
  const second = await company.createAdmin({ firstName: 'Aanya', lastName: 'Second' });
  await changeSettings({ separateDeposit: amount });
  const address = `/admin/deposits?deposit=${id}`;
  await page.goto(address);
  const details = page.getByRole('dialog', { name: 'Deposit details' });
  await expect(details).toContainText('Waiting for confirmation');
  await details.getByRole('button', { name: 'Confirm' }).click();
  const question = page.getByRole('alertdialog', { name: 'Confirm this deposit?' });
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Confirm' }).click();
  await expect(page.getByText('Deposit Confirmed', { exact: true })).toBeVisible();
  await page.goto(address);
  await expect(details).toContainText(
    /you confirmed this deposit\. .*Aanya Second.* can do it now\./,
  );
  await expectAccessible(page);

  const other = await openAs(second);
  await other.goto(address);
  const hers = other.getByRole('dialog', { name: 'Deposit details' });
  await expect(hers).toContainText('Confirmed');
  await hers.getByRole('button', { name: 'Approve $9,000.00' }).click();
  await other
    .getByRole('alertdialog', { name: 'Approve this deposit?' })
    .getByRole('button', { name: 'Approve $9,000.00' })
    .click();
  await expect(other.getByText('Deposit Approved', { exact: true })).toBeVisible();
  await loosenSettings(company, { separateDeposit: null }, { second });
});
