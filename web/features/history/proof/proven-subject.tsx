import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { reportOf, whatIsWrong, type ProofReport } from './report.ts';
import { Download, RotateCw } from 'lucide-react';
import { useId } from 'react';
import { money } from '#contract/money.ts';
import { TRANSACTION_TYPE_LABELS } from '#contract/activity.ts';
import { NUMBER_CHECKS } from '#contract/questions.ts';
import type { Findings } from '#contract/verify-number.ts';
import type { ProofSubject } from '#contract/verify-shown.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { CANNOT_COMPUTE, canCompute } from '#web/lib/computing.ts';
import { useCompany } from '#web/lib/company.ts';
import { saveFile } from '#web/lib/save-file.ts';
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
import { heldParts, PartsTable } from './parts-table.tsx';
import type { ProofTarget } from './proof-target.ts';
import { useChecks } from './use-checks.ts';

interface ProvenSubjectProps {
  subject: ProofSubject;
  onAgain: () => void;
  /** Opens the proof of another number, such as the balance before. */
  onOpen?: ((target: ProofTarget) => void) | undefined;
}

/** A number with its entries, the four checks as they run, and the details for an auditor. */
export function ProvenSubject({ subject, onAgain, onOpen }: ProvenSubjectProps) {
  const { findings, at, isInterrupted, goOn } = useChecks(subject);
  const titleId = useId();
  const write = useMoments();
  const isWrong = hasState(findings, 'wrong');
  const isRunning =
    !isInterrupted && (hasState(findings, 'running') || hasState(findings, 'waiting'));
  return (
    <div className="proof">
      <Head subject={subject} />
      {isWrong && <Broken subject={subject} findings={findings} />}
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
            ? 'Your browser does the sums itself and does not rely on the server.'
            : `${write(at, 'shortDateTime')}. Your browser did the sums itself and did not rely on the server.`}
        </p>
        <CheckLines subject={subject} findings={findings} />
        {isInterrupted && (
          <Notice tone="caution" role="alert">
            <p>
              {canCompute()
                ? 'The ledger could not be read to the end. The checks marked as passed are correct.'
                : CANNOT_COMPUTE}
            </p>
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
      {subject.kind === 'balance' && <BalanceEntries proof={subject.proof} onOpen={onOpen} />}
      {subject.kind === 'balance' && subject.proof.held.length > 0 && (
        <Held proof={subject.proof} />
      )}
      <p className="muted">
        The seal has the time, the kind, the reference, the amount and whose account it is. Names of
        people, descriptions and notes are not in it, because they can be erased.
      </p>
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

/** The number with what the seal says of it. What is held is not sealed, and has a table of its own. */
function Head({ subject }: { subject: ProofSubject }) {
  const write = useMoments();
  if (subject.kind === 'event') {
    const { type, reference, account, amount, at } = subject.proof.event;
    const way = amount.minor.startsWith('-') ? 'from' : 'into';
    return (
      <div className="proof__number">
        <p className="muted">
          {`${TRANSACTION_TYPE_LABELS[type]} ${reference}, ${way} ${WALLET_LABELS[account.type]}, ${write(at, 'date', 'company')}`}
        </p>
        <Balance amount={amount} signs="always" />
      </div>
    );
  }
  const { account, balance, entries } = subject.proof;
  const newest = entries.at(-1);
  const when = newest === undefined ? '' : ` on ${write(newest.event.at, 'date', 'company')}`;
  return (
    <div className="proof__number">
      <p className="muted">{`${WALLET_LABELS[account.type]}, balance${when}`}</p>
      <Balance amount={balance} />
    </div>
  );
}

/** Holds, which are promises and no entries: the company's word, without a seal. */
function Held({ proof: { balance, held } }: { proof: BalanceShown }) {
  const heldMinor = held.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n);
  const available = money(BigInt(balance.minor) + heldMinor, balance.currency);
  return (
    <section>
      <PartsTable
        label="What makes the available amount"
        head="Held, not sealed"
        rows={[{ id: 'balance', name: 'Balance', amount: balance }, ...heldParts(held)]}
        total={{ name: 'Available, what you can use now', amount: available }}
      />
    </section>
  );
}

type BalanceShown = Extract<ProofSubject, { kind: 'balance' }>['proof'];

function Outcome({ findings, isRunning }: { findings: Findings; isRunning: boolean }) {
  const passed = NUMBER_CHECKS.filter((name) => findings.states[name] === 'right').length;
  if (isRunning) {
    const done = NUMBER_CHECKS.filter((name) => findings.states[name] !== 'waiting').length;
    return (
      <Status status="processing" label={`Check ${Math.max(done, 1)} of ${NUMBER_CHECKS.length}`} />
    );
  }
  const words = `${passed} of ${NUMBER_CHECKS.length} checks passed`;
  if (hasState(findings, 'wrong')) return <Status status="failed" label={words} />;
  return (
    <Status status={passed === NUMBER_CHECKS.length ? 'completed' : 'pending'} label={words} />
  );
}

/** Notice of a failed check: the reason, and a button that reports it. */
function Broken({ subject, findings }: { subject: ProofSubject; findings: Findings }) {
  const write = useMoments();
  const { name: company } = useCompany();
  const [line] = findings.changed;
  const what = whatIsWrong(findings, { company, day: (at) => write(at, 'short', 'company') });
  return (
    <Notice tone="critical" role="alert">
      <p className="strong">This number does not fit its seal</p>
      <p>
        {`${what} ${subject.kind === 'balance' ? 'Your balance is not changed by this check. ' : ''}Please report it so that someone can look at it.`}
      </p>
      {line !== undefined && (
        <p>
          {TRANSACTION_TYPE_LABELS[line.event.type]} {line.event.reference},{' '}
          <Money amount={line.event.amount} signs="always" />
        </p>
      )}
      <ReportProof report={reportOf(subject, findings, what)} />
    </Notice>
  );
}

function hasState({ states }: Findings, state: Findings['states']['sum']): boolean {
  return NUMBER_CHECKS.some((name) => states[name] === state);
}

function save(subject: ProofSubject): void {
  const name =
    subject.kind === 'event'
      ? subject.proof.event.reference
      : `balance-${subject.proof.account.type}-${subject.proof.number}`;
  const text = JSON.stringify(subject.proof, null, 2);
  saveFile(`proof-${name}.json`, new Blob([text], { type: 'application/json' }));
}

/** Sends a failed check to the admins. Their answer appears with the transaction. */
function ReportProof({ report }: { report: ProofReport | null }) {
  const queryClient = useQueryClient();
  const task = useMutation({
    mutationFn: ({ event, body }: ProofReport) =>
      call('askQuestion', { params: { id: event }, body }),
    onSuccess: () => markStale(queryClient, 'questions'),
  });
  if (report === null) return null;
  if (task.isSuccess) {
    return (
      <p role="status">
        Reported. The answer appears in the details of the transaction, and you are notified.
      </p>
    );
  }
  return (
    <>
      {task.error !== null && (
        <p role="alert">{errorMessage(task.error, 'It was not reported. Please try again.')}</p>
      )}
      <Button
        isPending={task.isPending}
        pendingLabel="Reporting"
        onPress={() => task.mutate(report)}
      >
        Report this
      </Button>
    </>
  );
}
