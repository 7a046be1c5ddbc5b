import type { ReactNode } from 'react';
import { isVoid } from '#contract/activity.ts';
import type { AdminDeposit, AdminWithdrawal, EmployeePage, HistoryItem } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { openedWords } from '#web/lib/opened-words.ts';
import { Clipped } from '#web/ui/clipped.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { auditWords } from '#web/kit/audit-words.ts';

/** Newest rows of one kind. */
interface Newest<Row> {
  title: string;
  /** Text when there are no rows. */
  none: string;
  rowKey?: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** Links to the full list and to related ones, to which the person's id is added. */
  all?: readonly (readonly [label: string, href: string])[];
}

interface NewestRowsProps<Row> {
  of: Newest<Row>;
  rows: readonly Row[];
  personId: string;
}

/** Newest rows of one kind, with a link to all of them. */
function NewestRows<Row>({ of, rows, personId }: NewestRowsProps<Row>) {
  const { title, none, columns, all = [] } = of;
  const { rowKey = (row) => (row as { id: string }).id } = of;
  return (
    <Section
      title={title}
      end={
        all.length > 0 && (
          <span className="person__acts">
            {all.map(([label, href]) => (
              <TextLink key={label} href={href + personId}>
                {label}
              </TextLink>
            ))}
          </span>
        )
      }
    >
      <Table
        label={title}
        isDense
        rows={rows}
        rowKey={rowKey}
        columns={columns}
        empty={<EmptyState title={none} />}
      />
    </Section>
  );
}

/** Recent transactions and requests of a person, and the admins who viewed their data. */
export function EmployeeLists({ person }: { person: EmployeePage }) {
  const personId = person.id;
  return (
    <>
      <NewestRows of={ACTIVITY} rows={person.activity} personId={personId} />
      <NewestRows of={WITHDRAWALS} rows={person.withdrawals} personId={personId} />
      <NewestRows of={DEPOSITS} rows={person.deposits} personId={personId} />
      <NewestRows of={DOCUMENTS} rows={person.documents} personId={personId} />
      <NewestRows of={OPENED} rows={person.opened} personId={personId} />
      <NewestRows of={AUDIT} rows={person.audit} personId={personId} />
    </>
  );
}

/** First column, which names the row. */
function lead<Row>(header: string, cell: (row: Row) => ReactNode): Column<Row> {
  return { id: 'lead', header, narrow: 'start', cell, isRowHeader: true };
}

/** Column of the last moment, at the end of a row. */
function when<Row>(at: (row: Row) => string): Column<Row> {
  return timeColumn({ id: 'when', header: 'When', narrow: 'end', at, as: 'shortDateTime' });
}

const ACTIVITY: Newest<HistoryItem> = {
  title: 'Recent activity',
  none: 'Nothing has happened yet',
  all: [['All transactions', '/admin/transactions?person=']],
  columns: [
    lead('Description', ({ description }) => <Clipped className="muted">{description}</Clipped>),
    timeColumn({
      id: 'date',
      header: 'Date',
      narrow: 'start-second',
      at: ({ at }) => at,
      as: 'shortDateTime',
    }),
    referenceColumn({ narrow: 'hidden', reference: ({ reference }) => reference }),
    statusColumn({ narrow: 'end-second', status: ({ status }) => status }),
    moneyColumn<HistoryItem>({
      narrow: 'end',
      amount: ({ amount }) => amount,
      isFaded: ({ status }) => isVoid(status),
      signs: 'always',
    }),
  ],
};

const SUBMITTED: Column<{ submittedAt: string }> = timeColumn({
  narrow: 'start-second',
  at: ({ submittedAt }) => submittedAt,
  as: 'shortDateTime',
});

const WITHDRAWALS: Newest<AdminWithdrawal> = {
  title: 'Withdrawals',
  none: 'No withdrawals yet',
  all: [['All withdrawals', '/admin/withdrawals?person=']],
  columns: [
    lead('To', ({ id, bankName, bankLast4 }) => (
      <TextLink href={`/admin/withdrawals?request=${id}`}>{`${bankName} ••${bankLast4}`}</TextLink>
    )),
    SUBMITTED,
    statusColumn({ narrow: 'end-second', status: ({ status }) => status }),
    moneyColumn({ narrow: 'end', amount: ({ amount }) => amount }),
  ],
};

const DEPOSITS: Newest<AdminDeposit> = {
  title: 'Deposits',
  none: 'No deposits yet',
  all: [['All deposits', '/admin/deposits?status=all&person=']],
  columns: [
    lead('Method', ({ id, methodName }) => (
      <TextLink href={`/admin/deposits?status=all&deposit=${id}`}>{methodName}</TextLink>
    )),
    SUBMITTED,
    statusColumn({
      narrow: 'end-second',
      status: ({ status }) => status,
      isFinal: ({ status }) => status === 'approved',
    }),
    moneyColumn({ narrow: 'end', amount: ({ amount }) => amount }),
  ],
};

const DOCUMENTS: Newest<EmployeePage['documents'][number]> = {
  title: 'Identity documents',
  none: 'No documents yet',
  columns: [
    lead('Document', ({ type, reviewed }) => (
      <TextLink href={`/admin/kyc-review?status=all&${reviewed.as}=${reviewed.id}`}>
        {KYC_DOCUMENT_LABELS[type]}
      </TextLink>
    )),
    timeColumn({
      id: 'uploaded',
      header: 'Uploaded',
      narrow: 'start-second',
      at: ({ uploadedAt }) => uploadedAt,
      as: 'shortDateTime',
    }),
    statusColumn({
      narrow: 'end',
      status: ({ status }) => status,
      isFinal: ({ status }) => status === 'approved',
    }),
    textColumn({
      id: 'reviewer',
      header: 'Reviewed by',
      narrow: 'end-second',
      text: ({ reviewedBy }) => reviewedBy ?? '',
    }),
  ],
};

const OPENED: Newest<EmployeePage['opened'][number]> = {
  title: 'Documents opened',
  none: 'No one has opened anything',
  rowKey: ({ what, which, by, at }) => `${what} ${which} ${by} ${at}`,
  columns: [
    lead('What', (opened) => <Clipped className="muted">{openedWords(opened)}</Clipped>),
    textColumn({ id: 'by', header: 'Opened by', narrow: 'start-second', text: ({ by }) => by }),
    when(({ at }) => at),
  ],
};

const AUDIT: Newest<EmployeePage['audit'][number]> = {
  title: 'Audit',
  none: 'Nothing is recorded yet',
  all: [
    ['Actions by them', '/admin/audit?by='],
    ['All records', '/admin/audit?person='],
  ],
  columns: [
    lead('What', ({ id, action }) => (
      <TextLink href={`/admin/audit?record=${id}`}>{auditWords(action)}</TextLink>
    )),
    textColumn({
      id: 'by',
      header: 'By',
      narrow: 'start-second',
      text: ({ by }) => by ?? 'Purser',
    }),
    when(({ at }) => at),
  ],
};
