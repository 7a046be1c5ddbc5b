import type { AuditEvent } from '#contract/api.ts';
import type { Currency } from '#contract/money.ts';
import { textColumn } from '#web/kit/columns/text.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { BeforeAfter } from '#web/ui/before-after.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import type { Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { useCompany } from '#web/lib/company.ts';
import { auditWords, changesOf, subjectWords } from '#web/kit/audit-words.ts';
import './audit.css';

/** @param onOpen opens the full record */
export function auditColumns(
  currency: Currency,
  onOpen: (event: AuditEvent) => void,
): readonly Column<AuditEvent>[] {
  return [
    timeColumn({
      id: 'when',
      header: 'When',
      narrow: 'end-second',
      at: ({ at }) => at,
      as: 'shortDateTime',
    }),
    { id: 'who', header: 'Who', narrow: 'start-second', cell: (event) => <Who event={event} /> },
    {
      id: 'act',
      header: 'Act',
      narrow: 'start',
      isRowHeader: true,
      cell: (event) => (
        <RowLink
          label={`Open ${auditWords(event.action)}, record ${event.id}`}
          onPress={() => onOpen(event)}
        >
          {auditWords(event.action)}
        </RowLink>
      ),
    },
    textColumn({
      id: 'on',
      header: 'On',
      narrow: 'end',
      text: (event) => subjectWords(event, currency),
    }),
    {
      id: 'change',
      header: 'Change',
      narrow: 'hidden',
      isWideOnly: true,
      cell: (event) => <Change event={event} />,
    },
    textColumn({
      id: 'from',
      header: 'From',
      narrow: 'hidden',
      text: ({ ipAddress, role }) => ipAddress ?? (role === 'system' ? 'Server' : ''),
    }),
  ];
}

/** Person or system that acted, with a label for anyone who is not an administrator. */
export function Who({ event: { by, role } }: { event: Pick<AuditEvent, 'by' | 'role'> }) {
  if (by === null) {
    return role === 'system' ? (
      <span className="audit-who">
        Purser <Tag>System</Tag>
      </span>
    ) : (
      <Tag>Not signed in</Tag>
    );
  }
  return (
    <span className="audit-who">
      <Clipped isName>{by.name}</Clipped> {role === 'employee' && <Tag>Employee</Tag>}
      {role === 'apiKey' && <Tag>API key</Tag>}
    </span>
  );
}

function Change({ event: { details } }: { event: AuditEvent }) {
  const { currency } = useCompany();
  const changes = changesOf(details, currency);
  const [only] = changes;
  if (only === undefined) return null;
  if (changes.length > 1) return <span>{`${changes.length} fields`}</span>;
  return <BeforeAfter before={only.before} after={only.after} />;
}
