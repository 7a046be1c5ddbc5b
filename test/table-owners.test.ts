import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KEPT_FOR_GOOD, RETENTION } from '#server/jobs/retention.ts';
import { findForeignWrites, findStatusChanges, OWNED_TABLES } from './table-owners.ts';

const ROOT = join(import.meta.dirname, '..');
const sources = globSync('server/**/*.ts', { cwd: ROOT }).filter(
  (path) => !path.endsWith('.test.ts'),
);

describe('the server', () => {
  test('has one owner for every table', () => {
    // Another test makes sure that these are all tables.
    const tables = [...RETENTION.map(({ table }) => table), ...KEPT_FOR_GOOD];
    expect(OWNED_TABLES.toSorted()).toEqual([...tables, 'graphile_worker'].toSorted());
  });

  test('writes a table only where it belongs', () => {
    expect(sources.length).toBeGreaterThan(100);
    const problems = sources.flatMap((path) =>
      findForeignWrites({ path, text: readFileSync(join(ROOT, path), 'utf8') }),
    );
    expect(problems).toEqual([]);
  });
});

/**
 * Forms that hand a bank account in again, the mark that follows from a returned withdrawal, and the poster of
 * payroll, which has locked the batch already.
 */
const CHANGED_ELSEWHERE = [
  'server/modules/bank-accounts/mark-returned.ts changes the status of bank_account itself',
  'server/modules/bank-accounts/update-bank-account.ts changes the status of bank_account itself',
  // People, invites and API keys are in a module below `act`: their commands call `checkStatus` and `journal`.
  'server/modules/identity/api-keys/revoke-api-key.ts changes the status of api_key itself',
  'server/modules/identity/api-keys/revoke-api-key.ts changes the status of api_key itself',
  'server/modules/identity/invites/redeem-invite.ts changes the status of admin_invite itself',
  'server/modules/identity/invites/redeem-invite.ts changes the status of app_user itself',
  'server/modules/identity/invites/revoke-invite.ts changes the status of admin_invite itself',
  'server/modules/identity/invites/revoke-invite.ts changes the status of admin_invite itself',
  'server/modules/identity/people/accept-person.ts changes the status of app_user itself',
  'server/modules/identity/people/change-standing.ts changes the status of app_user itself',
  'server/modules/identity/people/change-standing.ts changes the status of app_user itself',
  'server/modules/identity/people/change-standing.ts changes the status of app_user itself',
  // Decisions on an identity name the version that was seen, and write encrypted words with the status.
  'server/modules/kyc/application/submit-application.ts changes the status of kyc_application itself',
  'server/modules/kyc/review/claims.ts changes the status of kyc_document itself',
  'server/modules/kyc/review/decide-document.ts changes the status of kyc_document itself',
  'server/modules/kyc/review/decide.ts changes the status of kyc_application itself',
  'server/modules/kyc/review/review-name.ts changes the status of kyc_application itself',
  'server/modules/payroll/claim-lines.ts changes the status of payroll_batch itself',
  'server/modules/payroll/finish-batch.ts changes the status of payroll_batch itself',
];

describe('a status', () => {
  test('is changed by `act` alone', () => {
    const changes = sources.flatMap((path) =>
      findStatusChanges({ path, text: readFileSync(join(ROOT, path), 'utf8') }),
    );
    expect(changes.toSorted()).toEqual(CHANGED_ELSEWHERE);
  });

  test.each([
    [
      'by the query builder',
      `tx.updateTable('bill').set({ status: 'sent', sentAt }).where('id', '=', id).execute()`,
    ],
    [
      'by its name alone',
      `tx\n  .updateTable('deposit')\n  .set({ status, updatedAt })\n  .execute()`,
    ],
    [
      'by a column that it follows from',
      `tx.updateTable('appUser').set({ deactivatedAt: at }).where('id', '=', id).execute()`,
    ],
    ['in SQL', `sql\`UPDATE withdrawal SET status = 'completed' WHERE id = 1\``],
  ])('is found where it is changed %s', (_, text) => {
    expect(findStatusChanges({ path: 'a.ts', text })).toHaveLength(1);
  });

  test.each([
    [
      'another column',
      `tx.updateTable('bill').set({ payOn }).where('status', '=', 'due').execute()`,
    ],
    ['in SQL', `sql\`UPDATE bank_account SET is_primary = true WHERE status = 'verified'\``],
  ])('is not mistaken for %s', (_, text) => {
    expect(findStatusChanges({ path: 'a.ts', text })).toEqual([]);
  });
});

describe('the checker', () => {
  const check = (text: string) => findForeignWrites({ path: 'server/modules/payroll/a.ts', text });

  test.each([
    ['an insert by the query builder', `tx\n  .insertInto('notification')`],
    ['an update by the query builder', `tx.updateTable('appUser').set({})`],
    ['a delete by the query builder', `tx.deleteFrom('authSession as one')`],
    ['an insert', 'sql`WITH one AS (INSERT INTO outbox (kind) SELECT 1)`'],
    ['an update', 'sql`UPDATE wallet AS one\n   SET closed_at = now()`'],
    ['an update in small letters', 'sql`update graphile_worker._private_jobs set run_at = now()`'],
    ['a delete', 'sql`DELETE FROM idempotency_key`'],
    ['a posting past the door', 'sql`SELECT ledger_post($1)`'],
  ])('catches %s', (_what, text) => {
    expect(check(text)).toHaveLength(1);
  });

  test.each([
    ['its own', `tx.updateTable('payrollBatch'); sql\`UPDATE payroll_line SET status = 'x'\``],
    ['reading', `tx.selectFrom('wallet').forUpdate(); sql\`SELECT FROM wallet FOR UPDATE\``],
    ['words', '// An update of the wallet, to delete from a list'],
  ])('allows %s', (_what, text) => {
    expect(check(text)).toEqual([]);
  });
});
