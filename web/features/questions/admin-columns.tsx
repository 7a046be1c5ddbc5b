import type { AdminQuestion } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { questionCan } from '#contract/questions.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { ageColumn } from '#web/kit/columns/time.tsx';
import type { Column } from '#web/ui/table.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

interface ColumnOptions {
  now: number;
  onOpen: (question: AdminQuestion) => void;
}

/** Columns of the admins' list of questions. */
export function questionColumns({ now, onOpen }: ColumnOptions): readonly Column<AdminQuestion>[] {
  return [
    personColumn({
      narrow: 'start',
      person: ({ employee }) => employee,
      open: { label: (row) => `Open the question of ${nameOf(row)}`, onOpen },
    }),
    {
      id: 'about',
      header: 'About',
      narrow: 'hidden',
      cell: ({ reference, transactionId }) =>
        transactionId === null ? (
          <span className="id" translate="no">
            {reference}
          </span>
        ) : (
          <span className="id" translate="no">
            <TextLink href={`/admin/transactions/${transactionId}`}>{reference}</TextLink>
          </span>
        ),
    },
    textColumn({
      id: 'question',
      header: 'Question',
      narrow: 'start-second',
      text: ({ question }) => question,
    }),
    ageColumn({ narrow: 'hidden', at: ({ askedAt }) => askedAt, now }),
    actionsColumn({
      narrow: 'end',
      nameOf,
      actions: (row) => [
        can(questionCan, 'answer', row.status)
          ? { label: 'Answer', why: row.refusal ?? undefined, onPress: () => onOpen(row) }
          : { label: 'Details', isQuiet: true, onPress: () => onOpen(row) },
      ],
    }),
  ];
}

function nameOf({ employee, reference }: AdminQuestion): string {
  return `${employee.name}, ${reference}`;
}
