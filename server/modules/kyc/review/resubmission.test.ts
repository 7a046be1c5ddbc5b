import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ResubmissionItem } from '#contract/kyc.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { decideDocument } from './decide-document.ts';
import {
  loadOwnApplication,
  moveToReview,
  requestResubmission,
  saveApplication,
  submitApplication,
} from '../index.ts';
import { reviewApplication } from './review.ts';

const services = createTestServices();
let opened: TestDb;
let db: Db;
let admin: CommandContext;

beforeAll(async () => {
  opened = await openTestDb();
  db = opened.db;
  admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
});
afterAll(() => opened.close());

interface Request {
  notes: string;
  items: { item: ResubmissionItem; note: string }[];
}

const REQUEST: Request = {
  notes: 'The address does not match.',
  items: [{ item: 'contact', note: 'Give the address on the document' }],
};

async function inReview(): Promise<{
  owner: CommandContext;
  applicationId: string;
  version: number;
}> {
  const owner = await createPersonBy(db);
  const { id, version } = await submittedApplication(db, services, owner);
  const moved = await withTx(db, (tx) =>
    moveToReview(tx, services, admin, { applicationId: id, version }),
  );
  return { owner, applicationId: id, version: moved.version };
}

const request = (target: { applicationId: string; version: number }, asked: Request) =>
  withTx(db, (tx) => requestResubmission(tx, services, admin, { ...target, ...asked }));
const submit = (owner: CommandContext, seen: { id: string; version: number }) =>
  withTx(db, (tx) => submitApplication(tx, services, owner, seen));

test('is requested in review alone, and says what has to be changed', async () => {
  const owner = await createPersonBy(db);
  const { id, version } = await submittedApplication(db, services, owner);
  await expect(request({ applicationId: id, version }, REQUEST)).rejects.toMatchObject({
    code: 'application_wrong_status',
  });
  const target = await inReview();
  const silent = [{ item: 'contact' as const, note: ' ' }];
  const half = [...REQUEST.items, { item: 'id_back' as const, note: '' }];
  for (const items of [silent, half]) {
    await expect(request(target, { notes: ' ', items })).rejects.toMatchObject({
      code: 'notes_required',
    });
  }
});

test('general notes are enough, and stand for an image that has none of its own', async () => {
  const { owner, ...target } = await inReview();
  const notes = 'The pictures are too dark.';
  const items = [{ item: 'id_back' as const, note: '' }];
  const back = await request(target, { notes, items });
  expect(back).toMatchObject({ resubmissionNotes: notes, resubmissionItems: items });
  const { documents } = await loadOwnApplication(db, services, owner.actor.id);
  const image = documents.find(({ type }) => type === 'id_back');
  expect(image).toMatchObject({ status: 'rejected', rejectionReason: notes });
});

test('a note on each thing that is named is enough', async () => {
  const { applicationId, version } = await inReview();
  const back = await request({ applicationId, version }, { ...REQUEST, notes: '' });
  expect(back).toMatchObject({ resubmissionNotes: null, resubmissionItems: REQUEST.items });
});

test('gives back to correct; once it is submitted again, the desk sees what was asked', async () => {
  const { owner, ...target } = await inReview();
  services.clock.set('2026-12-09T15:00:00.000Z');
  const back = await request(target, REQUEST);
  expect(back).toMatchObject({
    status: 'resubmit_required',
    resubmissionNotes: REQUEST.notes,
    resubmissionItems: REQUEST.items,
  });
  const { id, version } = back;
  const answers = { addressLine1: '20 Alder Street' };
  const corrected = await withTx(db, (tx) =>
    saveApplication(tx, services, owner, { id, version, answers }),
  );
  services.clock.set('2026-12-10T15:00:00.000Z');
  expect(await submit(owner, corrected)).toMatchObject({
    status: 'submitted',
    submittedAt: '2026-12-10T15:00:00.000Z',
    resubmissionNotes: null,
    resubmissionItems: [],
  });
  services.clock.set('2026-12-08T15:00:00.000Z');

  const { application } = await withTx(db, (tx) => reviewApplication(tx, services, admin, id));
  const ownName = owner.actor.name;
  expect(application.history).toEqual([
    {
      action: 'submitted',
      by: ownName,
      notes: null,
      items: [],
      changes: [],
      at: '2026-12-08T15:00:00.000Z',
    },
    expect.objectContaining({ action: 'moved_to_review' }),
    {
      action: 'resubmission_requested',
      by: 'Renee Albright',
      notes: REQUEST.notes,
      items: REQUEST.items,
      changes: [],
      at: '2026-12-09T15:00:00.000Z',
    },
    {
      action: 'submitted',
      by: ownName,
      notes: null,
      items: [],
      changes: [],
      at: '2026-12-10T15:00:00.000Z',
    },
  ]);
});

test('counts an image that was rejected by itself among what has to be corrected', async () => {
  const { owner, ...target } = await inReview();
  const { documents } = await loadOwnApplication(db, services, owner.actor.id);
  for (const { id, version, type } of documents) {
    await withTx(db, (tx) =>
      decideDocument(tx, services, admin, {
        id,
        version,
        action: 'reject',
        reason: `${type} is cut off`,
      }),
    );
  }
  const items = [...REQUEST.items, { item: 'id_back' as const, note: 'Show all of the back' }];
  const back = await request(target, { ...REQUEST, items });
  expect(back.resubmissionItems).toEqual([
    ...items,
    { item: 'id_front', note: 'id_front is cut off' },
  ]);
});

test('shows the desk the images that were replaced, since a decision rested on them', async () => {
  const { owner, ...target } = await inReview();
  const items = [{ item: 'id_back' as const, note: 'Too dark' }];
  await request(target, { ...REQUEST, items });
  const first = await loadOwnApplication(db, services, owner.actor.id);
  const firstBack = first.documents.find(({ type }) => type === 'id_back');
  // Nothing rested on this one: it was there for a moment, and is destroyed.
  services.clock.set('2026-12-08T16:00:00.000Z');
  await giveDocument(db, services, owner, { type: 'id_back' });
  await giveDocument(db, services, owner, { type: 'id_back' });
  await submit(owner, first);
  const review = await withTx(db, (tx) =>
    reviewApplication(tx, services, admin, target.applicationId),
  );
  expect(review.replaced).toEqual([firstBack]);
  services.clock.set('2026-12-08T15:00:00.000Z');
});
