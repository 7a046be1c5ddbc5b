import type { KycApplication } from '#contract/api.ts';
import { RESUBMISSION_ITEM_LABELS, type KycEvent } from '#contract/kyc.ts';
import type { DatedStep } from '#web/ui/dated-rail.tsx';
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

const TAKEN: Record<KycEvent, Pick<DatedStep, 'state' | 'what'>> = {
  submitted: { state: 'done', what: 'Submitted' },
  moved_to_review: { state: 'done', what: 'In review' },
  approved: { state: 'arrived', what: 'Approved' },
  rejected: { state: 'stop', what: 'Rejected' },
  resubmission_requested: { state: 'done', what: 'Resubmission requested' },
  name_changed: { state: 'done', what: 'Name changed, in review again' },
  address_corrected: { state: 'done', what: 'Address corrected' },
};

/** The steps of an application so far, for a rail, with person, notes and time. `words` differ from the owner's. */
export function stepsTaken(
  history: KycApplication['history'],
  words: Partial<Record<KycEvent, string>> = {},
): DatedStep[] {
  return history.map((event, place): DatedStep => {
    const isAgain =
      event.action === 'submitted' &&
      history.slice(0, place).some(({ action }) => action === 'submitted');
    return {
      ...TAKEN[event.action],
      what: isAgain ? 'Submitted again' : (words[event.action] ?? TAKEN[event.action].what),
      who: event.by,
      note: notesOf(event),
      at: event.at,
    };
  });
}
