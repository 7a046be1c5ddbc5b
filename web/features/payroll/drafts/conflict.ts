import type { PayrollDraft, RouteInput } from '#contract/api.ts';
import { minorOf } from './amounts.ts';
import type { DraftPerson, Edits } from './amounts.ts';

/** Fields of the order that are not saved yet. */
export type Fields = Omit<RouteInput<'adminSavePayrollDraft'>['body'], 'version' | 'people'>;

/** Another person's save of amounts and fields that were changed here, too. */
export interface Conflict {
  who: string;
  people: { person: DraftPerson; minor: bigint | null }[];
  fields: (keyof Fields)[];
}

const SAVED: Edits = new Map();

/** People whose amount was changed here, and by another person to another amount. */
export function changedByBoth(
  before: readonly DraftPerson[],
  after: readonly DraftPerson[],
  edits: Edits,
): Conflict['people'] {
  const known = new Map(before.map((person) => [person.id, minorOf(person, SAVED)]));
  return after.flatMap((person) => {
    const minor = edits.get(person.id);
    const theirs = minorOf(person, SAVED);
    const isBoth = minor !== undefined && theirs !== known.get(person.id) && theirs !== minor;
    return isBoth ? [{ person, minor }] : [];
  });
}

/** Fields that were changed here, and by another person to something else. */
export function fieldsOfBoth(
  before: PayrollDraft | undefined,
  after: PayrollDraft | undefined,
  fields: Fields,
): Conflict['fields'] {
  if (before === undefined || after === undefined) return [];
  return (['payOn', 'walletType', 'department', 'description', 'amount'] as const).filter(
    (name) =>
      fields[name] !== undefined &&
      JSON.stringify(before[name]) !== JSON.stringify(after[name]) &&
      JSON.stringify(after[name]) !== JSON.stringify(fields[name]),
  );
}
