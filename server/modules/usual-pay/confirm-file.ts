import { isDeepStrictEqual } from 'node:util';
import type { UsualPayImport } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { usualPayImportCan } from '#contract/usual-pay-file.ts';
import type { UsualPayImportAction } from '#contract/usual-pay-file.ts';
import { lockUsers } from '#server/db/lock-user.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { newId } from '#server/lib/ids.ts';
import { lastStated, recordAudit } from '#server/modules/audit/index.ts';
import { record } from '#server/modules/journal/index.ts';
import { readDuties } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { detailsOf, insertChanges } from './change.ts';
import type { FileChange } from './check-file.ts';
import {
  changesOf,
  findImport,
  hashOf,
  keptOf,
  needsSecond,
  presentImport,
  refusalToConfirm,
} from './file-import.ts';
import type { ImportRow } from './file-import.ts';
import {
  changedLines,
  comparedMinor,
  dayProblems,
  refusalOfLine,
  refusalOfPerson,
} from './rules.ts';
import { readPeople } from './usual-pay.ts';
import type { PersonOnDay } from './usual-pay.ts';

/**
 * Confirms a checked file as it was seen: makes all of its changes together, or none. Where one of them is above the
 * company's setting, the first confirmation lets the file wait for a second administrator, who confirms it again.
 *
 * @throws {AppError} `import_not_found`, `import_wrong_status`, `conflict` where another file was seen or the row
 *   is not the one that was checked, `own_request` for
 *   an administrator whom it changes, `second_person_needed`, `usual_pay_file_stale`
 */
export async function confirmUsualPayFile(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, hash }: { id: string; hash: string },
): Promise<UsualPayImport> {
  const row = await lockImport(tx, id, 'confirm');
  const changes = changesOf(row);
  const isSeen = row.hash.toString('hex') === hash && hashOf(changes.map(keptOf)).equals(row.hash);
  if (!isSeen || !(await isAsRecorded(tx, row))) throw new AppError('conflict');
  const settings = await readSettings(tx);
  const duties = await readDuties(tx, settings);
  const refusal = refusalToConfirm(duties, by.actor.id, row, changes);
  if (refusal !== null) throw refusal.error;
  await lockUsers(
    tx,
    changes.map(({ userId }) => userId),
  );
  const now = services.clock.now();
  const people = await readPeople(tx, changes, now);
  checkUnchanged(changes, people, { settings, now, actorId: by.actor.id });
  const isSecond = row.status === 'waiting';
  if (!isSecond && needsSecond(changes, people, duties)) await send(tx, by, row, now);
  else await take(tx, by, row, { changes, people, settings, now });
  return presentImport(tx, services, by.actor.id, await findImport(tx, id));
}

/** Throws away a file that is not taken, whoever uploaded it. @throws {AppError} `import_not_found`, `import_wrong_status` */
export async function discardUsualPayFile(tx: Tx, by: CommandContext, id: string): Promise<void> {
  await lockImport(tx, id, 'discard');
  await tx.deleteFrom('usualPayImport').where('id', '=', id).execute();
  record(tx, by, 'usual_pay_import.discarded', { id });
}

/** False if the row was changed past the commands: its changes, or the administrators who checked and confirmed it. */
async function isAsRecorded(tx: Tx, { id, hash, createdBy, sentBy }: ImportRow): Promise<boolean> {
  const by = async (action: string) => {
    const found = await lastStated(tx, { type: 'usual_pay_import', id }, { key: 'hash', action });
    return found?.value === hash.toString('hex') ? found.actorId : null;
  };
  return (
    (await by('usual_pay_import.checked')) === createdBy &&
    (await by('usual_pay_import.sent')) === sentBy
  );
}

async function lockImport(tx: Tx, id: string, action: UsualPayImportAction): Promise<ImportRow> {
  const row = await findImport(tx, id, { isLocked: true });
  if (can(usualPayImportCan, action, row.status)) return row;
  throw new AppError('import_wrong_status', { status: row.status });
}

/** Everything that was checked still holds. @throws {AppError} `usual_pay_file_stale` */
function checkUnchanged(
  changes: readonly FileChange[],
  people: ReadonlyMap<string, PersonOnDay>,
  { settings, now, actorId }: { settings: CompanySettings; now: Date; actorId: string },
): void {
  const problemOfDay = dayProblems(settings, now);
  const holds = ({ userId, validFrom, lines }: FileChange) => {
    const person = people.get(userId);
    return (
      person !== undefined &&
      refusalOfPerson(person, actorId) === null &&
      problemOfDay(validFrom) === undefined &&
      isDeepStrictEqual(changedLines(lines, person), lines) &&
      lines.every((line) => refusalOfLine(line, person, settings) === null)
    );
  };
  if (!changes.every(holds)) throw new AppError('usual_pay_file_stale');
}

async function send(tx: Tx, by: CommandContext, row: ImportRow, now: Date): Promise<void> {
  await tx
    .updateTable('usualPayImport')
    .set({ status: 'waiting', sentBy: by.actor.id, sentAt: now })
    .where('id', '=', row.id)
    .execute();
  const people = changesOf(row).length;
  record(tx, by, 'usual_pay_import.sent', {
    id: row.id,
    at: now,
    details: { people, hash: row.hash.toString('hex') },
    words: { people: people === 1 ? '1 person' : `${people.toLocaleString('en-US')} people` },
  });
}

interface Taking {
  changes: readonly FileChange[];
  people: ReadonlyMap<string, PersonOnDay>;
  settings: CompanySettings;
  now: Date;
}

/**
 * Makes the changes. Where the file took two, each is made by the first administrator and confirmed by the second. Each
 * is recorded as a change of the form is, but admins are not notified of every one.
 */
async function take(
  tx: Tx,
  by: CommandContext,
  row: ImportRow,
  { changes, people, settings: { currency }, now }: Taking,
): Promise<void> {
  const isSecond = row.sentBy !== null;
  const maker =
    row.sentBy === null || row.senderName === null
      ? by
      : { actor: { id: row.sentBy, role: 'admin' as const, name: row.senderName } };
  const reason = `File ${row.fileName}`;
  const made = changes.map(({ userId, validFrom, lines }) => ({
    id: newId(now.getTime()),
    userId,
    validFrom,
    reason,
    currency,
    lines,
    comparedMinor: comparedMinor(lines, invariant(people.get(userId), 'was checked')),
    needsSecond: isSecond,
    createdBy: maker.actor.id,
    confirmedBy: isSecond ? by.actor.id : null,
  }));
  await insertChanges(tx, made, now);
  const at = now.toISOString();
  for (const change of made) {
    const { id, userId } = change;
    const of = { subjectType: 'usual_pay_change', subjectId: id, personId: userId } as const;
    recordAudit(tx, {
      ...of,
      by: maker,
      action: isSecond ? 'usual_pay.proposed' : 'usual_pay.set',
      details: { ...detailsOf(change), at, importId: row.id },
    });
    if (!isSecond) continue;
    recordAudit(tx, { ...of, by, action: 'usual_pay.confirmed', details: { from: 'waiting', at } });
  }
  await tx
    .updateTable('usualPayImport')
    .set({ status: 'taken', takenBy: by.actor.id, takenAt: now })
    .where('id', '=', row.id)
    .execute();
  record(tx, by, 'usual_pay_import.taken', {
    id: row.id,
    at: now,
    details: { people: changes.length, hash: row.hash.toString('hex') },
  });
}
