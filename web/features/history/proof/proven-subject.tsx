import { Download, RotateCw } from 'lucide-react';
import { useEffect, useId } from 'react';
import { useCompany } from '#web/lib/company.ts';
import { formatCount } from '#web/lib/format.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Status } from '#web/ui/status.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { AuditorMarks } from './auditor-marks.tsx';
import { BalanceEntries } from './balance-entries.tsx';
import { CheckLines } from './check-lines.tsx';
import { KeptRoots } from './kept-roots.tsx';
import type { ProofTarget } from './prove-number.tsx';
import { CHECKS, type Findings } from './run-checks.ts';
import { heightOf, type ProofSubject } from './subject.ts';
import { useChecks } from './use-checks.ts';

interface ProvenSubjectProps {
  subject: ProofSubject;
  onAgain: () => void;
  /** Opens another number: the balance before. */
  onOpen?: ((target: ProofTarget) => void) | undefined;
  /** Where to report it, once it was found wrong. */
  onReport: (href: string | null) => void;
}

/** A number with its entries, the four checks as they are made, and the details for an auditor. */
export function ProvenSubject({ subject, onAgain, onOpen, onReport }: ProvenSubjectProps) {
  const { findings, at, isInterrupted, goOn } = useChecks(subject);
  const titleId = useId();
  const write = useMoments();
  const isWrong = hasState(findings, 'wrong');
  const isRunning =
    !isInterrupted && (hasState(findings, 'running') || hasState(findings, 'waiting'));
  const href = isWrong ? reportHref(subject, findings) : null;
  useEffect(() => onReport(href), [href, onReport]);
  return (
    <div className="proof">
      <Head subject={subject} />
      {isWrong && <Broken subject={subject} findings={findings} />}
      {subject.kind === 'balance' && <BalanceEntries proof={subject.proof} onOpen={onOpen} />}
      <section aria-labelledby={titleId}>
        <div className="proof__head">
          <h3 className="section-title" id={titleId}>
            {isRunning ? 'Checking in your browser' : 'Checked in your browser'}
          </h3>
          <span role="status">
            <Outcome findings={findings} isRunning={isRunning} />
          </span>
        </div>
        <p className="muted">
          {isRunning
            ? 'Your browser does the sums itself and takes nobody’s word for it.'
            : `${write(at, 'shortDateTime')}. Your browser did the sums itself and took nobody’s word for it.`}
        </p>
        <CheckLines subject={subject} findings={findings} />
        {isInterrupted && (
          <Notice tone="caution" role="alert">
            <p>The books could not be read to their end. What is marked as passed is right.</p>
          </Notice>
        )}
        <div className="proof__acts">
          {(isInterrupted ||
            (!isRunning &&
              findings.states.chain === 'partly' &&
              findings.followed !== undefined)) && (
            <Button shape="text" onPress={goOn}>
              Check further
            </Button>
          )}
          <Button shape="text" onPress={onAgain}>
            <Icon of={RotateCw} size={16} />
            Check again
          </Button>
          <Button shape="text" onPress={() => save(subject)}>
            <Icon of={Download} size={16} />
            Download the proof
          </Button>
        </div>
      </section>
      <div className="proof__more">
        <Disclosure level={3} title="Details for an auditor">
          <AuditorMarks lines={subject.lines} />
        </Disclosure>
        <Disclosure level={3} title="Compare with roots you kept">
          <KeptRoots followed={findings.followed} goOn={goOn} />
        </Disclosure>
      </div>
    </div>
  );
}

function Head({ subject }: { subject: ProofSubject }) {
  const write = useMoments();
  if (subject.kind === 'event') {
    const { description, account, amount } = subject.proof.event;
    const way = amount.minor.startsWith('-') ? 'from' : 'into';
    return (
      <div className="proof__number">
        <p className="muted">{`${description}, ${way} ${account.name} ••${account.last4}`}</p>
        <Balance amount={amount} signs="always" />
      </div>
    );
  }
  const { account, balance, entries } = subject.proof;
  const newest = entries.at(-1);
  const when = newest === undefined ? '' : ` on ${write(newest.event.at, 'date')}`;
  return (
    <div className="proof__number">
      <p className="muted">{`${account.name} ••${account.last4}, balance${when}`}</p>
      <Balance amount={balance} />
    </div>
  );
}

function Outcome({ findings, isRunning }: { findings: Findings; isRunning: boolean }) {
  const passed = CHECKS.filter((name) => findings.states[name] === 'right').length;
  if (isRunning) {
    const done = CHECKS.filter((name) => findings.states[name] !== 'waiting').length;
    return <Status status="processing" label={`Check ${Math.max(done, 1)} of ${CHECKS.length}`} />;
  }
  const words = `${passed} of ${CHECKS.length} checks passed`;
  if (hasState(findings, 'wrong')) return <Status status="failed" label={words} />;
  return <Status status={passed === CHECKS.length ? 'completed' : 'pending'} label={words} />;
}

/** What is wrong, in a sentence. */
function Broken({ subject, findings }: { subject: ProofSubject; findings: Findings }) {
  const write = useMoments();
  const { name } = useCompany();
  const [line] = findings.changed;
  const { brokenAt, states } = findings;
  return (
    <Notice tone="critical" role="alert">
      <p className="strong">This number does not fit its seal</p>
      <p>
        {line === undefined
          ? brokenAt === undefined
            ? states.signature === 'wrong'
              ? `The seal was not made with ${name}’s key.`
              : 'The entries do not make this number.'
            : `Block ${formatCount(brokenAt)} does not follow from the one before it.`
          : `The line of ${write(line.event.at, 'short')} is not the one that was sealed in block ${formatCount(heightOf(line))}.`}{' '}
        {subject.kind === 'balance' && 'Your balance is not changed by this check. '}
        Please report it: someone has to look.
      </p>
      {line !== undefined && (
        <p>
          {line.event.description}, <Money amount={line.event.amount} signs="always" />
        </p>
      )}
    </Notice>
  );
}

function hasState({ states }: Findings, state: Findings['states']['sum']): boolean {
  return CHECKS.some((name) => states[name] === state);
}

/** A mail to whom the company names; without one, to nobody yet. */
function reportHref({ proof }: ProofSubject, { changed, brokenAt }: Findings): string {
  const [line] = changed;
  const height = line === undefined ? brokenAt : heightOf(line);
  const subject =
    height === undefined ? 'Proof failed' : `Proof failed, block ${formatCount(height)}`;
  const what =
    line === undefined ? '' : `&body=${encodeURIComponent(`Reference ${line.event.reference}`)}`;
  return `mailto:${proof.supportEmail ?? ''}?subject=${encodeURIComponent(subject)}${what}`;
}

function save(subject: ProofSubject): void {
  const name =
    subject.kind === 'event'
      ? subject.proof.event.reference
      : `balance-${subject.proof.account.type}-${subject.proof.number}`;
  const text = JSON.stringify(subject.proof, null, 2);
  saveFile(`proof-${name}.json`, new Blob([text], { type: 'application/json' }));
}
