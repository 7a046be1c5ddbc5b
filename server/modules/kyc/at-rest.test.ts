import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withTx } from '#server/db/tx.ts';
import { createFileStore } from '#server/providers/files/index.ts';
import { picture } from '#test/factories/images.ts';
import { COMPLETE_ANSWERS, giveDocument, submittedApplication } from '#test/factories/kyc.ts';
import { createPersonBy } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { decideDocument } from './review/decide-document.ts';
import { moveToReview, requestResubmission } from './index.ts';
import { addNote } from './review/notes.ts';
import { openDocument } from './documents/open-document.ts';
import { signLink } from './documents/document-link.ts';

let opened: TestDb;
let dataDir: string;

beforeAll(async () => {
  opened = await openTestDb();
  dataDir = mkdtempSync(join(tmpdir(), 'purser-at-rest-'));
});
afterAll(async () => {
  await opened.close();
  rmSync(dataDir, { recursive: true });
});

/** Every row of every table, as text; bytes also as Latin-1, so that what they spell can be seen. */
async function everythingStored(): Promise<string> {
  const { db } = opened;
  const { rows: tables } = await sql<{ name: string }>`
    SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`.execute(db);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<object>`SELECT * FROM ${sql.table(name)}`.execute(db);
    for (const value of rows.flatMap((row) => Object.values(row))) {
      texts.push(value instanceof Buffer ? value.toString('latin1') : (stringify(value) ?? ''));
    }
  }
  return texts.join('\n');
}

function stringify(value: unknown): string | undefined {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

test('the data folder and the database show no ID number, birth date or image', async () => {
  const { db } = opened;
  const services = { ...createTestServices(), files: createFileStore({ files: null, dataDir }) };
  const owner = await createPersonBy(db);
  const admin = await createPersonBy(db, { role: 'admin' });
  const application = await submittedApplication(db, services, owner);
  const fileName = `${COMPLETE_ANSWERS.idNumber}.png`;
  const image = await picture('png', { seed: 5 });
  const wallet = await giveDocument(db, services, owner, {
    type: 'government_id',
    image,
    fileName,
  });
  await withTx(db, (tx) =>
    addNote(tx, services, admin, {
      itemId: application.id,
      text: `Number ${COMPLETE_ANSWERS.idNumber} looks right`,
    }),
  );
  const written = `Number ${COMPLETE_ANSWERS.idNumber} belongs to another person`;
  const { id, version } = wallet;
  await withTx(db, (tx) =>
    decideDocument(tx, services, admin, { id, version, action: 'reject', reason: written }),
  );
  const target = { applicationId: application.id, version: application.version };
  const moved = await withTx(db, (tx) => moveToReview(tx, services, admin, target));
  const back = await withTx(db, (tx) =>
    requestResubmission(tx, services, admin, {
      ...target,
      version: moved.version,
      notes: written,
      items: [
        { item: 'contact', note: written },
        { item: 'id_back', note: written },
      ],
    }),
  );
  expect(back.history.at(-1)).toMatchObject({ notes: written });

  const link = signLink(services, { documentId: wallet.id, viewerId: owner.actor.id });
  const query = new URL(link.url, 'http://localhost').searchParams;
  const sent = await openDocument(db, services, owner, {
    id: wallet.id,
    expires: Number(query.get('expires')),
    signature: query.get('signature') ?? '',
  });
  expect(sent.fileName).toBe(`${COMPLETE_ANSWERS.idNumber}.jpg`);

  const files = readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true });
  const stored = files.filter((file) => file.isFile());
  expect(stored).toHaveLength(3);
  const inFiles = stored.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
  const inDatabase = await everythingStored();
  for (const text of [...inFiles, inDatabase, stored.map(({ name }) => name).join('\n')]) {
    expect(text).not.toContain(COMPLETE_ANSWERS.idNumber);
    expect(text).not.toContain(COMPLETE_ANSWERS.dateOfBirth);
    expect(text).not.toContain(COMPLETE_ANSWERS.phoneNumber);
    expect(text).not.toContain('JFIF');
    expect(text).not.toContain('\u00ff\u00d8\u00ff');
    expect(text).not.toContain(sent.bytes.subarray(200, 216).toString('latin1'));
  }
});

test('an image moved to another document does not open', async () => {
  const { db } = opened;
  const services = createTestServices();
  const owner = await createPersonBy(db);
  const front = await giveDocument(db, services, owner, { type: 'government_id' });
  const back = await giveDocument(db, services, owner, { type: 'social_security' });
  const moved = services.files.contents.get(front.id);
  services.files.contents.set(back.id, moved ?? Buffer.alloc(0));
  const link = signLink(services, { documentId: back.id, viewerId: owner.actor.id });
  const query = new URL(link.url, 'http://localhost').searchParams;
  const opening = openDocument(db, services, owner, {
    id: back.id,
    expires: Number(query.get('expires')),
    signature: query.get('signature') ?? '',
  });
  await expect(opening).rejects.toThrow(/changed, moved/);
});
