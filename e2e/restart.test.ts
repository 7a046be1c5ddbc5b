import { freePort } from '#server/lib/free-port.ts';
import { startServerProcess } from '#test/server-process.ts';
import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { DATA_DIR } from './support/place.ts';
import { expect, test } from './support/test.ts';

test('the server dies in the middle of a form and comes back: nothing is lost, and it is sent once', async ({
  page,
  context,
  company,
  faults,
}) => {
  faults.allow(/ERR_(CONNECTION|EMPTY_RESPONSE|INCOMPLETE)/);
  // The screen asks for its live events again while the server is starting.
  faults.allowRefusal(503, '/api/');
  const person = await company.createEmployee({
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  // A second server on the same database: the other tests keep theirs.
  const environment = { PURSER_DATA: DATA_DIR, PORT: String(await freePort()) };
  let server = await startServerProcess(environment);
  try {
    await signIn(context, person);
    await page.goto(`${server.origin}/employee/withdraw`);
    await page.getByLabel('Withdrawal Amount').fill('40.00');
    await page.getByLabel('Reason').fill('New tires');
    await server.kill();

    await page.getByRole('button', { name: 'Review Withdrawal' }).click();
    const review = page.getByRole('dialog', { name: 'Review withdrawal' });
    const send = review.getByRole('button', { name: 'Withdraw $40.00' });
    await send.click();
    await expect(review).toContainText('We can’t tell whether your request went through.');

    server = await startServerProcess(environment);
    await page.reload();
    await expect(page.getByLabel('Withdrawal Amount')).toHaveValue('40.00');
    await expect(page.getByLabel('Reason')).toHaveValue('New tires');
    await page.getByRole('button', { name: 'Review Withdrawal' }).click();
    await expect(review).toContainText('We can’t tell whether your request went through.');
    await send.click();
    await expect(page.getByRole('dialog', { name: 'Withdrawal Submitted' })).toBeVisible();
    const { items } = await ask(await apiAs(person), 'listWithdrawals', { query: {} });
    expect(items.map(({ reason }) => reason)).toEqual(['New tires']);
  } finally {
    await server.stop();
  }
});
