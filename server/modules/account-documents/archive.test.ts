import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { dayIn } from '#contract/calendar.ts';
import { PooledConnection } from '#server/db/connection.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { openTestApp } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createPayee, fundedWallet, withdrawalIn } from '#test/factories/money.ts';
import type { Payee } from '#test/factories/money.ts';
import { createAdmin } from '#test/factories/people.ts';
import type { TestPerson } from '#test/factories/people.ts';
import { seedEmployees } from '#test/factories/payroll.ts';
import { confirmPayroll } from '#test/payroll-fixture.ts';
import { documentsOfYear, drawArchive } from './archive.ts';
import { drawPayslips } from './payslips-of-batch.ts';
import { documentScope } from './scope.ts';

let purser: TestApp;
let admin: TestPerson;
let maya: Payee;

beforeAll(async () => {
  purser = await openTestApp();
  const { db, services } = purser;
  admin = await createAdmin(db, services);
  maya = await createPayee(db, services, { admin: admin.by });
  await fundedWallet(db, services, maya.by, 20_000n, 'savings');
  await withdrawalIn(db, services, { payee: maya, admin: admin.by, status: 'returned' });
  // A second person, whose documents must not appear.
  await createPayee(db, services, { admin: admin.by });
});
afterAll(() => purser.close());

/** Year of the company, which is another than that of UTC in the last evening of December. */
const thisYear = () => Number(dayIn('America/New_York', purser.services.clock.now()).slice(0, 4));
const scopeOf = ({ by }: Payee) =>
  documentScope(purser.db, by.actor.id, purser.services.clock.now());
const ask = async (year: number | string) =>
  purser.ask('GET', `/api/document-archives/${year}`, {
    cookie: await purser.cookieOf(maya.by.actor),
  });

test('the archive of a year has every payslip and receipt of the person, and is complete', async () => {
  const response = await ask(thisYear());
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toContain(`documents-${thisYear()}.zip`);
  const archive = Buffer.from(await response.arrayBuffer());
  const names = [
    ...archive.toString('latin1').matchAll(/(?:payslip|statement|receipt)s\/[\w.-]+?\.pdf/g),
  ];
  // Each name is in front of its file, and in the directory at the end.
  const unique = [...new Set(names.map(([name]) => name))];
  expect(names).toHaveLength(2 * unique.length);
  expect(unique.filter((name) => name.startsWith('payslips/'))).toHaveLength(2);
  expect(unique.filter((name) => name.startsWith('receipts/'))).toHaveLength(2);
  expect(archive.toString('latin1').match(/%PDF-/g)).toHaveLength(unique.length);
});

test('a download is recorded before its first byte and at its end', async () => {
  const response = await ask(thisYear());
  await response.body?.cancel();
  const rows = await purser.db
    .selectFrom('auditEvent')
    .select(['action', 'details'])
    .where('actorId', '=', maya.by.actor.id)
    .where('action', 'in', ['export.begun', 'export.ended'])
    .orderBy('id')
    .execute();
  const operation = 'downloadDocumentArchive';
  expect(rows.map(({ action, details }) => ({ action, details }))).toMatchObject([
    { action: 'export.begun', details: { operation, year: thisYear() } },
    { action: 'export.ended', details: { operation, isWhole: true } },
    { action: 'export.begun', details: { operation } },
    { action: 'export.ended', details: { operation, isWhole: false } },
  ]);
});

test('refuses an invalid year, a year without documents and one with too many', async () => {
  const year = thisYear();
  expect((await ask(1999)).status).toBe(404);
  expect((await ask('next')).status).toBe(422);
  const scope = await scopeOf(maya);
  await expect(documentsOfYear(purser.db, scope, year, 3)).rejects.toMatchObject({
    code: 'archive_too_large',
  });
});

test('never draws the document of another person, whoever names it', async () => {
  const other = await createPayee(purser.db, purser.services, { admin: admin.by });
  const ids = await documentsOfYear(purser.db, await scopeOf(other), thisYear());
  const files = drawArchive(purser.db, await scopeOf(maya), ids);
  await expect(files.next()).rejects.toMatchObject({ code: 'account_document_not_found' });
});

test('the payslips of a payroll are one archive, and each person sees that it was opened', async () => {
  const { batchId } = await purser.db
    .selectFrom('payrollLine')
    .select('batchId')
    .where('userId', '=', maya.by.actor.id)
    .limit(1)
    .executeTakeFirstOrThrow();
  const cookie = await purser.cookieOf(admin.by.actor);
  const payslips = (part: number) =>
    purser.ask('GET', `/api/admin/payroll/batches/${batchId}/payslips?part=${part}`, { cookie });
  const response = await payslips(1);
  expect(response.status).toBe(200);
  const archive = Buffer.from(await response.arrayBuffer()).toString('latin1');
  expect(archive.match(/%PDF-/g)).toHaveLength(1);
  expect(archive).toMatch(/payslips\/payslip-PAY-\d{4}-0001\.pdf/);
  const opened = await purser.db
    .selectFrom('auditEvent')
    .select('personId')
    .where('actorId', '=', admin.by.actor.id)
    .where('action', '=', 'account_document.opened')
    .execute();
  expect(opened).toEqual([{ personId: maya.by.actor.id }]);
  expect((await payslips(2)).status).toBe(404);
});

test('the payslips of a payroll are recorded a page at a time, before the first of the page is drawn', async () => {
  const { db, services } = purser;
  await sql`UPDATE company_settings SET payroll_cancel_seconds = 0`.execute(db);
  await seedEmployees(db, { count: 3 });
  const batchId = await confirmPayroll(db, admin.by.actor, services);
  await postPayroll(db, services, batchId);
  const { paidCount } = await db
    .selectFrom('payrollBatch')
    .select('paidCount')
    .where('id', '=', batchId)
    .executeTakeFirstOrThrow();
  expect(paidCount).toBeGreaterThan(3);
  const opened = async () => {
    const { rows } = await sql<{ people: number }>`
      SELECT count(DISTINCT person_id)::integer AS people FROM audit_event AS event JOIN payroll_line AS line ON line.batch_id = ${batchId}
         AND event.person_id = line.user_id
         AND event.details ->> 'reference' LIKE
             'PAY-' || (SELECT number FROM payroll_batch WHERE id = ${batchId}) || '-%'
       WHERE action = 'account_document.opened'`.execute(db);
    return rows[0]?.people;
  };
  const query = vi.spyOn(PooledConnection.prototype, 'executeQuery');
  const timesRead = (table: string) =>
    query.mock.calls.filter(([statement]) => statement.sql.includes(`from "${table}"`)).length;
  const files = drawPayslips(db, services, admin.by, { batchId, part: 1 });
  await files.next();
  expect(await opened()).toBe(paidCount);
  const names: string[] = [];
  for await (const { name } of files) names.push(name);
  expect(names).toHaveLength(paidCount - 1);
  expect(await opened()).toBe(paidCount);
  expect([timesRead('company_settings'), timesRead('payroll_batch')]).toEqual([1, 1]);
  query.mockRestore();
});
