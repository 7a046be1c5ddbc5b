import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EmployeePage, UsualPay, UsualPayChange } from '#contract/api.ts';
import { whoCanWords } from '#contract/duties.ts';
import { usualPayChange } from '#contract/things/usual-pay-change.ts';
import type { OfferedAct } from '#contract/things/thing.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { counted, formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { Amounts, ChangesOfPay } from './changes-of-pay.tsx';
import './usual-pay.css';

const ChangeUsualPay = loadedDialog(
  async () => (await import('./change-usual-pay.tsx')).ChangeUsualPay,
);

const DECISIONS = decisionsOf(usualPayChange);
type Act = OfferedAct<typeof usualPayChange>;

interface UsualPayOfProps {
  person: EmployeePage;
  /** True on the admin's own page: somebody else changes and confirms it. */
  isOwn: boolean;
}

/** Usual pay of a person, with its changes and the acts on them. */
export function UsualPayOf({ person, isOwn }: UsualPayOfProps) {
  const query = useQuery(apiQuery('adminGetUsualPay', { params: { id: person.id } }));
  if (query.data === undefined) {
    return (
      <Section title="Usual Pay">
        <LoadedQuery query={query} what="the usual pay" lines={4} />
      </Section>
    );
  }
  return <Shown person={person} isOwn={isOwn} pay={query.data} />;
}

function Shown({ person, isOwn, pay }: UsualPayOfProps & { pay: UsualPay }) {
  const [isChanging, setChanging] = useState(false);
  const [deciding, setDeciding] = useState<Deciding>();
  const waiting = pay.changes.find(({ status }) => status === 'waiting');
  // Another change is made once this one is decided.
  const isChangeable = pay.isPaid && !isOwn && waiting === undefined;
  return (
    <>
      {waiting !== undefined && <Waiting change={waiting} onDecide={setDeciding} />}
      <Section
        title="Usual Pay"
        end={isChangeable && <Button onPress={() => setChanging(true)}>Change Usual Pay</Button>}
      >
        <Table
          label="Usual pay"
          isDense
          rows={pay.wallets}
          rowKey={({ walletType }) => walletType}
          columns={walletColumns(pay)}
        />
      </Section>
      {pay.changes.length > 0 && (
        <Section
          title="Changes"
          end={<AuditLink thing="payroll" person={person.id} label="Audit of this person" />}
        >
          <ChangesOfPay changes={pay.changes} />
        </Section>
      )}
      {isChanging && (
        <ChangeUsualPay person={person} pay={pay} onClose={() => setChanging(false)} />
      )}
      {deciding !== undefined && (
        <ChangeDecision person={person} {...deciding} onClose={() => setDeciding(undefined)} />
      )}
    </>
  );
}

type PaidWallet = UsualPay['wallets'][number];

function walletColumns({ wallets, total }: UsualPay): readonly Column<PaidWallet>[] {
  const paid = wallets.filter(({ amount }) => amount.minor !== '0').length;
  const hasTotal = paid > 0;
  return [
    {
      id: 'wallet',
      header: 'Wallet',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ walletType }) => WALLET_LABELS[walletType],
      ...(hasTotal && { total: `Each payday, ${counted(paid, 'wallet')}` }),
    },
    {
      id: 'number',
      header: 'Number',
      narrow: 'start-second',
      cell: ({ last4 }) =>
        last4 === null ? (
          <span className="faint">Closed</span>
        ) : (
          <span className="id" translate="no">
            •••• {last4}
          </span>
        ),
    },
    {
      id: 'validFrom',
      header: 'Valid from',
      narrow: 'end-second',
      cell: ({ validFrom }) => validFrom !== null && formatDay(validFrom, 'date'),
    },
    {
      id: 'amount',
      header: 'Each payday',
      align: 'right',
      narrow: 'end',
      cell: ({ amount }) =>
        amount.minor === '0' ? <span className="faint">None</span> : <Money amount={amount} />,
      ...(hasTotal && { total: <Money amount={total} /> }),
    },
  ];
}

/** A change of usual pay, and the act on it that was chosen. */
interface Deciding {
  act: Act;
  change: UsualPayChange;
}

interface WaitingProps {
  change: UsualPayChange;
  onDecide: (deciding: Deciding) => void;
}

/** A change that waits, with what the reader may do about it. */
function Waiting({ change, onDecide }: WaitingProps) {
  const write = useMoments();
  const { approval, changedBy, acts } = change;
  const canTakeBack = acts.some(({ act, refusal }) => act === 'withdraw' && refusal === null);
  const shown = acts.filter(({ act, refusal }) =>
    act === 'withdraw' ? refusal === null : !canTakeBack && (act === 'confirm' || refusal === null),
  );
  const people = approval?.people ?? [];
  const [only] = people;
  const isSure = people.length === 1 && only?.from === null && only.name !== 'You';
  return (
    <Notice tone="caution">
      <span className="strong">
        A change waits for{' '}
        {isSure ? only.name : approval?.mayApprove === true ? 'you' : 'another administrator'}.
      </span>{' '}
      {approval?.isMine !== true &&
        `${changedBy.name} changed the amounts from ${formatDay(change.validFrom, 'date')}. `}
      Until it is confirmed, payroll uses the amounts below.
      {!isSure &&
        approval?.mayApprove === false &&
        ` ${whoCanWords(people, (at) => write(at, 'weekdayTime'))}`}
      <span className="pay-acts">
        {shown.map(({ act, refusal }) => (
          <Button
            key={act}
            shape={canTakeBack ? 'text' : 'standard'}
            kind={DECISIONS[act].kind}
            why={refusal ?? undefined}
            onPress={() => onDecide({ act, change })}
          >
            {DECISIONS[act].label}
          </Button>
        ))}
      </span>
    </Notice>
  );
}

function ChangeDecision({
  act,
  person,
  change,
  onClose,
}: Deciding & { person: EmployeePage; onClose: () => void }) {
  const { consequence, ...decision } = DECISIONS[act];
  return (
    <DecisionDialog
      decision={decision}
      id={change.id}
      subject={`${person.name}.`}
      topic="payroll"
      unchanged="The change was not decided."
      onClose={onClose}
      details={
        <Facts
          isTight
          facts={[
            ...change.lines.map((line) => ({
              label: WALLET_LABELS[line.walletType],
              value: <Amounts line={line} />,
            })),
            { label: 'Valid from', value: formatDay(change.validFrom, 'weekday') },
            { label: 'Reason', value: <span dir="auto">{change.reason}</span> },
            { label: 'Changed by', value: change.changedBy.name },
          ]}
        />
      }
    >
      Usual pay of <span className="strong">{person.name}</span>. {consequence}
    </DecisionDialog>
  );
}
