import { COMPANY_NAME } from '#scripts/demo/company.ts';
import { expectAccessible } from './support/accessible.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('a file of employees is checked, then imported, and says what became of each row', async ({
  page,
  context,
  openAs,
}) => {
  const stamp = Date.now().toString(36);
  const file = (rows: readonly string[]) => ({
    name: 'new-hires.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(['\ufeffWho;Work email;Dept', ...rows].join('\r\n')),
  });
  await signIn(context, 'admin');
  await page.goto('/admin/employees');
  await page.getByRole('link', { name: 'Import CSV' }).click();
  await page
    .getByLabel(/CSV file|Import another file|Replace the file/)
    .setInputFiles(
      file([
        `Ana Popescu;ana-${stamp}@x.example;Sales`,
        `Harriet Lowe;h.lowe-${stamp}@x.example;Suport`,
        `Ana Again;ana-${stamp}@x.example;Sales`,
        'Total;;3',
      ]),
    );
  await page.getByRole('button', { name: 'Match Columns' }).click();
  const match = page.getByRole('dialog', { name: 'Match Columns' });
  await match.getByLabel('Full Name').selectOption('Who');
  await match.getByRole('button', { name: 'Check Again' }).click();

  await expect(page.getByText('1 total row was left out')).toBeVisible();
  const rows = page.getByRole('table', { name: 'Rows of the file' });
  await expect(rows.getByRole('row', { name: /Harriet Lowe/ })).toContainText(
    'Not a department. Did you mean Customer support?',
  );
  await expect(rows.getByRole('row', { name: /Ana Again/ })).toContainText('Same email as row 2');
  // Over a cell its tooltip would show.
  await page.getByRole('heading', { level: 1 }).hover();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import 1 Employee', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Imported' })).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: '1 of 1' })).toBeVisible();
  await expect(rows.getByRole('row', { name: /Ana Popescu/ })).toContainText('Imported');
  await page.getByRole('button', { name: 'Print Links' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Show Links' }).click();
  const links = page.getByRole('dialog', { name: '1 link' });
  await expect(links.getByRole('listitem')).toContainText(`ana-${stamp}@x.example`);
  await expectAccessible(page);
  const link = (await links.getByText(/^http/).textContent()) ?? '';
  await links.getByRole('button', { name: 'Done' }).click();

  const phone = await openAs();
  await phone.goto(link);
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText(`Welcome to ${COMPANY_NAME}`);
  await expect(phone.getByText(/^Hi Ana, .+ invited you/)).toBeVisible();
  await expectAccessible(phone);
  await phone.getByLabel('Password', { exact: true }).fill('Lantern-harbor-2026');
  await phone.getByLabel('Confirm Password').fill('Lantern-harbor-2026');
  await phone.getByRole('button', { name: 'Set Password and Sign In' }).click();
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Personal Information');
  await phone.close();

  await rows
    .getByRole('row', { name: /Ana Popescu/ })
    .getByRole('link')
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ana Popescu');

  // One import at a time: of two columns that could be the address none is read before somebody says which.
  await page.goto('/admin/employees/import');
  await page.getByLabel(/CSV file|Import another file|Replace the file/).setInputFiles({
    name: 'two-addresses.csv',
    mimeType: 'text/csv',
    // Headings that no other test has matched by hand.
    buffer: Buffer.from(
      `Name,Email,Email,Dept,Note ${stamp}\nIo Vega,home-${stamp}@x.example,io-${stamp}@x.example,HR,\n`,
    ),
  });
  const names = '“Email” and “Email” could both be it';
  await expect(page.getByText(`Not read. ${names}.`)).toBeVisible();
  await expect(rows.getByRole('row', { name: /Io Vega/ })).toContainText(
    `${names}. Choose one with Match Columns.`,
  );
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Match Columns' }).click();
  await match.getByLabel('Email').selectOption('Email (column 3)');
  await match.getByRole('button', { name: 'Check Again' }).click();
  await expect(rows.getByRole('row', { name: /Io Vega/ })).toContainText('New employee');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  let discarded = '';
  const readsOfRows: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/discard')) discarded = request.url().replace(/discard$/, 'rows');
    // Those of the import before it, which is shown then, may be read.
    else if (discarded !== '' && request.url().startsWith(discarded))
      readsOfRows.push(request.url());
  });
  await page.getByRole('button', { name: 'Discard File' }).click();
  await expect(page.getByText('two-addresses.csv')).toHaveCount(0);
  expect(discarded).not.toBe('');
  expect(readsOfRows, 'reads of rows that are gone').toEqual([]);
});
