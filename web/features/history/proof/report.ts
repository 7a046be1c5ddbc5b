import type { RouteInput } from '#contract/api.ts';
import { NUMBER_CHECKS } from '#contract/questions.ts';
import { formatCount } from '#web/lib/format.ts';
import type { Findings } from './run-checks.ts';
import { heightOf, type ProofSubject } from './subject.ts';

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
export function whatIsWrong({ changed, brokenAt, states }: Findings, words: Words): string {
  const [line] = changed;
  if (line !== undefined) {
    return `The line of ${words.day(line.event.at)} is not the one that was sealed in block ${formatCount(heightOf(line))}.`;
  }
  if (brokenAt !== undefined) {
    return `Block ${formatCount(brokenAt)} does not follow from the one before it.`;
  }
  return states.signature === 'wrong'
    ? `The seal was not made with ${words.company}’s key.`
    : 'The entries do not make this number.';
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
          : ((findings.brokenAt ?? findings.followed?.last.height ?? null)?.toString() ?? null),
        root: (isOfLine ? block?.root : findings.followed?.last.root) ?? null,
      },
    },
  };
}
