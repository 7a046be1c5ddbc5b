import { sql } from 'kysely';
import type { Page } from '@playwright/test';
import type { Company, Person } from './support/company.ts';
import { escape } from './support/dialogs.ts';
import { describeVisits, expectFineInLooks } from './support/looks.ts';
import { receiveMail } from './support/mails.ts';
import { signIn } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ context }) => signIn(context, 'admin'));

/** A mail to that person which the server has tried to deliver as often as it does by itself. */
async function failMail(company: Company, person: Person, kind: string): Promise<void> {
  await sql`
    INSERT INTO outbox_failed (id, kind, topic, user_id, payload, created_at, attempts, last_error)
    SELECT coalesce(min(id), 0) + 1000000000 + (random() * 1e12)::bigint, 'mail', ${kind},
           ${person.id}, '{}', now(), 4, 'connect ECONNREFUSED 127.0.0.1:25'
      FROM outbox_failed`.execute(company.db);
}

/** From the card to the list. */
async function openList(page: Page) {
  await page.goto('/admin/dashboard');
  await page.getByRole('button', { name: /failed deliver(y|ies)$/ }).click();
  const checks = page.getByRole('dialog', { name: 'System Health' });
  await expect(checks.getByText(/\d failed deliver(y|ies):/)).toBeVisible();
  await checks.getByRole('button', { name: 'Show failed deliveries' }).click();
  return page.getByRole('dialog', { name: 'Failed deliveries' });
}

test('a failed delivery is retried, and arrives or comes back', async ({ page, company }) => {
  const lost = await company.createEmployee({ firstName: 'Lost', lastName: 'Letter' });
  const odd = await company.createEmployee({ firstName: 'Odd', lastName: 'Letter' });
  await failMail(company, lost, 'password-changed');
  await failMail(company, odd, 'no-such-mail');
  const list = await openList(page);
  const row = (name: string) => list.getByRole('listitem').filter({ hasText: `Mail to ${name}` });
  await expect(row('Lost Letter')).toContainText('Password was changed');
  await expect(row('Lost Letter')).toContainText('4 attempts');
  await expect(row('Lost Letter')).toContainText('connect ECONNREFUSED 127.0.0.1:25');

  await list.getByRole('button', { name: 'Retry: Mail to Lost Letter' }).press('Enter');
  await expect(row('Lost Letter')).toHaveCount(0);
  await receiveMail(lost.email, 'Your password was changed');
  await list.getByRole('button', { name: 'Retry: Mail to Odd Letter' }).press('Enter');
  await expect(row('Odd Letter'), 'it fails again').toContainText('5 attempts');
  await expect(row('Odd Letter')).toContainText('This version knows no such mail');
});

test('a failed delivery is discarded after a question', async ({ page, company }) => {
  const person = await company.createEmployee({ firstName: 'Never', lastName: 'Mind' });
  await failMail(company, person, 'reset-password');
  const list = await openList(page);
  const discard = list.getByRole('button', { name: 'Discard: Mail to Never Mind' });
  await discard.click();
  const question = page.getByRole('alertdialog', { name: 'Discard this delivery?' });
  await expect(question).toContainText('This mail will not be sent.');
  await question.getByRole('button', { name: 'Keep Delivery' }).click();
  await discard.click();
  await question.getByRole('button', { name: 'Discard' }).click();
  await expect(list).toBeVisible();
  await expect(discard).toHaveCount(0);
  await escape(list);
  await expect(list).toHaveCount(0);
});

describeVisits('failed deliveries', (looks) => {
  test('are accessible', async ({ page, company }) => {
    const person = await company.createEmployee({
      firstName: 'Maximiliana-Wilhelmina',
      lastName: 'Featherstonehaugh',
    });
    await failMail(company, person, 'confirm-email');
    await failMail(company, person, 'notification');
    const list = await openList(page);
    await expect(list.getByRole('button', { name: 'Retry all' })).toBeVisible();
    await expectFineInLooks(page, looks);
    await list
      .getByRole('button', { name: /^Discard: Mail to Max/ })
      .first()
      .click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectFineInLooks(page, looks);
    await sql`DELETE FROM outbox_failed WHERE user_id = ${person.id}`.execute(company.db);
  });
});
