import type { ResubmissionItem } from './kyc.ts';
import { NOTES_MAX_LENGTH, REASON_MAX_LENGTH } from './limits.ts';
import { paragraph } from './rules.ts';

/** Why something was decided against a person, who reads it. */
export const reasonRule = paragraph(REASON_MAX_LENGTH, 'Rejection reason is required');

/** Why a name or an address was corrected, which its owner reads. */
export const correctionReasonRule = paragraph(REASON_MAX_LENGTH, 'Enter the reason');

/** Notes of an admin to a person who must change their application. */
export const notesRule = paragraph(NOTES_MAX_LENGTH, 'Notes are required');

/** Notes of admins to each other about an application. */
export const privateNoteRule = paragraph(NOTES_MAX_LENGTH, 'Write a note first');

/** Note about one section or document of it. */
export const itemNoteRule = paragraph(REASON_MAX_LENGTH, 'Enter what has to be changed');

export const NO_ITEMS_PROBLEM = 'Name at least one section or document';

/**
 * Gaps of a request for resubmission that does not yet say what to change: general notes are enough,
 * and so is a note on each thing that is named. Nothing where it says enough.
 */
export function unexplained({
  notes,
  items,
}: {
  notes: string;
  items: readonly { item: ResubmissionItem; note: string }[];
}): (ResubmissionItem | 'notes')[] {
  if (notes.trim() !== '') return [];
  const silent = items.filter(({ note }) => note.trim() === '').map(({ item }) => item);
  return silent.length === items.length ? ['notes'] : silent;
}

/** A reason as a sentence, to which another one can be added. */
export function reasonSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`;
}
