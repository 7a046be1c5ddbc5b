import type { ReviewItem } from '#contract/api.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import type { Column } from '#web/ui/table.tsx';
import { waitingWords } from './age.ts';
import { KIND_LABELS, type ReviewTarget } from './queue-words.ts';

/** "application of Maya Castellanos" */
function nameOf({ kind, employee }: ReviewItem): string {
  return `${KIND_LABELS[kind].toLowerCase()} of ${employee.name}`;
}

/** The review queue: whose it is, how long it has waited, and who has it open. */
export function queueColumns(
  onOpen: (target: ReviewTarget) => void,
): readonly Column<ReviewItem>[] {
  return [
    personColumn({
      id: 'name',
      narrow: 'start',
      person: ({ employee }: ReviewItem) => employee,
      open: { label: (item) => `Open ${nameOf(item)}`, onOpen },
    }),
    textColumn({
      id: 'kind',
      header: 'What',
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
    timeColumn({
      narrow: 'hidden',
      isWideOnly: true,
      at: ({ submittedAt }) => submittedAt,
      as: 'shortDateTime',
    }),
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
        claim === null ? null : <Clipped>{claim.isMine ? 'You' : claim.holder.name}</Clipped>,
    },
    statusColumn({
      narrow: 'end-second',
      status: ({ status }) => status,
      isFinal: ({ status }) => status === 'approved',
    }),
    actionsColumn({
      narrow: 'hidden',
      nameOf,
      actions: (item) => [
        { label: item.ageHours === null ? 'View' : 'Review', onPress: () => onOpen(item) },
      ],
    }),
  ];
}
