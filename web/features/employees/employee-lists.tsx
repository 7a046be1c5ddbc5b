import { isVoid } from '#contract/activity.ts';
import type { AdminDeposit, AdminWithdrawal, EmployeePage, HistoryItem } from '#contract/api.ts';
import { KYC_DOCUMENT_LABELS } from '#contract/kyc.ts';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { openedWords } from '#web/lib/opened-words.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { auditWords } from '#web/kit/audit-words.ts';

interface NewestProps<Row> {
  title: string;
  /** Text when there are no rows. */
  none: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** Link to the full list. */
  all?: { label: string; href: string };
  /** Link to a related list. */
  further?: { label: string; href: string };
}

/** Newest rows of one kind, with a link to all of them. */
function Newest<Row>({ title, none, rows, rowKey, columns, all, further }: NewestProps<Row>) {
  return (
    <Section
      title={title}
      end={
        all && (
          <span className="person__acts">
            {further && <TextLink href={further.href}>{further.label}</TextLink>}
            <TextLink href={all.href}>{all.label}</TextLink>
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
        placeholder={rows.length === 0 ? <EmptyState title={none} /> : undefined}
      />
    </Section>
  );
}

/** Recent transactions and requests of a person, and the admins who viewed their data. */
export function EmployeeLists({ person }: { person: EmployeePage }) {
  return (
    <>
      <Newest
        title="Recent activity"
        none="Nothing has happened yet"
        rows={person.activity}
        rowKey={({ id }) => id}
        columns={ACTIVITY}
        all={{ label: 'All transactions', href: `/admin/transactions?person=${person.id}` }}
      />
      <Newest
        title="Withdrawals"
        none="No withdrawals yet"
        rows={person.withdrawals}
        rowKey={({ id }) => id}
        columns={WITHDRAWALS}
        all={{ label: 'All withdrawals', href: `/admin/withdrawals?person=${person.id}` }}
      />
      <Newest
        title="Deposits"
        none="No deposits yet"
        rows={person.deposits}
        rowKey={({ id }) => id}
        columns={DEPOSITS}
        all={{ label: 'All deposits', href: `/admin/deposits?status=all&person=${person.id}` }}
      />
      <Newest
        title="Identity documents"
        none="No documents yet"
        rows={person.documents}
        rowKey={({ id }) => id}
        columns={DOCUMENTS}
      />
      <Newest
        title="Documents opened"
        none="No one has opened anything"
        rows={person.opened}
        rowKey={({ what, which, by, at }) => `${what} ${which} ${by} ${at}`}
        columns={OPENED}
      />
      <Newest
        title="Audit"
        none="Nothing is recorded yet"
        rows={person.audit}
        rowKey={({ id }) => id}
        columns={AUDIT}
        all={{ label: 'All records', href: `/admin/audit?person=${person.id}` }}
        further={{ label: 'Actions by them', href: `/admin/audit?by=${person.id}` }}
      />
    </>
  );
}

const ACTIVITY: readonly Column<HistoryItem>[] = [
  {
    ...textColumn<HistoryItem>({
      id: 'description',
      header: 'Description',
      narrow: 'start',
      text: ({ description }) => description,
    }),
    isRowHeader: true,
  },
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
];

const WITHDRAWALS: readonly Column<AdminWithdrawal>[] = [
  {
    id: 'to',
    header: 'To',
    narrow: 'start',
    cell: ({ id, bankName, bankLast4 }) => (
      <TextLink href={`/admin/withdrawals?request=${id}`}>{`${bankName} ••${bankLast4}`}</TextLink>
    ),
    isRowHeader: true,
  },
  timeColumn({ narrow: 'start-second', at: ({ submittedAt }) => submittedAt, as: 'shortDateTime' }),
  statusColumn({ narrow: 'end-second', status: ({ status }) => status }),
  moneyColumn({ narrow: 'end', amount: ({ amount }) => amount }),
];

const DEPOSITS: readonly Column<AdminDeposit>[] = [
  {
    id: 'method',
    header: 'Method',
    narrow: 'start',
    cell: ({ id, methodName }) => (
      <TextLink href={`/admin/deposits?status=all&deposit=${id}`}>{methodName}</TextLink>
    ),
    isRowHeader: true,
  },
  timeColumn({ narrow: 'start-second', at: ({ submittedAt }) => submittedAt, as: 'shortDateTime' }),
  statusColumn({
    narrow: 'end-second',
    status: ({ status }) => status,
    isFinal: ({ status }) => status === 'approved',
  }),
  moneyColumn({ narrow: 'end', amount: ({ amount }) => amount }),
];

const DOCUMENTS: readonly Column<EmployeePage['documents'][number]>[] = [
  {
    id: 'document',
    header: 'Document',
    narrow: 'start',
    cell: ({ type, reviewed }) => (
      <TextLink href={`/admin/kyc-review?status=all&${reviewed.as}=${reviewed.id}`}>
        {KYC_DOCUMENT_LABELS[type]}
      </TextLink>
    ),
    isRowHeader: true,
  },
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
];

const OPENED: readonly Column<EmployeePage['opened'][number]>[] = [
  {
    ...textColumn<EmployeePage['opened'][number]>({
      id: 'what',
      header: 'What',
      narrow: 'start',
      text: openedWords,
    }),
    isRowHeader: true,
  },
  textColumn({ id: 'by', header: 'Opened by', narrow: 'start-second', text: ({ by }) => by }),
  timeColumn({
    id: 'when',
    header: 'When',
    narrow: 'end',
    at: ({ at }) => at,
    as: 'shortDateTime',
  }),
];

const AUDIT: readonly Column<EmployeePage['audit'][number]>[] = [
  {
    id: 'what',
    header: 'What',
    narrow: 'start',
    cell: ({ id, action }) => (
      <TextLink href={`/admin/audit?record=${id}`}>{auditWords(action)}</TextLink>
    ),
    isRowHeader: true,
  },
  textColumn({ id: 'by', header: 'By', narrow: 'start-second', text: ({ by }) => by ?? 'Purser' }),
  timeColumn({
    id: 'when',
    header: 'When',
    narrow: 'end',
    at: ({ at }) => at,
    as: 'shortDateTime',
  }),
];
