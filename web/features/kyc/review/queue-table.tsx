import type { ReactNode } from 'react';
import type { ReviewItem } from '#contract/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Status } from '#web/ui/status.tsx';
import type { Sort } from '#web/ui/table-head.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { waitingWords } from './age.ts';
import { KIND_LABELS, type ReviewTarget } from './queue-filter.ts';

interface ReviewTableProps {
  rows: readonly ReviewItem[];
  sort: Sort | undefined;
  onSort: (sort: Sort) => void;
  onOpen: (target: ReviewTarget) => void;
  isLoading: boolean;
  instead: ReactNode;
}

/** The review queue: whose it is, how long it has waited, and who has it open. */
export function ReviewTable({ onOpen, ...table }: ReviewTableProps) {
  return (
    <Table
      label="Review queue"
      isDense
      rowKey={({ kind, id }) => `${kind} ${id}`}
      columns={columnsOf(onOpen)}
      {...table}
    />
  );
}

function columnsOf(onOpen: ReviewTableProps['onOpen']): Column<ReviewItem>[] {
  return [
    {
      id: 'name',
      header: 'Employee',
      isRowHeader: true,
      isSortable: true,
      narrow: 'start',
      cell: ({ employee, kind, id }) => (
        <span className="admin-employee">
          <button
            type="button"
            className="row-link"
            aria-label={`Open ${KIND_LABELS[kind].toLowerCase()} of ${employee.name}`}
            onClick={() => onOpen({ kind, id })}
          >
            {employee.name}
          </button>
          <span className="id">{employee.employeeId}</span>
        </span>
      ),
    },
    {
      id: 'kind',
      header: 'What',
      narrow: 'start-second',
      cell: ({ kind }) => <span className="muted nowrap">{KIND_LABELS[kind]}</span>,
    },
    {
      id: 'documents',
      header: 'Documents',
      narrow: 'hidden',
      cell: ({ documents, documentsRequired }) => (
        <span className="muted num nowrap">
          {documents} of {documentsRequired}
        </span>
      ),
    },
    {
      id: 'submitted',
      header: 'Submitted',
      isSortable: true,
      narrow: 'hidden',
      cell: ({ submittedAt }) => (
        <Time className="muted num nowrap" at={submittedAt} as="shortDateTime" />
      ),
    },
    {
      id: 'age',
      header: 'Waiting',
      narrow: 'end',
      cell: ({ ageHours }) =>
        ageHours === null ? null : <span className="num nowrap">{waitingWords(ageHours)}</span>,
    },
    {
      id: 'claim',
      header: 'Open with',
      narrow: 'hidden',
      cell: ({ claim }) =>
        claim === null ? null : (
          <span className="nowrap">{claim.isMine ? 'You' : claim.holder.name}</span>
        ),
    },
    {
      id: 'status',
      header: 'Status',
      narrow: 'end-second',
      cell: ({ status }) => <Status status={status} isFinal={status === 'approved'} />,
    },
    {
      id: 'actions',
      header: 'Actions',
      align: 'right',
      isHeaderHidden: true,
      narrow: 'hidden',
      cell: ({ employee, kind, id, ageHours }) => (
        <Button
          shape="text"
          aria-label={`${ageHours === null ? 'View' : 'Review'} ${KIND_LABELS[kind].toLowerCase()} of ${employee.name}`}
          onPress={() => onOpen({ kind, id })}
        >
          {ageHours === null ? 'View' : 'Review'}
        </Button>
      ),
    },
  ];
}
