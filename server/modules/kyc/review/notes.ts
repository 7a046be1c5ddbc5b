import type { ApplicationReview } from '#contract/api.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { checkNotOwn } from '#server/lib/actor.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';
import { unlessDestroyed } from '#server/vault/vault.ts';
import { loadItem } from './review-item.ts';
import type { ReviewItemRow } from './review-item.ts';

type ReviewNote = ApplicationReview['notes'][number];
type Subject = Pick<ReviewItemRow, 'id' | 'kind' | 'userId'>;

/**
 * Adds a note that admins alone see, encrypted under the key of the person it is about.
 *
 * @returns all notes of the item, oldest first
 * @throws {AppError} `not_found`, `own_request`
 */
export async function addNote(
  tx: Tx,
  services: Services,
  by: CommandContext,
  { itemId, text }: { itemId: string; text: string },
): Promise<ReviewNote[]> {
  const item = await loadItem(tx, itemId);
  checkNotOwn(by, item.userId);
  const now = services.clock.now();
  const id = newId(now.getTime());
  await tx
    .insertInto('kycNote')
    .values({
      id,
      ...(item.kind === 'application' ? { applicationId: itemId } : { profileId: itemId }),
      authorId: by.actor.id,
      textEncrypted: await services.vault.seal(tx, item.userId, placeOf(id), text),
      createdAt: now,
    })
    .execute();
  record(tx, by, 'kyc.note_added', { id: itemId, personId: item.userId });
  return listNotes(tx, services, item);
}

/** Private notes, oldest first; none where the person's key is destroyed. */
export async function listNotes(
  reader: Reader,
  { vault }: Pick<Services, 'vault'>,
  { id: itemId, kind, userId }: Subject,
): Promise<ReviewNote[]> {
  const rows = await reader
    .selectFrom('kycNote')
    .innerJoin('appUser', 'appUser.id', 'kycNote.authorId')
    .select(['kycNote.id', 'appUser.name', 'textEncrypted', 'kycNote.createdAt'])
    .where(kind === 'application' ? 'applicationId' : 'profileId', '=', itemId)
    .orderBy('kycNote.createdAt')
    .orderBy('kycNote.id')
    .execute();
  const notes = await Promise.all(
    rows.map(async ({ id, name, textEncrypted, createdAt }) => {
      const text = await unlessDestroyed(vault.open(reader, userId, placeOf(id), textEncrypted));
      return text && { id, by: name, text: text.toString('utf8'), at: createdAt.toISOString() };
    }),
  );
  return notes.filter((note) => note !== null);
}

function placeOf(noteId: string) {
  return { table: 'kyc_note', column: 'text_encrypted', rowId: noteId };
}
