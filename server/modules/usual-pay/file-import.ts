import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { UsualPayImport } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { USUAL_PAY_FILE_SHOWN } from '#contract/usual-pay-file.ts';
import type { WalletType } from '#contract/wallets.ts';
import { personName } from '#server/db/person-name.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import {
  presentSecondPeople,
  readDuties,
  refusalOf,
  secondPersonNeeded,
  thresholdInForce,
} from '#server/modules/security/index.ts';
import type { Duties, Refusal } from '#server/modules/security/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { presentLines } from './change.ts';
import type { FileChange } from './check-file.ts';
import { comparedMinor } from './rules.ts';
import { readPeople } from './usual-pay.ts';
import type { PersonOnDay } from './usual-pay.ts';

/** A line as it is kept in JSON. */
interface KeptLine {
  walletType: WalletType;
  beforeMinor: string;
  amountMinor: string;
}
/** A change as it is kept in JSON. */
export type KeptChange = Omit<FileChange, 'lines'> & { lines: KeptLine[] };

export function keptOf({ lines, ...change }: FileChange): KeptChange {
  return {
    ...change,
    lines: lines.map(({ walletType, beforeMinor, amountMinor }) => ({
      walletType,
      beforeMinor: beforeMinor.toString(),
      amountMinor: amountMinor.toString(),
    })),
  };
}

export function changeOf({ lines, ...change }: KeptChange): FileChange {
  return {
    ...change,
    lines: lines.map(({ walletType, beforeMinor, amountMinor }) => ({
      walletType,
      beforeMinor: BigInt(beforeMinor),
      amountMinor: BigInt(amountMinor),
    })),
  };
}

/** SHA-256 over the changes: what is confirmed is what was seen. */
export function hashOf(changes: readonly KeptChange[]): Buffer {
  const parts = changes.map(({ userId, validFrom, lines }) => [
    userId,
    validFrom,
    ...lines.map(({ walletType, beforeMinor, amountMinor }) => [
      walletType,
      beforeMinor,
      amountMinor,
    ]),
  ]);
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

export type ImportRow = Awaited<ReturnType<typeof findImport>>;

/** @throws {AppError} `import_not_found` */
export async function findImport(reader: Reader, id: string, { isLocked = false } = {}) {
  const found = await selectImports(reader)
    .where('usualPayImport.id', '=', id)
    .$if(isLocked, (query) => query.forUpdate('usualPayImport'))
    .executeTakeFirst();
  if (found === undefined) throw new AppError('import_not_found');
  return found;
}

/** The file that is not taken yet, or else the one taken last; undefined before the first. */
export async function latestImport(reader: Reader) {
  return selectImports(reader)
    .orderBy(sql`status = 'taken'`)
    .orderBy('usualPayImport.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

function selectImports(reader: Reader) {
  return reader
    .selectFrom('usualPayImport')
    .selectAll('usualPayImport')
    .select(personName('usual_pay_import.created_by').as('makerName'))
    .select(personName<string | null>('usual_pay_import.sent_by').as('senderName'))
    .select(personName<string | null>('usual_pay_import.taken_by').as('takerName'))
    .$narrowType<{ changes: never }>();
}

export function changesOf({ changes }: { changes: unknown }): FileChange[] {
  return (changes as KeptChange[]).map(changeOf);
}

/** True if one of the changes reaches the company's setting, so that the file takes a second administrator. */
export function needsSecond(
  changes: readonly FileChange[],
  people: ReadonlyMap<string, PersonOnDay>,
  duties: Duties,
): boolean {
  const least = thresholdInForce(duties, 'usualPay');
  if (least === null) return false;
  return changes.some((change) => {
    const person = people.get(change.userId);
    return person !== undefined && comparedMinor(change.lines, person) >= least;
  });
}

/** The refusal of an administrator who would confirm a file: they are changed by it, or it takes another one now. */
interface FileRefusal {
  error: AppError;
  /** Those who may confirm it instead, where it waits for a second administrator. */
  people: Refusal['people'];
}

/**
 * Refusal of confirming a file; null where the administrator may. The list of what waits has the same rule as SQL
 * (`usualPayFiles` in `server/modules/activity/waiting.ts`).
 */
export function refusalToConfirm(
  duties: Duties,
  actorId: string,
  { status, createdBy, sentBy }: Pick<ImportRow, 'status' | 'createdBy' | 'sentBy'>,
  changes: readonly Pick<FileChange, 'userId'>[],
): FileRefusal | null {
  const notBy = changes.map(({ userId }) => userId);
  const rule = { rule: 'always', did: 'you confirmed this file first' } as const;
  const second =
    status === 'waiting'
      ? refusalOf(duties, actorId, rule, { doneBy: [sentBy, createdBy], notBy })
      : null;
  const people = second?.people ?? [];
  if (notBy.includes(actorId)) return { error: new AppError('own_request'), people };
  if (second === null) return null;
  return { error: secondPersonNeeded(second, duties.settings.timeZone), people };
}

/** A file of usual pay as an administrator sees it. */
export async function presentImport(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  actorId: string,
  row: ImportRow,
): Promise<UsualPayImport> {
  const settings = await readSettings(reader);
  const duties = await readDuties(reader, settings);
  const changes = changesOf(row);
  const { currency } = settings;
  const sum = (of: 'beforeMinor' | 'amountMinor') =>
    money(
      changes.flatMap(({ lines }) => lines).reduce((total, line) => total + line[of], 0n),
      currency,
    );
  const shown = changes.slice(0, USUAL_PAY_FILE_SHOWN);
  const names = await namesOf(reader, shown);
  const refusal = row.status === 'taken' ? null : refusalToConfirm(duties, actorId, row, changes);
  return {
    id: row.id,
    fileName: row.fileName,
    status: row.status,
    hash: row.hash.toString('hex'),
    counts: { changed: changes.length, same: row.sameCount },
    before: sum('beforeMinor'),
    after: sum('amountMinor'),
    uploadedBy: { id: row.createdBy, name: row.makerName },
    uploadedAt: row.createdAt.toISOString(),
    sentBy: row.senderName,
    taken:
      row.takerName === null || row.takenAt === null
        ? null
        : { by: row.takerName, at: row.takenAt.toISOString() },
    refusal: refusal?.error.message ?? null,
    needsSecond:
      row.status === 'checked' &&
      needsSecond(changes, await readPeople(reader, changes, clock.now()), duties),
    approval:
      row.status === 'waiting'
        ? {
            mayApprove: refusal === null,
            isMine: row.sentBy === actorId || row.createdBy === actorId,
            people: presentSecondPeople(refusal?.people ?? []),
          }
        : null,
    changes: shown.map(({ row: number, userId, validFrom, lines }) => ({
      row: number,
      person: names.get(userId) ?? { id: userId, name: '', employeeId: null },
      validFrom,
      lines: presentLines(lines, currency),
    })),
  };
}

async function namesOf(reader: Reader, changes: readonly FileChange[]) {
  const ids = changes.map(({ userId }) => userId);
  const people = await reader
    .selectFrom('appUser')
    .select(['id', 'name', 'employeeNumber as employeeId'])
    .where(sql<boolean>`id = ANY (${ids}::uuid[])`)
    .execute();
  return new Map(people.map((person) => [person.id, person]));
}
