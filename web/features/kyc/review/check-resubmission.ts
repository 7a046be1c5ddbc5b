import type { RouteInput } from '#contract/api.ts';
import { RESUBMISSION_ITEMS, type ResubmissionItem } from '#contract/kyc.ts';
import { NO_ITEMS_PROBLEM, itemNoteRule, notesRule, unexplained } from '#contract/reasons.ts';
import { problemUnlessEmpty } from '#contract/rules.ts';
import type { Problems } from '#web/lib/form.ts';

export type ResubmissionInput = Omit<RouteInput<'adminRequestResubmission'>['body'], 'version'>;

/** The form as it is filled in: what is wrong with each section or document, null where it is not named. */
export type ResubmissionValues = Record<ResubmissionItem, string | null> & {
  notes: string;
  /** Holds no value: it is where the whole list's problem stands. */
  items: '';
};

/** The missing parts, each in the server's words. */
export function checkResubmission(values: ResubmissionValues): Problems<ResubmissionValues> {
  const problems: Problems<ResubmissionValues> = {};
  const named = RESUBMISSION_ITEMS.filter((item) => values[item] !== null);
  if (named.length === 0) problems.items = NO_ITEMS_PROBLEM;
  for (const item of named) {
    const problem = problemUnlessEmpty(itemNoteRule, values[item] ?? '');
    if (problem !== undefined) problems[item] = problem;
  }
  const notesProblem = problemUnlessEmpty(notesRule, values.notes);
  if (notesProblem !== undefined) problems.notes = notesProblem;
  for (const place of unexplained({ notes: values.notes, items: itemsOf(values) })) {
    const problem = (place === 'notes' ? notesRule : itemNoteRule).problem('');
    if (problem !== undefined) problems[place] = problem;
  }
  return problems;
}

/** The sections and documents that are named, as they are sent. */
export function itemsOf(values: ResubmissionValues): ResubmissionInput['items'] {
  return RESUBMISSION_ITEMS.flatMap((item) => {
    const note = values[item];
    return note === null ? [] : [{ item, note: note.trim() }];
  });
}
