import { formatDay } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import type { Returns } from './return-words.ts';

type File = Returns['files'][number];

const COLUMNS: readonly Column<File>[] = [
  {
    id: 'file',
    header: 'File',
    narrow: 'start',
    isRowHeader: true,
    cell: ({ id, fileName, madeOn }) => (
      <TextLink href={`/admin/returns?file=${id}`}>
        {formatDay(madeOn, 'short')}, {fileName}
      </TextLink>
    ),
  },
  { id: 'by', header: 'Booked by', narrow: 'start-second', cell: ({ bookedBy }) => bookedBy },
  {
    id: 'open',
    header: 'Open',
    narrow: 'end-second',
    cell: ({ open }) => (open === 0 ? 'Nothing' : String(open)),
  },
  {
    id: 'total',
    header: 'Total',
    align: 'right',
    narrow: 'end',
    cell: ({ total }) => <Money amount={total} />,
  },
];

/** The other returns files, newest first. */
export function ReturnFiles({
  files,
  shown,
}: {
  files: readonly File[];
  shown?: string | undefined;
}) {
  return (
    <div className="section">
      <Section title="Other files">
        <Table
          label="Returns files, newest first"
          isDense
          columns={COLUMNS}
          rows={files.filter(({ id }) => id !== shown)}
        />
      </Section>
    </div>
  );
}
