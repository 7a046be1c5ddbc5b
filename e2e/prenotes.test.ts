import type { Page } from '@playwright/test';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withTx } from '#server/db/tx.ts';
import { freePort } from '#server/lib/free-port.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { pendingBank } from '#test/factories/money.ts';
import { returnsFile } from '#test/factories/returns-file.ts';
import { startServerProcess } from '#test/server-process.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { openCompany, type Person } from './support/company.ts';
import { DATA_DIR } from './support/place.ts';
import { expect, test } from './support/test.ts';

async function signInAt(page: Page, origin: string, { email, password }: Person): Promise<void> {
  const reply = await page.request.post(`${origin}/api/auth/sign-in`, {
    headers: { origin },
    data: { email, password },
  });
  expect(reply.ok()).toBe(true);
}

test('a prenote is sent and comes back, and the account is not verified', async ({
  page,
  openAs,
}) => {
  // The company of the other tests verifies bank accounts without prenotes.
  const dataDir = mkdtempSync(join(dirname(DATA_DIR), 'prenotes-'));
  // Under root PostgreSQL is another user, which has to pass through.
  chmodSync(dataDir, 0o711);
  const server = await startServerProcess({ PURSER_DATA: dataDir, PORT: String(await freePort()) });
  const { origin } = server;
  try {
    const company = await openCompany(dataDir);
    const { db, services } = company;
    await withTx(db, (tx) =>
      updateSettings(tx, services, company.admin, {
        ...{ payoutFormat: 'nacha', payoutBankName: 'Northgate Commerce Bank' },
        ...{ payoutRoutingNumber: '084207311', payoutAccountNumber: '00964410' },
        ...{ payoutCompanyId: '1912345678', bankAccountProof: 'prenote' },
        requireAdminTwoFactor: false,
      }),
    );
    const admin = await company.createAdmin({ firstName: 'Renee', lastName: 'Albright' });
    const owner = await company.createEmployee({ firstName: 'Aanya', lastName: 'Prenote' });
    const details = { accountHolderName: 'Aanya Prenote' };
    const account = await pendingBank(db, services, owner.by, details);
    const theirs = await openAs();
    await signInAt(theirs, origin, owner);
    await theirs.goto(`${origin}/employee/bank-details`);
    const rail = theirs.getByRole('list', { name: /^Verification of/ });
    await expect(rail).toContainText('Waiting for a prenote');

    await signInAt(page, origin, admin);
    await page.goto(`${origin}/admin/payouts`);
    const row = page.getByRole('row').filter({ hasText: 'Aanya Prenote' });
    await expect(row).toContainText('$0.00');
    await expect(page.getByText('1 prenote, $0.00', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make Payout File' }).click();
    const question = page.getByRole('alertdialog');
    await expect(question).toContainText('$0.00 from Northgate Commerce Bank ••4410, 1 prenote.');
    await question.getByRole('button', { name: 'Make Payout File' }).click();
    await expect(page.getByRole('heading', { name: 'Payout file 0001' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Checks' })).toContainText('7 of 7');
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    const trace = (await row.textContent())?.match(/\d{8}\u00A0\d{7}/)?.[0] ?? '';
    await page.getByRole('button', { name: 'Download Once' }).click();
    await question.getByRole('button', { name: 'Download Once' }).click();
    await page.getByRole('button', { name: 'Mark as Sent' }).click();
    await question.getByRole('button', { name: 'Mark as Sent' }).click();
    await expect(page.getByRole('button', { name: 'Settle' })).toBeVisible();
    await expect(rail).toContainText('Prenote sent');
    await expectAccessible(theirs);

    await page.goto(`${origin}/admin/bank-accounts?account=${account.id}`);
    await expect(page.getByText('In payout file 0001')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Verify', exact: true })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await expectAccessible(page);
    await page.goto(`${origin}/admin/returns`);
    await page.getByRole('button', { name: 'Upload Returns' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Upload returns' });
    const answer = returnsFile([{ code: 'R03', trace: trace.replace('\u00A0', '') }]);
    await dialog.locator('input[type="file"]').setInputFiles({
      ...{ name: 'northgate-returns.ach', mimeType: 'text/plain' },
      buffer: Buffer.from(answer.join('\n')),
    });
    await dialog.getByRole('button', { name: /^Book Returns/ }).click();
    const returned = page.getByRole('table', { name: 'Returned payouts and what followed' });
    await expect(returned).toContainText('A prenote, so no money was sent');
    await expect(returned).toContainText('is not verified');
    await expectAccessible(page);
    await expect(theirs.getByText('R03: No account or unable to locate.')).toBeVisible();
    await expectAccessible(theirs);
    // A page that is open asks for live events of a server that stops.
    await Promise.all([page.goto('about:blank'), theirs.goto('about:blank')]);
    await company.close();
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
