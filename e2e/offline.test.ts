import { ask } from './support/api.ts';
import { apiAs, signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test('a withdrawal confirmed without a connection says what is unknown and lets go', async ({
  page,
  context,
  company,
  faults,
}) => {
  const person = await company.createEmployee({
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await signIn(context, person);
  faults.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.goto('/employee/withdraw');
  await page.getByLabel('Withdrawal Amount').fill('20.00');
  await page.getByRole('button', { name: 'Review Withdrawal' }).click();
  await context.setOffline(true);
  const review = page.getByRole('dialog', { name: 'Review withdrawal' });
  await review.getByRole('button', { name: 'Withdraw $20.00' }).click();
  await expect(review).toContainText('It is not known whether your request arrived.');
  await page.keyboard.press('Escape');
  await expect(review).toHaveCount(0);
  await expect(page.getByLabel('Withdrawal Amount')).toHaveValue('20.00');

  await context.setOffline(false);
  await page.getByRole('button', { name: 'Review Withdrawal' }).click();
  await review.getByRole('button', { name: 'Withdraw $20.00' }).click();
  await expect(page.getByRole('dialog', { name: 'Withdrawal Submitted' })).toBeVisible();
  const { items } = await ask(await apiAs(person), 'listWithdrawals', { query: {} });
  expect(items).toHaveLength(1);
});

test('a withdrawal whose reply does not come says so, and can be left', async ({
  page,
  context,
  company,
}) => {
  const person = await company.createEmployee({
    fundedMinor: 50_000n,
    isApproved: true,
    hasVerifiedBank: true,
  });
  await signIn(context, person);
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/withdrawals', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const response = await route.fetch();
    await answered;
    return route.fulfill({ response });
  });
  await page.goto('/employee/withdraw');
  await page.getByLabel('Withdrawal Amount').fill('30.00');
  await page.getByRole('button', { name: 'Review Withdrawal' }).click();
  const review = page.getByRole('dialog', { name: 'Review withdrawal' });
  await review.getByRole('button', { name: 'Withdraw $30.00' }).click();
  await expect(review).toContainText('This takes longer than usual.');
  await review.getByRole('button', { name: 'Back' }).click();
  await expect(review).toHaveCount(0);
  // It arrived: it is listed, and nothing of it waits in the form to be sent again.
  answer();
  await expect(page.getByText('is waiting for approval.')).toBeVisible();
  await expect(page.getByLabel('Withdrawal Amount')).toHaveValue('');
  const { items } = await ask(await apiAs(person), 'listWithdrawals', { query: {} });
  expect(items).toHaveLength(1);
});
