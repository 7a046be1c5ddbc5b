import { useState } from 'react';
import type { EmployeeImport } from '#contract/api.ts';
import {
  IMPORT_COLUMNS,
  IMPORT_COLUMN_IDS,
  type ImportColumn,
  rivalsIn,
} from '#contract/employee-import.ts';
import { DEFAULT_POSITION } from '#contract/identity.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction, questionTo } from '#web/kit/action.tsx';
import { CSV_FILES } from '#web/kit/csv-file.tsx';
import { MatchColumns } from '#web/kit/match-columns.tsx';
import { fileSize } from '#web/kit/file-size.ts';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { FileButton } from '#web/ui/file-button.tsx';
import { useMoments } from '#web/ui/time.tsx';

interface ImportFileProps {
  one: EmployeeImport;
  /** True if the viewer uploaded the file. */
  isOwn: boolean;
  onReplace: (file: File) => void;
}

/** File of an import: the columns that are read, and the acts available. */
export function ImportFile({ one, isOwn, onReplace }: ImportFileProps) {
  const [open, setOpen] = useState<'match' | 'discard'>();
  const isChecked = one.status === 'checked';
  return (
    <section className="import__file" aria-label="File">
      <div className="import__name">
        <Clipped className="strong">{one.fileName}</Clipped>
        <p className="meta">
          <FileHistory one={one} isOwn={isOwn} />
        </p>
        {isChecked && (
          <p className="page-head__actions mt-3">
            {isOwn && (
              <FileButton label="Replace the file" accept={CSV_FILES} onChoose={onReplace}>
                Replace
              </FileButton>
            )}
            <Button onPress={() => setOpen('discard')}>Discard</Button>
          </p>
        )}
        {one.status === 'finished' && (
          <p className="mt-3">
            <FileButton label="Import another file" accept={CSV_FILES} onChoose={onReplace}>
              Import Another File
            </FileButton>
          </p>
        )}
      </div>
      <h2 className="section-title">Columns</h2>
      <Facts
        isTight
        facts={IMPORT_COLUMN_IDS.map((column) => ({
          label: columnLabel(one, column),
          value: <ColumnName one={one} column={column} />,
        }))}
      />
      {isChecked && <Button onPress={() => setOpen('match')}>Match Columns</Button>}
      <p className="meta">{unreadWords(one)}</p>
      <p className="meta">
        {one.isMailed
          ? 'Each new employee is mailed a link to choose a password.'
          : 'No mail server is set, so no mail is sent. After the import, Print Links gives you a link for each new employee to choose a password.'}
      </p>
      {open === 'match' && (
        <MatchColumns
          fields={fieldsOf(one)}
          header={one.header}
          mapping={one.mapping}
          send={(body) => call('adminMatchImport', { params: { id: one.id }, body })}
          topics={['imports']}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'discard' && <DiscardFile one={one} onClose={() => setOpen(undefined)} />}
    </section>
  );
}

function fieldsOf({ header }: EmployeeImport) {
  const rivals = rivalsIn(header);
  return IMPORT_COLUMN_IDS.map((id) => ({
    id,
    label: IMPORT_COLUMNS[id].label,
    isRequired: IMPORT_COLUMNS[id].isRequired,
    hasRivals: rivals[id] !== undefined,
  }));
}

function FileHistory({ one, isOwn }: Pick<ImportFileProps, 'one' | 'isOwn'>) {
  const moment = useMoments();
  const { confirmedAt, confirmedBy, checkedAt, byteCount, counts } = one;
  if (confirmedAt !== null) {
    const at = moment(confirmedAt, 'shortDateTime');
    return <>{`${formatCount(counts.rows)} rows, confirmed by ${confirmedBy}, ${at}`}</>;
  }
  const by = isOwn ? '' : ` for ${one.uploadedBy.name}`;
  return <>{`${fileSize(byteCount)}, checked${by} ${moment(checkedAt, 'shortDateTime')}`}</>;
}

/**
 * Label of a column. A name column is "First Name" if the file has a separate column for last
 * names.
 */
function columnLabel({ mapping }: EmployeeImport, column: ImportColumn): string {
  const isFirstName = column === 'fullName' && mapping.lastName !== null;
  return isFirstName ? 'First Name' : IMPORT_COLUMNS[column].label;
}

function ColumnName({ one, column }: { one: EmployeeImport; column: ImportColumn }) {
  const index = one.mapping[column];
  if (index !== null) return <Clipped>{one.header[index] || `Column ${index + 1}`}</Clipped>;
  const rivals = rivalsIn(one.header)[column];
  const { isRequired } = IMPORT_COLUMNS[column];
  if (rivals !== undefined) {
    const look = isRequired ? 'import__bad' : 'muted';
    return <span className={look}>{`Not read. ${rivals} could both be it.`}</span>;
  }
  if (isRequired) return <span className="import__bad">Not found</span>;
  if (column === 'lastName') return <span className="muted">In the column of the full name.</span>;
  return <span className="muted">Not in the file. Everyone starts as {DEFAULT_POSITION}.</span>;
}

/** Names the columns of the file that are not imported. */
function unreadWords({ header, mapping }: EmployeeImport): string {
  const read = new Set(Object.values(mapping));
  const unread = header.filter((name, index) => name !== '' && !read.has(index));
  return unread.length === 0 ? '' : `Not imported: ${unread.join(', ')}.`;
}

function DiscardFile({ one, onClose }: { one: EmployeeImport; onClose: () => void }) {
  return (
    <ConfirmAction
      {...questionTo('Discard', 'file')}
      send={() => call('adminDiscardImport', { params: { id: one.id } })}
      topics={['imports']}
      failed="Not Discarded"
      onClose={onClose}
    >
      {one.fileName} of {one.uploadedBy.name}. Nobody was imported from it.
    </ConfirmAction>
  );
}
