import type { Db } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';

/** An upload that takes longer than this to be attached never will be. */
const STAGED_FOR_MS = 3_600_000;
const CHUNK = 100;

/**
 * The names of files to destroy, oldest first: discarded, or staged for too long. Each is named once,
 * whether or not it could be destroyed.
 */
export async function* sweptFiles(
  db: Db,
  { clock }: Pick<Services, 'clock'>,
): AsyncGenerator<string> {
  const stagedBefore = new Date(clock.now().getTime() - STAGED_FOR_MS);
  const swept = db
    .selectFrom('kycFile')
    .select(['id', 'stateSince'])
    .where((eb) =>
      eb.or([
        eb('state', '=', 'discarded'),
        eb.and([eb('state', '=', 'staged'), eb('stateSince', '<', stagedBefore)]),
      ]),
    )
    .orderBy('stateSince')
    .orderBy('id')
    .limit(CHUNK);
  let rows = await swept.execute();
  for (;;) {
    for (const { id } of rows) yield id;
    const last = rows.at(-1);
    if (last === undefined || rows.length < CHUNK) return;
    rows = await swept
      .where((eb) => eb(eb.refTuple('stateSince', 'id'), '>', eb.tuple(last.stateSince, last.id)))
      .execute();
  }
}

/**
 * Destroys a file: the object first, then its row, so that a sweep that is killed in between finds it
 * again.
 *
 * @returns false where a document rests on it by now: its upload was attached in between
 */
export async function destroyFile(
  db: Db,
  { files }: Pick<Services, 'files'>,
  id: string,
): Promise<boolean> {
  // From here on its upload can no longer be attached.
  const discarded = await db
    .updateTable('kycFile')
    .set({ state: 'discarded' })
    .where('id', '=', id)
    .where('state', '<>', 'kept')
    .returning('id')
    .executeTakeFirst();
  if (discarded === undefined) return false;
  await files.delete(id);
  await db.deleteFrom('kycFile').where('id', '=', id).execute();
  return true;
}
