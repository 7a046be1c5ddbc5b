import type { ReviewItem } from '#contract/api.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import type { Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { waitingWords } from './age.ts';
import { KIND_LABELS } from './queue-words.ts';

/** "application of Maya Castellanos" */
function nameOf({ kind, employee }: ReviewItem): string {
  return `${KIND_LABELS[kind].toLowerCase()} of ${employee.name}`;
}

function actionOf({ status, ageHours }: ReviewItem): string {
  if (status === 'in_progress') return 'Open Employee';
  return ageHours === null ? 'View' : 'Review';
}

/** Moment of submission, or of the start where nothing was submitted yet. */
function Moment({ submittedAt, startedAt }: Pick<ReviewItem, 'submittedAt' | 'startedAt'>) {
  return (
    <span className="muted num nowrap">
      {submittedAt === null && 'Open since '}
      <Time at={submittedAt ?? startedAt ?? ''} as="shortDateTime" />
    </span>
  );
}

/** The review queue: whose it is, how long it has waited, and who has it open. */
export function queueColumns(onOpen: (item: ReviewItem) => void): readonly Column<ReviewItem>[] {
  return [
    personColumn({
      id: 'name',
      narrow: 'start',
      person: ({ employee }: ReviewItem) => employee,
      open: { label: (item) => `Open ${nameOf(item)}`, onOpen },
    }),
    textColumn({
      id: 'kind',
      header: 'Kind',
      narrow: 'start-second',
      text: ({ kind }) => KIND_LABELS[kind],
    }),
    {
      id: 'documents',
      header: 'Documents',
      narrow: 'hidden',
      isWideOnly: true,
      cell: ({ documents, documentsRequired }) => (
        <span className="muted num nowrap">
          {documents} of {documentsRequired}
        </span>
      ),
    },
    {
      id: 'submitted',
      header: 'Submitted',
      narrow: 'hidden',
      isWideOnly: true,
      cell: ({ submittedAt, startedAt }) => <Moment {...{ submittedAt, startedAt }} />,
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
          <Clipped isName>{claim.isMine ? 'You' : claim.holder.name}</Clipped>
        ),
    },
    statusColumn({
      narrow: 'end-second',
      status: ({ status }) => status,
      isFinal: ({ status }) => status === 'approved',
    }),
    actionsColumn({
      narrow: 'hidden',
      nameOf,
      actions: (item) => [{ label: actionOf(item), onPress: () => onOpen(item) }],
    }),
  ];
}
