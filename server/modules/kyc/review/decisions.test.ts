import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { COMPLETE_ANSWERS, approveIdentity, submittedApplication } from '#test/factories/kyc.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { expectOneWins } from '#test/one-wins.ts';
import {
  approveApplication,
  isIdentityApproved,
  loadOwnApplication,
  moveToReview,
  openApplication,
  rejectApplication,
  startNewApplication,
} from '../index.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;
let admin: CommandContext;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
});
afterAll(() => test.close());

const employee = () => createPersonBy(db);

describe('the review desk', () => {
  it('reviews and approves; each decision is kept and notified', async () => {
    const owner = await employee();
    const { id, version } = await submittedApplication(db, services, owner);
    expect(await isIdentityApproved(db, owner.actor.id)).toBe(false);
    const reviewed = await withTx(db, (tx) =>
      moveToReview(tx, services, admin, { applicationId: id, version }),
    );
    const approved = await withTx(db, (tx) =>
      approveApplication(tx, services, admin, {
        applicationId: id,
        version: reviewed.version,
        notes: ' Checked against the passport. ',
      }),
    );
    expect(approved.history).toEqual([
      expect.objectContaining({ action: 'submitted', by: owner.actor.name, notes: null }),
      expect.objectContaining({ action: 'moved_to_review', by: 'Renee Albright', notes: null }),
      expect.objectContaining({ action: 'approved', notes: 'Checked against the passport.' }),
    ]);
    expect(await isIdentityApproved(db, owner.actor.id)).toBe(true);
    const notified = await db
      .selectFrom('notification')
      .select('title')
      .where('userId', '=', owner.actor.id)
      .execute();
    expect(notified.map(({ title }) => title).toSorted()).toEqual([
      'Application Submitted',
      'Identity approved',
      'Under Review',
    ]);
  });

  it('accepts an applicant with their identity', async () => {
    const owner = await employee();
    const isApplicant = () =>
      db
        .selectFrom('appUser')
        .select('id')
        .where('id', '=', owner.actor.id)
        .where('acceptedAt', 'is', null)
        .executeTakeFirst()
        .then((row) => row !== undefined);
    await withTx(db, (tx) =>
      tx
        .updateTable('appUser')
        .set({ acceptedAt: null })
        .where('id', '=', owner.actor.id)
        .execute(),
    );
    const { id, version } = await submittedApplication(db, services, owner);
    const reviewed = await withTx(db, (tx) =>
      moveToReview(tx, services, admin, { applicationId: id, version }),
    );
    expect(await isApplicant()).toBe(true);
    await withTx(db, (tx) =>
      approveApplication(tx, services, admin, {
        applicationId: id,
        version: reviewed.version,
        notes: '',
      }),
    );
    expect(await isApplicant()).toBe(false);
  });

  it('rejects with a reason; a new application begins with the old answers', async () => {
    const owner = await employee();
    const { id, version } = await submittedApplication(db, services, owner);
    const target = { applicationId: id, version };
    await expect(
      withTx(db, (tx) => rejectApplication(tx, services, admin, { ...target, reason: ' ' })),
    ).rejects.toMatchObject({ code: 'reason_required' });
    await withTx(db, (tx) =>
      rejectApplication(tx, services, admin, { ...target, reason: 'Not readable.' }),
    );
    const startNew = () => withTx(db, (tx) => startNewApplication(tx, services, owner));
    const begunAnew = await Promise.allSettled([startNew(), startNew()]);
    expectOneWins(begunAnew, 'application_wrong_status');
    const fresh = await loadOwnApplication(db, services, owner.actor.id);
    expect(fresh).toMatchObject({ status: 'in_progress', history: [] });
    expect(fresh.id).not.toBe(id);
    expect(fresh.answers.fullName).toBe(COMPLETE_ANSWERS.fullName);
    expect(fresh.answered).not.toContain('securityAnswerHash');
  });

  it('refuses a decision on a version that is no more, and on oneself', async () => {
    const owner = await employee();
    const { id, version } = await submittedApplication(db, services, owner);
    const approve = (by: CommandContext, seen: number) =>
      withTx(db, (tx) =>
        approveApplication(tx, services, by, { applicationId: id, version: seen }),
      );
    await expect(approve(admin, version - 1)).rejects.toMatchObject({ code: 'application_stale' });
    const promoted: CommandContext = { actor: { ...owner.actor, role: 'admin' } };
    await expect(approve(promoted, version)).rejects.toMatchObject({ code: 'own_request' });
    const both = await Promise.allSettled([approve(admin, version), approve(admin, version)]);
    expectOneWins(both, 'application_wrong_status', 'application_stale');
  });

  it('leaves a trace when an admin reads an application', async () => {
    const owner = await employee();
    const { id } = await approveIdentity(db, services, owner, admin);
    const opened = await withTx(db, (tx) =>
      openApplication(tx, services, admin, { applicationId: id }),
    );
    expect(opened.answers.idNumber).toBe(COMPLETE_ANSWERS.idNumber);
    const audits = await db
      .selectFrom('auditEvent')
      .select('action')
      .where('personId', '=', owner.actor.id)
      .orderBy('id')
      .execute();
    expect(audits.map(({ action }) => action)).toEqual([
      'kyc.application_started',
      'kyc.document_uploaded',
      'kyc.document_uploaded',
      'kyc.application_submitted',
      'kyc.document_approved',
      'kyc.document_approved',
      'kyc.approved',
      'kyc.application_opened',
    ]);
  });
});
