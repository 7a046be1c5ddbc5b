import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KycDocument } from '#contract/api.ts';
import type { KycDocumentType } from '#contract/kyc.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { picture } from '#test/factories/images.ts';
import { giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { claimReview, releaseReview } from './claims.ts';
import { decideDocument } from './decide-document.ts';
import {
  approveApplication,
  loadOwnApplication,
  moveToReview,
  rejectApplication,
  requestResubmission,
  submitApplication,
} from '../index.ts';
import { addNote } from './notes.ts';
import { findProfile, presentVerification } from '../documents/profile.ts';
import { reviewApplication, reviewVerification } from './review.ts';

const services = createTestServices();
let opened: TestDb;
let db: Db;
let renee: CommandContext;
let joaquin: CommandContext;

beforeAll(async () => {
  opened = await openTestDb();
  db = opened.db;
  renee = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
  joaquin = await createPersonBy(db, { role: 'admin', firstName: 'Joaquín', lastName: 'Mercer' });
});
afterAll(() => opened.close());

const someone = (lastName = 'Person') => createPersonBy(db, { lastName });
const give = (owner: CommandContext, type: KycDocumentType, image?: Buffer) =>
  giveDocument(db, services, owner, image === undefined ? { type } : { type, image });
const decide = (document: KycDocument, action: 'approve' | 'reject', by = renee) =>
  withTx(db, (tx) =>
    decideDocument(tx, services, by, {
      id: document.id,
      version: document.version,
      action,
      reason: action === 'reject' ? 'Too dark' : null,
    }),
  );
const titlesTo = async (person: CommandContext) => {
  const rows = await db
    .selectFrom('notification')
    .select('title')
    .where('userId', '=', person.actor.id)
    .orderBy('title')
    .execute();
  return rows.map(({ title }) => title);
};
const refused = (code: string) => expect.objectContaining({ code });

describe('the documents of an application', () => {
  test('are approved with it, and keep it from being approved while one is rejected', async () => {
    const owner = await someone();
    const { id, version, documents } = await submittedApplication(db, services, owner);
    const [front] = documents;
    if (front === undefined) throw new Error('no document');
    const rejected = await decide(front, 'reject');
    const approve = () =>
      withTx(db, (tx) => approveApplication(tx, services, renee, { applicationId: id, version }));
    await expect(approve()).rejects.toEqual(refused('document_rejected'));
    await decide(rejected, 'approve');
    const approved = await approve();
    expect(approved.documents.map(({ status }) => status)).toEqual(['approved', 'approved']);
  });

  test('are decided once on what was seen, by another person, while it is under review', async () => {
    const owner = await someone();
    const { id, version, documents } = await submittedApplication(db, services, owner);
    const [front] = documents;
    if (front === undefined) throw new Error('no document');
    await expect(decide(front, 'approve', owner)).rejects.toEqual(refused('own_request'));
    const both = await Promise.allSettled([
      decide(front, 'approve'),
      decide(front, 'reject', joaquin),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reason = 'Not readable';
    await withTx(db, (tx) =>
      rejectApplication(tx, services, renee, { applicationId: id, version, reason }),
    );
    const later = (await loadOwnApplication(db, services, owner.actor.id)).documents;
    await Promise.all(
      later.map((document) =>
        expect(decide(document, 'reject')).rejects.toEqual(refused('application_wrong_status')),
      ),
    );
  });

  test('are asked for again by name; the old one is kept, since a decision rested on it', async () => {
    const owner = await someone();
    const { id, version } = await submittedApplication(db, services, owner);
    const reviewed = await withTx(db, (tx) =>
      moveToReview(tx, services, renee, { applicationId: id, version }),
    );
    services.clock.set('2026-12-08T15:10:00.000Z');
    const items = [{ item: 'id_back' as const, note: 'The back is too dark' }];
    const back = await withTx(db, (tx) =>
      requestResubmission(tx, services, renee, {
        applicationId: id,
        version: reviewed.version,
        notes: 'Please take another picture.',
        items,
      }),
    );
    const rejected = back.documents.find(({ type }) => type === 'id_back');
    expect(rejected).toMatchObject({ status: 'rejected', rejectionReason: items[0]?.note });
    const submit = () => withTx(db, (tx) => submitApplication(tx, services, owner, back));
    await expect(submit()).rejects.toMatchObject({
      code: 'application_incomplete',
      fields: [{ path: 'id_back' }],
    });
    const replacement = await give(owner, 'id_back');
    await give(owner, 'id_front');
    expect(await submit()).toMatchObject({ status: 'submitted', resubmissionItems: [] });
    const kept = await db
      .selectFrom('kycDocument')
      .select(['type', 'replacedAt', 'destroyedAt'])
      .where('applicationId', '=', id)
      .where('replacedAt', 'is not', null)
      .orderBy('type')
      .execute();
    expect(kept).toEqual([
      { type: 'id_back', replacedAt: expect.any(Date), destroyedAt: null },
      { type: 'id_front', replacedAt: expect.any(Date), destroyedAt: null },
    ]);
    if (rejected === undefined) throw new Error('no document');
    await expect(decide(rejected, 'approve')).rejects.toEqual(refused('document_stale'));
    expect(await decide(replacement, 'approve')).toMatchObject({ status: 'approved' });
  });
});

describe('wallet documents', () => {
  test('make the profile verified one by one, and notify its owner', async () => {
    const owner = await someone();
    for (const type of ['government_id', 'proof_of_address', 'social_security'] as const) {
      await decide(await give(owner, type), 'approve');
    }
    const verification = await presentVerification(db, services.vault, owner.actor.id);
    expect(verification).toMatchObject({ status: 'verified', completionPercentage: 100 });
    expect(verification.verifiedAt).not.toBeNull();
    expect(await titlesTo(owner)).toEqual([
      'Document approved',
      'Document approved',
      'Verification complete',
    ]);
    await expect(give(owner, 'government_id')).rejects.toEqual(refused('verification_complete'));
  });

  test('come under review when they are taken up, and show why one was rejected', async () => {
    const owner = await someone();
    await give(owner, 'government_id');
    const profile = await findProfile(db, owner.actor.id);
    const itemId = profile?.id ?? '';
    await withTx(db, (tx) => claimReview(tx, services, renee, { itemId, takeOver: false }));
    const review = await withTx(db, (tx) => reviewVerification(tx, services, renee, itemId));
    const [document] = review.verification.documents;
    expect(document?.status).toBe('under_review');
    expect(review).toMatchObject({ status: 'in_review', claim: { isMine: true } });
    if (document === undefined) throw new Error('no document');
    await decide(document, 'reject');
    expect(await presentVerification(db, services.vault, owner.actor.id)).toMatchObject({
      status: 'rejected',
      rejectionReason: 'Too dark',
    });
  });
});

describe('an item of the queue', () => {
  test('says who has it, until they put it back, it lapses, or it is taken over', async () => {
    const { id: itemId } = await submittedApplication(db, services, await someone());
    const claim = (by: CommandContext, takeOver = false) =>
      withTx(db, (tx) => claimReview(tx, services, by, { itemId, takeOver }));
    expect(await claim(renee)).toMatchObject({ isMine: true });
    expect(await claim(joaquin)).toMatchObject({
      isMine: false,
      holder: { name: 'Renee Albright' },
    });
    expect(await claim(joaquin, true)).toMatchObject({ isMine: true });
    await withTx(db, (tx) => releaseReview(tx, renee, itemId));
    expect(await claim(renee)).toMatchObject({ isMine: false });
    await withTx(db, (tx) => releaseReview(tx, joaquin, itemId));
    expect(await claim(renee)).toMatchObject({ isMine: true });
    services.clock.set('2026-12-08T15:20:00.000Z');
    expect(await claim(joaquin)).toMatchObject({ isMine: true });
    services.clock.set('2026-12-08T15:00:00.000Z');
  });

  test('carries private notes that its owner never sees', async () => {
    const owner = await someone();
    const { id: itemId } = await submittedApplication(db, services, owner);
    const text = 'Called them about the address.';
    await withTx(db, (tx) => addNote(tx, services, renee, { itemId, text }));
    const review = await withTx(db, (tx) => reviewApplication(tx, services, joaquin, itemId));
    expect(review.notes).toEqual([expect.objectContaining({ by: 'Renee Albright', text })]);
    const own = await loadOwnApplication(db, services, owner.actor.id);
    expect(JSON.stringify(own)).not.toContain(text);
    const [row] = await db.selectFrom('kycNote').select('textEncrypted').execute();
    expect(row?.textEncrypted.includes(text)).toBe(false);
  });

  test('points at other people with the same answers or the same image', async () => {
    const [one, other] = [await someone('One'), await someone('Other')];
    const image = await picture('png', { seed: 77 });
    await submittedApplication(db, services, one);
    const { id } = await submittedApplication(db, services, other);
    await give(one, 'government_id', image);
    await give(other, 'proof_of_address', image);
    const review = await withTx(db, (tx) => reviewApplication(tx, services, renee, id));
    expect(new Set(review.duplicates.map(({ signal }) => signal))).toEqual(
      new Set(['id_number', 'phone', 'address', 'image']),
    );
    const profile = await findProfile(db, other.actor.id);
    const wallet = await withTx(db, (tx) =>
      reviewVerification(tx, services, renee, profile?.id ?? ''),
    );
    expect(wallet.duplicates).toEqual([
      {
        signal: 'image',
        documentType: 'proof_of_address',
        people: [expect.objectContaining({ id: one.actor.id, name: 'Test One' })],
      },
    ]);
  });

  test('is recorded once when it is opened, however often the screen asks', async () => {
    const owner = await someone();
    const { id } = await submittedApplication(db, services, owner);
    for (const by of [renee, renee, joaquin]) {
      await withTx(db, (tx) => reviewApplication(tx, services, by, id));
    }
    const accessLog = await db
      .selectFrom('auditEvent')
      .select('actorId')
      .where('subjectId', '=', id)
      .where('action', '=', 'kyc.application_opened')
      .orderBy('id')
      .execute();
    expect(accessLog.map(({ actorId }) => actorId)).toEqual([renee.actor.id, joaquin.actor.id]);
  });
});
