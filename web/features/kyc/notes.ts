import type { KycApplication } from '#contract/api.ts';
import { RESUBMISSION_ITEM_LABELS } from '#contract/kyc.ts';
import { ANSWER_LABELS, wordsOfAnswer } from './answer-words.ts';

type Noted = Pick<KycApplication['history'][number], 'notes' | 'items' | 'changes'>;
type Change = Noted['changes'][number];

/** A thing that has to be changed, with what is wrong with it where it was noted. */
export function itemLine({ item, note }: Noted['items'][number]): string {
  const label = RESUBMISSION_ITEM_LABELS[item];
  return note === '' ? label : `${label}: ${note}`;
}

/** An answer before and after a correction: "City: Seattle → Tacoma". */
function changeLine({ answer, before, after }: Change): string {
  const text = (value: string | null) =>
    value === null ? 'None' : wordsOfAnswer({ answers: { [answer]: value }, answered: [] }, answer);
  return `${ANSWER_LABELS[answer]}: ${text(before)} → ${text(after)}`;
}

/** Notes of a reviewer, then a line for each thing to be corrected and for each answer that was. */
export function notesOf({ notes, items, changes }: Noted): string | undefined {
  const lines = [...items.map(itemLine), ...changes.map(changeLine)];
  if (notes !== null) lines.unshift(notes);
  return lines.length === 0 ? undefined : lines.join('\n');
}
