import type { RouteInput } from '#contract/api.ts';
import { NUMBER_CHECKS } from '#contract/questions.ts';
import type { Findings, Missing } from '#contract/verify-number.ts';
import { heightOf, type ProofSubject } from '#contract/verify-shown.ts';
import { formatCount } from '#web/lib/format.ts';

/** A number that failed a check, in the form in which it is reported to the admins. */
export interface ProofReport {
  /** The history row to which the report belongs. */
  event: RouteInput<'askQuestion'>['params']['id'];
  body: RouteInput<'askQuestion'>['body'];
}

interface Words {
  company: string;
  /** Formats a moment as a day. */
  day: (at: string) => string;
}

/** Describes the failed check in one sentence. */
export function whatIsWrong({ changed, fault, missing, states }: Findings, words: Words): string {
  const [line] = changed;
  if (line !== undefined) {
    return `The line of ${words.day(line.event.at)} is not the one that was sealed in block ${formatCount(heightOf(line))}.`;
  }
  if (fault !== undefined) return FAULTS[fault];
  if (missing !== undefined) return whatIsMissing(missing);
  return states.signature === 'wrong'
    ? `The seal was not made with ${words.company}’s key.`
    : 'The entries do not make this number.';
}

export const FAULTS: Record<NonNullable<Findings['fault']>, string> = {
  answer: 'The answer is about another number than the one you opened.',
  account: 'An account is not the one that was sealed as yours.',
};

export function whatIsMissing(missing: Missing): string {
  switch (missing.what) {
    case 'number':
      return 'The numbers of the entries have a gap.';
    case 'block':
      return `Block ${formatCount(missing.height)} does not follow from the one before it.`;
    case 'root':
      return `Block ${formatCount(missing.height)} was in the books before, and is not what it was.`;
    case 'entry':
      return `Entry ${formatCount(missing.number)} of this account was here before, and is not shown.`;
    case 'newer':
      return 'The account has other entries by now. Check again.';
  }
}

function heightOfMissing(missing: Missing | undefined): bigint | undefined {
  return missing !== undefined && 'height' in missing ? missing.height : undefined;
}

/** Line, block and root of the failed check. Null if nothing failed. */
export function reportOf(
  subject: ProofSubject,
  findings: Findings,
  /** Result of {@link whatIsWrong}. */
  what: string,
): ProofReport | null {
  const check = NUMBER_CHECKS.find((name) => findings.states[name] === 'wrong');
  const line = findings.changed[0] ?? subject.lines.at(-1);
  if (check === undefined || line === undefined) return null;
  const block = line.movement.proof?.block;
  const isOfLine = check === 'sum' || check === 'content';
  return {
    event: line.event.id,
    body: {
      question: `The proof of this number failed. ${what}`,
      finding: {
        check,
        block: isOfLine
          ? (block?.height ?? null)
          : ((heightOfMissing(findings.missing) ?? findings.followed?.last.height)?.toString() ??
            null),
        root: (isOfLine ? block?.root : findings.followed?.last.root) ?? null,
      },
    },
  };
}
