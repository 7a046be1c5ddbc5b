import type { RouteInput } from '#contract/api.ts';
import { NUMBER_CHECKS } from '#contract/questions.ts';
import { formatCount } from '#web/lib/format.ts';
import type { Findings } from './run-checks.ts';
import { heightOf, type ProofSubject } from './subject.ts';

/** A number that a check found wrong, as it is reported to the admins. */
export interface ProofReport {
  /** The row of the history that it is about. */
  event: RouteInput<'askQuestion'>['params']['id'];
  body: RouteInput<'askQuestion'>['body'];
}

interface Words {
  company: string;
  /** Writes a moment as a day. */
  day: (at: string) => string;
}

/** The failed check in a sentence. */
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

/** Line, block and root of what failed; null while nothing did. */
export function reportOf(
  subject: ProofSubject,
  findings: Findings,
  /** Of {@link whatIsWrong}. */
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
