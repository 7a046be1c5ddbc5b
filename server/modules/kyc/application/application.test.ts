import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { COMPLETE_ANSWERS, giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import {
  ensureApplication,
  latestStatus,
  loadOwnApplication,
  saveApplication,
  submitApplication,
} from '../index.ts';

const services = createTestServices();
let test: TestDb;
let db: Db;

beforeAll(async () => {
  test = await openTestDb();
  db = test.db;
});
afterAll(() => test.close());

const employee = () => createPersonBy(db);
const stored = (userId: string) =>
  db.selectFrom('kycApplication').selectAll().where('userId', '=', userId).execute();

async function begun(): Promise<CommandContext> {
  const owner = await employee();
  await withTx(db, (tx) => ensureApplication(tx, services, owner.actor.id));
  return owner;
}

type Answers = Parameters<typeof saveApplication>[3]['answers'];

/** Saves on the version that is there, or on the one given. */
const save = (owner: CommandContext, answers: Answers, seen?: number) =>
  withTx(db, async (tx) => {
    const { id, version } = await loadOwnApplication(tx, services, owner.actor.id);
    return saveApplication(tx, services, owner, { id, version: seen ?? version, answers });
  });

describe('the owner of an application', () => {
  it('gets one, however often and concurrently it is ensured', async () => {
    const owner = await employee();
    expect(await latestStatus(db, owner.actor.id)).toBeNull();
    const ensure = () => withTx(db, (tx) => ensureApplication(tx, services, owner.actor.id));
    await Promise.all([ensure(), ensure(), ensure()]);
    await ensure();
    expect(await stored(owner.actor.id)).toHaveLength(1);
    expect(await latestStatus(db, owner.actor.id)).toBe('in_progress');
  });

  it('saves answers bit by bit and clears one with null', async () => {
    const owner = await begun();
    await save(owner, { fullName: 'Maya Castellanos', city: 'Seattle' });
    await save(owner, { city: null, pep: false });
    const loaded = await loadOwnApplication(db, services, owner.actor.id);
    expect(loaded.answers).toEqual({ fullName: 'Maya Castellanos', pep: false });
    expect(loaded.answered.toSorted()).toEqual(['fullName', 'pep']);
    expect(loaded.version).toBe(3);
  });

  it('is refused when another screen saved first, and overwrites nothing', async () => {
    const owner = await begun();
    const both = await Promise.allSettled([
      save(owner, { city: 'Seattle' }, 1),
      save(owner, { city: 'Tacoma' }, 1),
    ]);
    const saved = both.find((one) => one.status === 'fulfilled');
    const refused = both.find((one) => one.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'application_stale' });
    const loaded = await loadOwnApplication(db, services, owner.actor.id);
    expect(loaded.answers).toEqual(saved?.value.answers);
  });

  it('is one record for each sitting, and every field saved in between stands in the next one', async () => {
    services.clock.set('2026-12-08T14:30:00.000Z');
    const owner = await begun();
    const records = async () =>
      (
        await db
          .selectFrom('auditEvent')
          .select(['action', 'details'])
          .where('personId', '=', owner.actor.id)
          .where('action', 'in', ['kyc.application_saved', 'kyc.application_submitted'])
          .orderBy('id')
          .execute()
      ).map(({ action, details }) => [action, (details as { fields: string[] }).fields.toSorted()]);
    for (const city of ['S', 'Se', 'Sea']) await save(owner, { city });
    await save(owner, { postalCode: '98109' });
    expect(await records()).toEqual([]);

    services.clock.set('2026-12-08T15:00:00.000Z');
    await save(owner, { state: 'WA' });
    await save(owner, { state: 'OR' });
    expect(await records()).toEqual([['kyc.application_saved', ['city', 'postalCode', 'state']]]);

    await save(owner, COMPLETE_ANSWERS);
    for (const type of ['id_front', 'id_back'] as const) {
      await giveDocument(db, services, owner, { type });
    }
    await withTx(db, async (tx) =>
      submitApplication(
        tx,
        services,
        owner,
        await loadOwnApplication(tx, services, owner.actor.id),
      ),
    );
    expect(await records()).toEqual([
      ['kyc.application_saved', ['city', 'postalCode', 'state']],
      ['kyc.application_submitted', Object.keys(COMPLETE_ANSWERS).toSorted()],
    ]);
  });

  it('leaves nothing readable in the tables', async () => {
    const owner = await begun();
    await save(owner, COMPLETE_ANSWERS);
    const audits = await db
      .selectFrom('auditEvent')
      .selectAll()
      .where('personId', '=', owner.actor.id)
      .execute();
    const [row] = await stored(owner.actor.id);
    const text = inspect([row, audits, row?.answersEncrypted?.toString('latin1')], { depth: null });
    for (const secret of ['Maya', 'Alder', '555-0142', 'X1234567', '1990-04-12']) {
      expect(text).not.toContain(secret);
    }
    const hash = row?.securityAnswerHash?.toString('hex');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hash).not.toBe(COMPLETE_ANSWERS.securityAnswerHash);
  });

  it('is found again by the same number, phone and address, written otherwise', async () => {
    const [one, other] = [await begun(), await begun()];
    await save(one, COMPLETE_ANSWERS);
    await save(other, {
      ...COMPLETE_ANSWERS,
      idNumber: 'x-123 4567',
      phoneNumber: '206.555.0142',
      addressLine1: '18 alder street',
    });
    const [a] = await stored(one.actor.id);
    const [b] = await stored(other.actor.id);
    expect(b?.idNumberHash).toEqual(a?.idNumberHash);
    expect(b?.phoneHash).toEqual(a?.phoneHash);
    expect(b?.addressHash).toEqual(a?.addressHash);
    expect(b?.securityAnswerHash).not.toEqual(a?.securityAnswerHash);
  });

  it('cannot submit before everything required is there and fits the day', async () => {
    const owner = await begun();
    const incomplete = await save(owner, {
      ...COMPLETE_ANSWERS,
      city: null,
      dateOfBirth: '2008-12-09',
      idExpiryDate: '2026-12-08',
    });
    const submitting = withTx(db, (tx) => submitApplication(tx, services, owner, incomplete));
    await expect(submitting).rejects.toMatchObject({
      code: 'application_incomplete',
      fields: [
        { path: 'city' },
        { path: 'dateOfBirth' },
        { path: 'idExpiryDate' },
        { path: 'id_front' },
        { path: 'id_back' },
      ],
    });
    await giveDocument(db, services, owner, { type: 'id_front' });
    await giveDocument(db, services, owner, { type: 'id_back' });
    const corrected = await save(owner, {
      city: 'Seattle',
      dateOfBirth: '2008-12-08',
      idExpiryDate: '2026-12-09',
    });
    const submitted = await withTx(db, (tx) => submitApplication(tx, services, owner, corrected));
    expect(submitted).toMatchObject({
      status: 'submitted',
      submittedAt: '2026-12-08T15:00:00.000Z',
    });
  });

  it('cannot submit what was changed since they looked, nor edit what is submitted', async () => {
    const owner = await begun();
    const seen = await save(owner, COMPLETE_ANSWERS);
    await save(owner, { city: 'Tacoma' });
    await expect(
      withTx(db, (tx) => submitApplication(tx, services, owner, seen)),
    ).rejects.toMatchObject({ code: 'application_stale' });
    const other = await employee();
    await submittedApplication(db, services, other);
    await expect(save(other, { city: 'Tacoma' })).rejects.toMatchObject({
      code: 'application_wrong_status',
      message: 'This application is submitted, so this is not possible.',
    });
  });
});
