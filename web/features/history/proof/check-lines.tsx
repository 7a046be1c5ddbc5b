import type { ReactNode } from 'react';
import { TRANSACTION_TYPE_LABELS } from '#contract/activity.ts';
import { NUMBER_CHECKS, type NumberCheck } from '#contract/questions.ts';
import type { CheckState, Findings } from '#contract/verify-number.ts';
import {
  heightOf,
  ownSide,
  sealedName,
  type ProofSubject,
  type ProvenLine,
} from '#contract/verify-shown.ts';
import { useCompany } from '#web/lib/company.ts';
import { counted, formatCount } from '#web/lib/format.ts';
import { Glyph, type GlyphName } from '#web/ui/glyph.tsx';
import { Money } from '#web/ui/money.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { VisuallyHidden } from '#web/ui/visually-hidden.tsx';
import { FAULTS, whatIsMissing } from './report.ts';

interface CheckLinesProps {
  subject: ProofSubject;
  findings: Findings;
}

const LOOKS: Record<CheckState, { tone: string; glyph: GlyphName; label: string }> = {
  waiting: { tone: 'muted', glyph: 'ring', label: 'Not checked yet' },
  running: { tone: 'motion', glyph: 'half', label: 'Checking' },
  right: { tone: 'positive', glyph: 'tick', label: 'Passed' },
  wrong: { tone: 'critical', glyph: 'cross', label: 'Failed' },
  partly: { tone: 'caution', glyph: 'half', label: 'Passed in part' },
  skipped: { tone: 'muted', glyph: 'dash', label: 'Not checked' },
};

