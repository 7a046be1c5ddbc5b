import type { KycApplication } from '#contract/api.ts';
import type { KycAnswerName, KycAnswersPatch } from '#contract/routes/kyc-answers.ts';
import {
  formatProblem,
  type AnswerField,
  type AnswerValues,
} from '#web/features/kyc/answer-values.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { hashSecurityAnswer } from './hash-answer.ts';

export type Edits = Partial<AnswerValues>;

/**
 * The edits that can be saved: those in the form that an answer must have. An emptied field clears its
 * answer; an emptied security answer keeps the one there is, which nobody can see.
 *
 * @throws UnhashableError where a security answer cannot be hashed
 */
export async function patchOf(
  edits: Edits,
  isHeld: (field: AnswerField) => boolean,
): Promise<{ fields: AnswerField[]; patch: KycAnswersPatch }> {
  const fields: AnswerField[] = [];
  const patch: Record<string, string | number | boolean | null> = {};
  for (const [field, value] of entriesOf(edits)) {
    if (isHeld(field) || formatProblem(field, value) !== undefined) continue;
    fields.push(field);
    if (field !== 'securityAnswer') patch[field] = answerFrom(field, value);
    else if (typeof value === 'string' && value.trim() !== '') {
      patch['securityAnswerHash'] = await hashSecurityAnswer(value);
    }
  }
  return { fields, patch };
}

export function entriesOf(edits: Edits): [AnswerField, string | boolean][] {
  return Object.entries(edits) as [AnswerField, string | boolean][];
}

function answerFrom(field: AnswerField, value: string | boolean): string | number | boolean | null {
  if (typeof value === 'boolean') return value;
  const text = value.trim();
  if (text === '') return null;
  if (field === 'dateOfBirth' || field === 'idExpiryDate') return parseTypedDate(text) ?? null;
  return field === 'expectedMonthlyTxVolume' ? Number(text) : text;
}

/**
 * The answers that are different in `newer` for another reason than that one of `sent` was saved:
 * another person, or another tab, changed them. What they changed to as `wanted` wants it does not
 * count; of a security answer nobody knows what it was changed to.
 *
 * @param sent patches whose arrival nobody knows
 */
export function changedElsewhere(
  base: KycApplication,
  newer: KycApplication,
  sent: readonly KycAnswersPatch[],
  wanted: KycAnswersPatch = {},
): KycAnswerName[] {
  const names = new Set([...base.answered, ...newer.answered]);
  return [...names].filter((name) => {
    if (name === 'securityAnswerHash') {
      const isSame = base.securityAnswerMark === newer.securityAnswerMark;
      return !isSame && sent.every((patch) => patch[name] === undefined);
    }
    const [was, is] = [base.answers[name] ?? null, newer.answers[name] ?? null];
    return was !== is && [...sent, wanted].every((patch) => patch[name] !== is);
  });
}
