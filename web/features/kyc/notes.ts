import type { KycApplication } from '#contract/api.ts';
import { RESUBMISSION_ITEM_LABELS } from '#contract/kyc.ts';

type Noted = Pick<KycApplication['history'][number], 'notes' | 'items'>;

/** What a reviewer wrote with an action: the notes, then a line for each thing to be corrected. */
export function notesOf({ notes, items }: Noted): string | undefined {
  const lines = items.map(({ item, note }) => `${RESUBMISSION_ITEM_LABELS[item]}: ${note}`);
  if (notes !== null) lines.unshift(notes);
  return lines.length === 0 ? undefined : lines.join('\n');
}
