import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { destroyDocuments } from './change-documents.ts';
import { destroyWords } from './history.ts';
import { lockPerson } from './lock-person.ts';
import { recomputeProfile } from './profile.ts';

const DAY_MS = 86_400_000;
/** An upload that takes longer than this to be attached never will be. */
const STAGED_FOR_MS = 3_600_000;
const CHUNK = 100;

/**
 * Destroys what is past its time: identity material whose retention has ended, and files that no
 * document rests on. Safe to run anywhere, any time, and to be killed.
 *
 * @returns how many people's material and how many files were destroyed
 */
export async function sweepIdentity(
  db: Db,
  services: Services,
): Promise<{ people: number; files: number }> {
  const { kycRetentionDays } = await readSettings(db);
  const endedBefore = new Date(services.clock.now().getTime() - kycRetentionDays * DAY_MS);
  let people = 0;
  for (const userId of await peopleWithEnded(db, endedBefore)) {
    await withTx(db, (tx) => destroyEnded(tx, services, { userId, endedBefore }));
    people += 1;
  }
  return { people, files: await destroyFiles(db, services) };
}

/**
 * Whose material has ended: it was rejected or replaced, or its owner's account was closed, longer
 * ago than it has to be kept.
 */
async function peopleWithEnded(db: Db, endedBefore: Date): Promise<string[]> {
  const applications = db
    .selectFrom('kycApplication')
    .innerJoin('appUser', 'appUser.id', 'kycApplication.userId')
    .select('userId')
    .where('answersEncrypted', 'is not', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('status', '=', 'rejected'), eb('decidedAt', '<', endedBefore)]),
        eb('appUser.deactivatedAt', '<', endedBefore),
      ]),
    );
  const documents = db
    .selectFrom('kycDocument')
    .innerJoin('appUser', 'appUser.id', 'kycDocument.userId')
    .select('userId')
    .where('destroyedAt', 'is', null)
    .where((eb) =>
      eb.or([eb('replacedAt', '<', endedBefore), eb('appUser.deactivatedAt', '<', endedBefore)]),
    );
  const rows = await applications.union(documents).execute();
  return rows.map(({ userId }) => userId);
}

/** Destroys what has ended of one person's, and leaves the record that it did. */
async function destroyEnded(
  tx: Tx,
  services: Services,
  { userId, endedBefore }: { userId: string; endedBefore: Date },
): Promise<void> {
  const now = services.clock.now();
  const { deactivatedAt } = await lockPerson(tx, userId);
  const isClosed = deactivatedAt !== null && deactivatedAt < endedBefore;
  const applications = await tx
    .updateTable('kycApplication')
    .set((eb) => ({
      answersEncrypted: null,
      idNumberHash: null,
      phoneHash: null,
      addressHash: null,
      hashKeyId: null,
      securityAnswerHash: null,
      securityAnswerKeyId: null,
      answered: [],
      version: eb('version', '+', 1),
      destroyedAt: now,
    }))
    .where('userId', '=', userId)
    .where('answersEncrypted', 'is not', null)
    .where((eb) =>
      isClosed
        ? eb.lit(true)
        : eb.and([eb('status', '=', 'rejected'), eb('decidedAt', '<', endedBefore)]),
    )
    .returning('id')
    .execute();
  const applicationIds = applications.map(({ id }) => id);
  const documents = await tx
    .selectFrom('kycDocument')
    .select(['id', 'fileId'])
    .where('userId', '=', userId)
    .where('destroyedAt', 'is', null)
    .where((eb) =>
      isClosed
        ? eb.lit(true)
        : eb.or([
            eb('replacedAt', '<', endedBefore),
            eb('applicationId', 'in', [...applicationIds, NOBODY]),
          ]),
    )
    .forNoKeyUpdate()
    .execute();
  await tx
    .updateTable('kycDocument')
    .set({ replacedAt: now })
    .where('replacedAt', 'is', null)
    .where('id', 'in', [...documents.map(({ id }) => id), NOBODY])
    .execute();
  await destroyDocuments(tx, documents, now);
  await destroyWords(tx, applicationIds);
  await deleteNotes(tx, applicationIds, isClosed ? userId : null);
  if (isClosed) await recomputeProfile(tx, services, userId);
  await recordAudit(tx, {
    by: { actor: 'system' },
    action: 'kyc.material_destroyed',
    subjectType: 'app_user',
    subjectId: userId,
    personId: userId,
    details: { applications: applications.length, documents: documents.length },
  });
}

/** No row has it: keeps a list from being empty, which SQL has no words for. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

async function deleteNotes(
  tx: Tx,
  applicationIds: readonly string[],
  closedUserId: string | null,
): Promise<void> {
  await tx
    .deleteFrom('kycNote')
    .where((eb) =>
      eb.or([
        eb('applicationId', 'in', [...applicationIds, NOBODY]),
        eb(
          'profileId',
          'in',
          eb
            .selectFrom('kycProfile')
            .select('id')
            .where('userId', '=', closedUserId ?? NOBODY),
        ),
      ]),
    )
    .execute();
}

/** The object first, then its row: killed in between, the next sweep finds it again. */
async function destroyFiles(db: Db, { clock, files }: Services): Promise<number> {
  const stagedBefore = new Date(clock.now().getTime() - STAGED_FOR_MS);
  let destroyed = 0;
  for (;;) {
    const rows = await db
      .selectFrom('kycFile')
      .select('id')
      .where((eb) =>
        eb.or([
          eb('state', '=', 'discarded'),
          eb.and([eb('state', '=', 'staged'), eb('stateSince', '<', stagedBefore)]),
        ]),
      )
      .orderBy('stateSince')
      .limit(CHUNK)
      .execute();
    for (const { id } of rows) {
      // From here on its upload can no longer be attached.
      await db.updateTable('kycFile').set({ state: 'discarded' }).where('id', '=', id).execute();
      await files.delete(id);
      await db.deleteFrom('kycFile').where('id', '=', id).execute();
    }
    destroyed += rows.length;
    if (rows.length < CHUNK) return destroyed;
  }
}
