import type { PayrollDraft, RouteInput } from '#contract/api.ts';
import { minorOf } from './amounts.ts';
import type { DraftPerson, Edits } from './amounts.ts';

/** Fields of the order that are not saved yet. */
export type Fields = Omit<RouteInput<'adminSavePayrollDraft'>['body'], 'version' | 'people'>;

export const NOTHING: Fields = {};

/** Amounts and fields that two people changed. */
export interface Conflict {
  who: string;
  /** People as the other person saved them, and the amount that was typed here. */
  people: { person: DraftPerson; minor: bigint | null }[];
  fields: (keyof Fields)[];
}

/** The draft, and everyone in it. */
interface Seen {
  draft: PayrollDraft;
  people: readonly DraftPerson[];
}

const SAVED: Edits = new Map();

/** People whose amount was changed here, and by another person to another amount. */
export function changedByBoth(
  before: readonly DraftPerson[],
  after: readonly DraftPerson[],
  edits: Edits,
): Conflict['people'] {
  const known = amountsOf(before);
  return after.flatMap((person) => {
    const minor = edits.get(person.id);
    const theirs = minorOf(person, SAVED);
    const isBoth = minor !== undefined && theirs !== known.get(person.id) && theirs !== minor;
    return isBoth ? [{ person, minor }] : [];
  });
}

function amountsOf(people: readonly DraftPerson[]): Map<string, bigint | null> {
  return new Map(people.map((person) => [person.id, minorOf(person, SAVED)]));
}

/** Fields that were changed here, and by another person to something else. */
export function fieldsOfBoth(before: Seen, after: Seen, fields: Fields): Conflict['fields'] {
  const names = (
    ['payOn', 'walletType', 'department', 'description', 'note', 'amount'] as const
  ).filter(
    (name) =>
      fields[name] !== undefined &&
      !isSame(before.draft[name], after.draft[name]) &&
      !isSame(after.draft[name], fields[name]),
  );
  return fields.startFrom !== undefined && hasOtherAmounts(before, after)
    ? [...names, 'startFrom']
    : names;
}

/** Filling in would replace amounts that another person saved. */
function hasOtherAmounts({ people: before }: Seen, { people: after }: Seen): boolean {
  const known = amountsOf(before);
  return after.some((person) => minorOf(person, SAVED) !== (known.get(person.id) ?? null));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
