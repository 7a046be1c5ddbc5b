import type { RouteInput } from '#contract/api.ts';
import { RESUBMISSION_ITEMS, type ResubmissionItem } from '#contract/kyc.ts';
import type { Problems } from '#web/lib/form.ts';

export type ResubmissionInput = Omit<RouteInput<'adminRequestResubmission'>['body'], 'version'>;

/** The form as it is filled in: what is wrong with each section or document, null where it is not named. */
export type ResubmissionValues = Record<ResubmissionItem, string | null> & {
  notes: string;
  /** Holds no value: it is where the whole list's problem stands. */
  items: '';
};

export const RESUBMISSION_FIELDS = ['items', ...RESUBMISSION_ITEMS, 'notes'] as const;

/** What is missing; the server's words for each. */
export function checkResubmission(values: ResubmissionValues): Problems<ResubmissionValues> {
  const problems: Problems<ResubmissionValues> = {};
  const named = RESUBMISSION_ITEMS.filter((item) => values[item] !== null);
  if (named.length === 0) problems.items = 'Name at least one section or document';
  for (const item of named) {
    if (values[item]?.trim() === '') problems[item] = 'Say what has to be mended';
  }
  if (values.notes.trim() === '') problems.notes = 'Notes are required';
  return problems;
}

/** The sections and documents that are named, as they are sent. */
export function itemsOf(values: ResubmissionValues): ResubmissionInput['items'] {
  return RESUBMISSION_ITEMS.flatMap((item) => {
    const note = values[item];
    return note === null ? [] : [{ item, note: note.trim() }];
  });
}
