import type { ReactNode } from 'react';
import type { Recovery } from '#contract/api.ts';
import type { Money as Amount } from '#contract/money.ts';
import { REVERSAL_REASONS } from '#contract/payroll.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { formatDay } from '#web/lib/format.ts';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { RECOVERY_STATUS } from './recovery-status.ts';
import './recoveries.css';

interface RecoveryViewProps {
  recovery: Recovery;
  title: string;
  /** Buttons of its acts. */
  actions?: ReactNode;
  /** Words over the facts. */
  children?: ReactNode;
}

/** A recovery with its terms, what was taken, what is to come and what is left. */
export function RecoveryView({ recovery, title, actions, children }: RecoveryViewProps) {
  const rows = rowsOf(recovery);
  return (
    <Section title={title} end={<Status {...RECOVERY_STATUS[recovery.status]} />}>
      {children}
      <Facts facts={factsOf(recovery)} />
      {rows.length > 0 && (
        <Table
          label={`Instalments: ${title}`}
          rows={rows}
          rowKey={({ key }) => key}
          columns={columnsOf(recovery)}
        />
      )}
      {actions !== undefined && actions !== false && (
        <div className="recovery__acts">{actions}</div>
      )}
    </Section>
  );
}

function factsOf(recovery: Recovery): Fact[] {
  const { payment, message, percent, companyPercent, ended } = recovery;
  const isOpen = recovery.status === 'proposed' || recovery.status === 'accepted';
  return [
    {
      label: 'Paid by mistake',
      value: (
        <>
          <Money amount={payment.amount} />, {payment.description},{' '}
          <Time at={payment.at} as="date" by="company" />{' '}
          <span className="id" translate="no">
            {payment.reference}
          </span>
        </>
      ),
    },
    {
      label: 'Reason',
      value: (
        <>
          {REVERSAL_REASONS[recovery.reason]}. <span dir="auto">{message}</span>
        </>
      ),
    },
    { label: 'To recover', value: <Money amount={recovery.amount} /> },
    ...(isOpen
      ? [
          {
            label: 'From each payroll',
            value: (
              <>
                <Money amount={recovery.instalment} />, at most {percent}% of a payment into the{' '}
                {WALLET_LABELS[recovery.walletType]}
                {percent > companyPercent && `. Usually it is at most ${companyPercent}%`}
              </>
            ),
          },
          { label: 'From', value: formatDay(recovery.startsOn, 'date') },
        ]
      : []),
    ...(recovery.status === 'proposed'
      ? [{ label: 'Answer by', value: formatDay(recovery.answerBy, 'date') }]
      : []),
    {
      label: 'Proposed',
      value: (
        <>
          {recovery.proposed.by}, <Time at={recovery.proposed.at} as="dateTime" />
        </>
      ),
    },
    ...(ended === null
      ? []
      : [
          {
            label: 'Ended',
            value: (
              <>
                {ended.by ?? 'Purser, because the person left'},{' '}
                <Time at={ended.at} as="dateTime" />
                {ended.reason !== null && (
                  <>
                    . <span dir="auto">{ended.reason}</span>
                  </>
                )}
              </>
            ),
          },
        ]),
    { label: 'Recovered', value: <Money amount={recovery.recovered} /> },
    { label: 'Left', value: <Money amount={recovery.left} /> },
  ];
}

interface Row {
  key: string;
  day: ReactNode;
  what: ReactNode;
  amount: Amount;
  isFaint: boolean;
}

function rowsOf({ instalments, planned }: Recovery): Row[] {
  return [
    ...instalments.map(({ reference, amount, at, isGivenBack }) => ({
      key: reference,
      day: <Time at={at} as="date" by="company" />,
      what: (
        <>
          <span className="id" translate="no">
            {reference}
          </span>
          {isGivenBack && ', given back'}
        </>
      ),
      amount,
      isFaint: isGivenBack,
    })),
    ...planned.map(({ on, amount }, index) => ({
      key: `planned ${index}`,
      day: on === null ? `Payroll ${index + 1}` : formatDay(on, 'date'),
      what: 'Planned',
      amount,
      isFaint: true,
    })),
  ];
}

function columnsOf({ recovered, planned }: Recovery): readonly Column<Row>[] {
  return [
    {
      id: 'day',
      header: 'Payday',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ day }) => day,
      ...(planned.length === 0 && { total: 'Recovered' }),
    },
    { id: 'what', header: 'Instalment', narrow: 'start-second', cell: ({ what }) => what },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'end',
      cell: ({ amount, isFaint }) => (
        <span className={isFaint ? 'faint' : undefined}>
          <Money amount={amount} />
        </span>
      ),
      ...(planned.length === 0 && { total: <Money amount={recovered} /> }),
    },
  ];
}
