import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { By } from '#server/lib/actor.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { picture } from '#test/factories/images.ts';
import { giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { loadOwnApplication, rejectApplication, startNewApplication } from './index.ts';
import { addNote } from './notes.ts';
import { prepareImage } from './prepare-image.ts';
import { findProfile } from './profile.ts';
import { stageImage } from './stage-image.ts';
import { sweepIdentity } from './sweep.ts';

const services = createTestServices();
let opened: TestDb;
let db: Db;
let admin: By;

beforeAll(async () => {
  opened = await openTestDb();
  db = opened.db;
  admin = await createPersonBy(db, { role: 'admin' });
  await withTx(db, (tx) =>
    updateSettings(tx, services, { actor: 'system' }, { kycRetentionDays: 30 }),
  );
});
afterAll(() => opened.close());

const files = () => [...services.files.contents.keys()].toSorted();
const destructionsOf = (person: By) =>
  db
    .selectFrom('auditEvent')
    .select('details')
    .where('personId', '=', person.actor.id)
    .where('action', '=', 'kyc.material_destroyed')
    .execute();

async function rejected(): Promise<{ owner: By; id: string }> {
  const owner = await createPersonBy(db);
  const { id, version } = await submittedApplication(db, services, owner);
  await withTx(db, (tx) => addNote(tx, services, admin, { itemId: id, text: 'A note' }));
  const reason = 'Not readable';
  await withTx(db, (tx) =>
    rejectApplication(tx, services, admin, { applicationId: id, version, reason }),
  );
  return { owner, id };
}

test('a rejected application is destroyed when its retention ends, and only then', async () => {
  services.clock.set('2026-06-01T00:00:00.000Z');
  const before = files();
  const { owner, id } = await rejected();
  services.clock.set('2026-06-30T00:00:00.000Z');
  expect(await sweepIdentity(db, services)).toEqual({ people: 0, files: 0 });
  services.clock.set('2026-07-02T00:00:00.000Z');
  expect(await sweepIdentity(db, services)).toEqual({ people: 1, files: 2 });
  expect(files()).toEqual(before);
  const row = await db
    .selectFrom('kycApplication')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(row).toMatchObject({
    status: 'rejected',
    answersEncrypted: null,
    idNumberHash: null,
    securityAnswerHash: null,
    answered: [],
  });
  expect(await db.selectFrom('kycNote').selectAll().execute()).toEqual([]);
  expect(await destructionsOf(owner)).toEqual([{ details: { applications: 1, documents: 2 } }]);
  expect(await sweepIdentity(db, services)).toEqual({ people: 0, files: 0 });
  const destroyed = await loadOwnApplication(db, services, owner.actor.id);
  expect(destroyed).toMatchObject({ answers: {}, rejectionReason: null });
  // What was done stays, without what was written.
  expect(destroyed.history).toMatchObject([
    { action: 'submitted' },
    { action: 'rejected', by: admin.actor.name, notes: null },
  ]);
  await withTx(db, (tx) => startNewApplication(tx, services, owner));
});

test('the images of a closed account are destroyed; those of an open one stay', async () => {
  services.clock.set('2026-01-01T00:00:00.000Z');
  const [leaver, stayer] = [await createPersonBy(db), await createPersonBy(db)];
  for (const owner of [leaver, stayer]) {
    await submittedApplication(db, services, owner);
    await giveDocument(db, services, owner, { type: 'government_id' });
  }
  await db
    .updateTable('appUser')
    .set({ deactivatedAt: new Date('2026-01-02T00:00:00.000Z') })
    .where('id', '=', leaver.actor.id)
    .execute();
  services.clock.set('2026-02-03T00:00:00.000Z');
  expect(await sweepIdentity(db, services)).toEqual({ people: 1, files: 3 });
  expect(await destructionsOf(leaver)).toEqual([{ details: { applications: 1, documents: 3 } }]);
  expect(await destructionsOf(stayer)).toEqual([]);
  expect(await findProfile(db, leaver.actor.id)).toMatchObject({ status: 'not_started' });
  expect(await findProfile(db, stayer.actor.id)).toMatchObject({ status: 'under_review' });
});

test('a file without a document is destroyed, but not while its upload may be under way', async () => {
  services.clock.set('2026-08-01T10:00:00.000Z');
  const owner = await createPersonBy(db);
  const image = await prepareImage(await picture());
  const staged = await withTx(db, (tx) =>
    stageImage(tx, services, { userId: owner.actor.id, fileName: 'id.png', image }),
  );
  await services.files.put(staged.id, staged.sealed);
  services.clock.set('2026-08-01T10:50:00.000Z');
  expect(await sweepIdentity(db, services)).toMatchObject({ files: 0 });
  services.clock.set('2026-08-01T11:01:00.000Z');
  expect(await sweepIdentity(db, services)).toMatchObject({ files: 1 });
  expect(files()).not.toContain(staged.id);
});

test('a store that refuses leaves the file to the next sweep', async () => {
  services.clock.set('2026-09-01T10:00:00.000Z');
  const owner = await createPersonBy(db);
  await giveDocument(db, services, owner, { type: 'government_id' });
  const second = await giveDocument(db, services, owner, { type: 'government_id' });
  const refusing = {
    ...services,
    files: { ...services.files, delete: () => Promise.reject(new Error('refused')) },
  };
  await expect(sweepIdentity(db, refusing)).rejects.toThrow('refused');
  expect(await sweepIdentity(db, services)).toMatchObject({ files: 1 });
  expect(files()).toContain(second.id);
  const { rows } = await sql`select from kyc_file where state <> 'kept'`.execute(db);
  expect(rows).toEqual([]);
});
