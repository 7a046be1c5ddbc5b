import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { picture } from '#test/factories/images.ts';
import { giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { decideDocument } from '../review/decide-document.ts';
import {
  approveApplication,
  attachDocument,
  loadOwnApplication,
  openApplication,
  rejectApplication,
  startNewApplication,
} from '../index.ts';
import { addNote } from '../review/notes.ts';
import { prepareImage } from '../documents/prepare-image.ts';
import { findProfile, presentVerification } from '../documents/profile.ts';
import { loadItem } from '../review/review-item.ts';
import { reviewQueue } from '../review/queue-list.ts';
import { stageImage } from '../documents/stage-image.ts';
import { sweepIdentity } from './sweep.ts';

const services = createTestServices();
let opened: TestDb;
let db: Db;
let admin: CommandContext;

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
const destructionsOf = (person: CommandContext) =>
  db
    .selectFrom('auditEvent')
    .select('details')
    .where('personId', '=', person.actor.id)
    .where('action', '=', 'kyc.material_destroyed')
    .execute();

async function rejected(): Promise<{ owner: CommandContext; id: string }> {
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
  // The actions stay, without their texts.
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

test('a rejected image that nobody replaced is destroyed, and the profile is what remains', async () => {
  services.clock.set('2026-01-01T00:00:00.000Z');
  const owner = await createPersonBy(db);
  const forged = await giveDocument(db, services, owner, { type: 'government_id' });
  const address = await giveDocument(db, services, owner, { type: 'proof_of_address' });
  for (const [{ id, version }, decision] of [
    [forged, { action: 'reject', reason: 'Forged' }],
    [address, { action: 'approve', reason: null }],
  ] as const) {
    await withTx(db, (tx) => decideDocument(tx, services, admin, { id, version, ...decision }));
  }
  services.clock.set('2026-01-30T00:00:00.000Z');
  expect(await sweepIdentity(db, services)).toEqual({ people: 0, files: 0 });
  services.clock.set('2026-02-02T00:00:00.000Z');
  expect(await sweepIdentity(db, services)).toEqual({ people: 1, files: 1 });
  expect(files()).not.toContain(forged.id);
  expect(files()).toContain(address.id);
  expect(await destructionsOf(owner)).toEqual([{ details: { applications: 0, documents: 1 } }]);
  expect(await presentVerification(db, services.vault, owner.actor.id)).toMatchObject({
    status: 'pending',
    completionPercentage: 33,
    rejectionReason: null,
    documents: [{ id: address.id, status: 'approved' }],
  });
  expect(await sweepIdentity(db, services)).toEqual({ people: 0, files: 0 });
});

test('a rejected image of an application that waits stays: the decision may rest on it', async () => {
  services.clock.set('2026-01-01T00:00:00.000Z');
  const owner = await createPersonBy(db);
  const { documents } = await submittedApplication(db, services, owner);
  for (const { id, version } of documents) {
    const decision = { id, version, action: 'reject', reason: 'Too dark' } as const;
    await withTx(db, (tx) => decideDocument(tx, services, admin, decision));
  }
  services.clock.set('2026-03-01T00:00:00.000Z');
  expect(await sweepIdentity(db, services)).toEqual({ people: 0, files: 0 });
});

test('a destroyed application leaves the queue, and nobody decides on it', async () => {
  services.clock.set('2026-01-01T00:00:00.000Z');
  const leaver = await createPersonBy(db);
  const { id } = await submittedApplication(db, services, leaver);
  await db
    .updateTable('appUser')
    .set({ deactivatedAt: new Date('2026-01-02T00:00:00.000Z') })
    .where('id', '=', leaver.actor.id)
    .execute();
  services.clock.set('2026-02-03T00:00:00.000Z');
  await sweepIdentity(db, services);
  const { version } = await loadOwnApplication(db, services, leaver.actor.id);
  await expect(
    withTx(db, (tx) => approveApplication(tx, services, admin, { applicationId: id, version })),
  ).rejects.toMatchObject({ code: 'application_not_found' });
  await expect(
    withTx(db, (tx) => openApplication(tx, services, admin, { applicationId: id })),
  ).rejects.toMatchObject({ code: 'application_not_found' });
  await expect(loadItem(db, id)).rejects.toMatchObject({ code: 'not_found' });
  const page = { page: 1, pageSize: 100, search: '', kind: 'application', status: 'all' } as const;
  const view = { ...page, sort: 'queue', direction: 'desc' } as const;
  const scope = { viewerId: admin.actor.id, now: services.clock.now() };
  const { items } = await reviewQueue.page(db, view, scope);
  expect(items.map((item) => item.id)).not.toContain(id);
});

test('an upload that is attached while the sweep runs keeps its file', async () => {
  services.clock.set('2026-08-01T10:00:00.000Z');
  const owner = await createPersonBy(db);
  const image = await prepareImage(await picture());
  const stage = () =>
    withTx(db, (tx) =>
      stageImage(tx, services, { userId: owner.actor.id, fileName: 'id.png', image }),
    );
  const first = await stage();
  services.clock.set('2026-08-01T10:00:01.000Z');
  const second = await stage();
  for (const { id, sealed } of [first, second]) await services.files.put(id, sealed);
  services.clock.set('2026-08-01T12:00:00.000Z');
  const attaching = {
    ...services,
    files: {
      ...services.files,
      // The sweep has read both names by now.
      delete: async (name: string) => {
        await withTx(db, (tx) =>
          attachDocument(tx, services, owner, { type: 'government_id', staged: second }),
        );
        await services.files.delete(name);
      },
    },
  };
  expect(await sweepIdentity(db, attaching)).toMatchObject({ files: 1 });
  expect(files()).not.toContain(first.id);
  expect(files()).toContain(second.id);
});

test('a file that cannot be destroyed is reported, left to the next sweep, and keeps no other', async () => {
  const owner = await createPersonBy(db);
  const given: string[] = [];
  for (let times = 0; times < 3; times += 1) {
    services.clock.set(`2026-09-01T10:00:0${times}.000Z`);
    given.push((await giveDocument(db, services, owner, { type: 'government_id' })).id);
  }
  const [first, second, third] = given;
  const refusing = {
    ...services,
    files: {
      ...services.files,
      delete: (name: string) =>
        name === first ? Promise.reject(new Error('refused')) : services.files.delete(name),
    },
  };
  await expect(sweepIdentity(db, refusing)).rejects.toThrow('1 could not be destroyed: refused');
  expect(files()).toContain(first);
  expect(files()).not.toContain(second);
  expect(await sweepIdentity(db, services)).toMatchObject({ files: 1 });
  expect(files()).not.toContain(first);
  expect(files()).toContain(third);
  const { rows } = await sql`select from kyc_file where state <> 'kept'`.execute(db);
  expect(rows).toEqual([]);
});
