import type { KycApplication } from '#contract/api.ts';
import { RESUBMISSION_ITEM_LABELS } from '#contract/kyc.ts';

type Noted = Pick<KycApplication['history'][number], 'notes' | 'items'>;

/** A thing that has to be changed, with what is wrong with it where it was noted. */
export function itemLine({ item, note }: Noted['items'][number]): string {
  const label = RESUBMISSION_ITEM_LABELS[item];
  return note === '' ? label : `${label}: ${note}`;
}

/** What a reviewer wrote with an action: the notes, then a line for each thing to be corrected. */
export function notesOf({ notes, items }: Noted): string | undefined {
  const lines = items.map(itemLine);
  if (notes !== null) lines.unshift(notes);
  return lines.length === 0 ? undefined : lines.join('\n');
}