/** The four checks in everyday words, each with its result. */
export function CheckLines({ subject, findings }: CheckLinesProps) {
  const { name: company } = useCompany();
  return (
    <ol className="check-lines">
      {NUMBER_CHECKS.map((name) => {
        const state = findings.states[name];
        const { tone, glyph, label } = LOOKS[state];
        return (
          <li key={name} className="check-line" data-state={state}>
            <span className="status" data-tone={tone}>
              <Glyph name={glyph} />
              <VisuallyHidden>{label}</VisuallyHidden>
            </span>
            <div>
              <p className="check-line__what">
                {titleOf(name, state, { subject, fault: findings.fault, company })}
              </p>
              <div className="check-line__why">
                <Why name={name} subject={subject} findings={findings} />
              </div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

function titleOf(
  name: NumberCheck,
  state: CheckState,
  { subject, fault, company }: Pick<Findings, 'fault'> & { subject: ProofSubject; company: string },
): string {
  const isOne = subject.kind === 'event';
  const words: Record<NumberCheck, { right: string; wrong: string; asked: string }> = {
    sum: { right: 'It adds up', wrong: 'It does not add up', asked: 'Does it add up?' },
    content: {
      right: isOne ? 'It was not changed' : 'Nothing was changed',
      wrong: fault === undefined ? 'A line was changed' : 'This is not what was sealed',
      asked: 'Was anything changed?',
    },
    chain: {
      right: 'Nothing was taken out',
      wrong: 'Something is missing',
      asked: 'Is anything missing?',
    },
    signature: {
      right: `${company} signed it`,
      wrong: `${company} did not sign it`,
      asked: `Is it signed by ${company}?`,
    },
  };
  const { right, wrong, asked } = words[name];
  if (state === 'wrong') return wrong;
  return state === 'right' || state === 'skipped' ? right : asked;
}

interface WhyProps extends CheckLinesProps {
  name: NumberCheck;
}

function Why({ name, subject, findings }: WhyProps) {
  const state = findings.states[name];
  if (state === 'waiting') return null;
  if (state === 'skipped') return <p>Not checked: a check before it failed.</p>;
  if (name === 'sum') return <SumWords subject={subject} state={state} />;
  if (name === 'content') return <ContentWords subject={subject} findings={findings} />;
  if (name === 'chain') return <ChainWords subject={subject} findings={findings} />;
  return <SignatureWords findings={findings} />;
}

function SumWords({ subject, state }: { subject: ProofSubject; state: CheckState }) {
  if (subject.kind === 'balance') {
    const { balance, entries } = subject.proof;
    const these = counted(entries.length, 'entry').replace(/ys$/, 'ies');
    return (
      <p>
        The balance before and {these} {state === 'wrong' ? 'do not make' : 'make'}{' '}
        <Money amount={balance} />.
      </p>
    );
  }
  const { accounts, movement } = subject.proof;
  const { entries } = movement;
  const sum = entries.reduce((total, { amount }) => total + BigInt(amount.minor), 0n);
  const { currency } = subject.proof.event.amount;
  return (
    <>
      <p>
        {state === 'wrong'
          ? 'What left one account is not what reached the other.'
          : 'What left one account reached the other, to the cent.'}
      </p>
      <dl className="tally">
        {entries.map(({ accountId, number, amount }) => (
          <div key={`${accountId} ${number ?? ''}`}>
            <dt>{sealedName(accounts, accountId)}</dt>
            <dd>
              <Money amount={amount} signs="always" />
            </dd>
          </div>
        ))}
        <div>
          <dt>Sum</dt>
          <dd>
            <Money amount={{ minor: sum.toString(), currency }} />
          </dd>
        </div>
      </dl>
    </>
  );
}

function ContentWords({ subject, findings }: CheckLinesProps) {
  const write = useMoments();
  const { changed, fault, unsealed, unshown, states } = findings;
  const { lines } = subject;
  if (states.content === 'running') return <p>Computing the seal of each line.</p>;
  if (changed.length === 0 && fault !== undefined) return <p>{FAULTS[fault]}</p>;
  if (changed.length > 0) {
    return (
      <>
        {changed.map((line) => (
          <p key={line.event.id}>
            {write(line.event.at, 'short', 'company')}, {TRANSACTION_TYPE_LABELS[line.event.type]}{' '}
            {line.event.reference}, <Money amount={line.event.amount} signs="always" />, does not
            fit block {formatCount(heightOf(line))}.
          </p>
        ))}
        {lines.length > changed.length && <p>The other {lines.length - changed.length} do.</p>}
      </>
    );
  }
  const words: ReactNode[] = [];
  if (unsealed > 0) {
    words.push(
      `${linesInWords(unsealed, lines)} not sealed yet. This takes less than a minute: check again then.`,
    );
  }
  if (unshown > 0) {
    words.push(
      `${linesInWords(unshown, lines)} sealed by an earlier version of Purser, which cannot show a line without the balance of another account. Your company can check it.`,
    );
  }
  if (words.length === 0) words.push(<Sealed key="sealed" subject={subject} />);
  return words.map((sentence, place) => (
    // The sentences never change their order, so an index is a stable key.
    // oxlint-disable-next-line react/no-array-index-key
    <p key={place}>{sentence}</p>
  ));
}

function Sealed({ subject }: { subject: ProofSubject }) {
  const write = useMoments();
  if (subject.kind === 'balance') {
    const isEmpty = subject.lines.length === 0;
    return (
      <>
        {isEmpty ? 'There is no entry yet.' : 'Each entry still fits the block it was sealed in.'}
      </>
    );
  }
  const block = subject.proof.movement.proof?.block;
  if (block === undefined) return null;
  const others = block.transactions.count - 1;
  const withOthers = others > 0 ? `, with ${counted(others, 'other')}` : '';
  return (
    <>
      On {write(block.sealedAt, 'dateTime')} this line was sealed into block{' '}
      {formatCount(BigInt(block.height))}
      {withOthers}. If anyone changed one cent of it, the seal would no longer fit.
    </>
  );
}

function linesInWords(count: number, lines: readonly ProvenLine[]): string {
  if (lines.length === 1) return 'This line is';
  return count === 1 ? 'One line is' : `${formatCount(count)} lines are`;
}

function ChainWords({ subject, findings }: CheckLinesProps) {
  const { followed, missing, states } = findings;
  const head = formatCount(findings.head);
  if (missing !== undefined) return <p>{whatIsMissing(missing)}</p>;
  if (followed === undefined) return <p>There is no seal yet.</p>;
  const reached = formatCount(BigInt(followed.last.height));
  if (states.chain === 'running') return <p>{`Block ${reached} of ${head}`}</p>;
  const count = BigInt(followed.last.height) - BigInt(followed.first.height);
  const follows =
    count === 0n
      ? `It is in today’s newest block, ${head}.`
      : `${formatCount(count)} ${count === 1n ? 'block follows' : 'blocks follow, each naming the one before it'}`;
  const end =
    states.chain === 'partly'
      ? `, up to ${reached} of ${head}.`
      : `, up to today’s ${head}. None is missing.`;
  return (
    <p>
      {subject.kind === 'balance' && numbersInWords(subject)}
      {count === 0n && states.chain === 'right' ? follows : follows + end}
    </p>
  );
}

function numbersInWords(subject: ProofSubject): string {
  const { lines } = subject;
  const [first, last] = [lines[0], lines.at(-1)].map(
    (line) => line && ownSide(subject, line)?.number,
  );
  if (first == null || last == null) return '';
  return `The account’s entries are numbered: ${formatCount(BigInt(first))} to ${formatCount(BigInt(last))}, no gap. `;
}

function SignatureWords({ findings }: { findings: Findings }) {
  const { followed, states } = findings;
  if (states.signature === 'running') return <p>Checking the signature.</p>;
  if (states.signature === 'wrong') return <p>The signature does not fit the company’s key.</p>;
  if (followed === undefined) return <p>There is no seal yet.</p>;
  if (states.signature === 'partly') return <p>This browser cannot check the signature.</p>;
  return (
    <p>
      {`The newest seal that was checked, ${formatCount(BigInt(followed.last.height))}, fits the company’s key. Your statements carry such a seal in print: compare them below.`}
    </p>
  );
}
