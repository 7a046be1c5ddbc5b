import { useState, type ReactNode } from 'react';
import type { EmployeeImport } from '#contract/api.ts';
import { importRowList } from '#contract/lists.ts';
import { addressOf, call } from '#web/api/client.ts';
import { useAction, ActionButton } from '#web/kit/action.tsx';
import { ExportLink } from '#web/kit/export-link.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { useList } from '#web/kit/use-list.ts';
import { counted, formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { HandOutLinks, type LinksWay } from './hand-out-links.tsx';
import { importColumns, ROW_LABELS } from './import-columns.tsx';

const WORDS = {
  label: 'Rows of the file',
  what: 'the rows of the file',
  itemNoun: 'rows',
  none: { title: 'No rows found' },
  noMatch: 'No rows found',
};

const FILTERS = {
  status: {
    label: 'Outcome',
    nameOf: (status: keyof typeof ROW_LABELS | 'left-out') =>
      status === 'left-out' ? 'All left out' : ROW_LABELS[status],
  },
};

/** State of an import: the counts, each row, and the button that starts it. */
export function ImportSheet({ one, canMail }: { one: EmployeeImport; canMail: boolean }) {
  const list = useList(importRowList, { params: { id: one.id }, stateOf: JSON.stringify(one) });
  const leftOut = one.counts.errors + one.counts.duplicates + one.counts.failed;
  return (
    <section className="sheet" aria-label={TITLES[one.status]}>
      {one.status === 'checked' ? <CheckedHead one={one} /> : <RunningHead one={one} />}
      <div className="import__rows">
        <ListPage
          state={list}
          words={WORDS}
          filters={FILTERS}
          columns={importColumns(one)}
          hidesSinglePage
          isExportInHead
        />
      </div>
      {one.status === 'checked' ? (
        <Foot words={leftOutWords(leftOut)}>
          {leftOut > 0 && <ExportLink href={exportOf(one, 'left-out')} label="Download Errors" />}
          <ConfirmImport one={one} />
        </Foot>
      ) : (
        <Foot words="The result file has the outcome of every row.">
          {one.status === 'finished' && one.counts.imported > 0 && (
            <Links importId={one.id} canMail={canMail} />
          )}
          <ExportLink href={exportOf(one, 'all')} label="Download Result" />
        </Foot>
      )}
    </section>
  );
}

/** Links with which imported people choose their first password, to be mailed or printed. */
function Links({ importId, canMail }: { importId: string; canMail: boolean }) {
  const [way, setWay] = useState<LinksWay>();
  return (
    <>
      {canMail && <Button onPress={() => setWay('mail')}>Mail All Links</Button>}
      <Button onPress={() => setWay('show')}>Print Links</Button>
      {way !== undefined && (
        <HandOutLinks way={way} people={{ importId }} onClose={() => setWay(undefined)} />
      )}
    </>
  );
}

const TITLES: Record<EmployeeImport['status'], string> = {
  reading: 'Reading',
  checked: 'Ready to import',
  importing: 'Importing',
  finished: 'Imported',
};

function exportOf({ id }: EmployeeImport, status: 'all' | 'left-out'): string {
  return addressOf('adminExportImportRows', { params: { id }, query: { status } });
}

function leftOutWords(leftOut: number): string {
  if (leftOut === 0) return 'Every row can be imported.';
  return `${counted(leftOut, 'row')} ${leftOut === 1 ? 'is' : 'are'} left out. Fix them in the file and check again, or import them later.`;
}

function CheckedHead({ one: { counts } }: { one: EmployeeImport }) {
  return (
    <div className="sheet__head sheet__head--tall import__head">
      <div>
        <h2 className="section-title">{TITLES.checked}</h2>
        <span className="balance">{formatCount(counts.ready)}</span>
      </div>
      <p className="import__counts muted num">
        of {counted(counts.rows, 'row')}
        {counts.errors > 0 && (
          <span className="import__bad">{formatCount(counts.errors)} with errors</span>
        )}
        {counts.duplicates > 0 && <span>{counted(counts.duplicates, 'duplicate')}</span>}
        {counts.totals > 0 && (
          <span>
            {counted(counts.totals, 'total row')} {counts.totals === 1 ? 'was' : 'were'} left out
          </span>
        )}
      </p>
    </div>
  );
}

function RunningHead({ one: { status, counts } }: { one: EmployeeImport }) {
  const done = counts.imported + counts.failed;
  const words = `${formatCount(done)} of ${formatCount(counts.ready)}`;
  return (
    <div className="import__run">
      <div className="spread">
        <h2 className="section-title">{TITLES[status]}</h2>
        <span className="muted num" role="status">
          {words}
        </span>
      </div>
      <ProgressBar
        label="Employees imported"
        value={done}
        max={counts.ready}
        valueText={`${words} employees`}
      />
      {counts.failed > 0 && (
        <p className="import__bad">{formatCount(counts.failed)} could not be imported.</p>
      )}
    </div>
  );
}

function Foot({ words, children }: { words: string; children: ReactNode }) {
  return (
    <div className="spread import__foot">
      <p className="meta">{words}</p>
      <div className="page-head__actions">{children}</div>
    </div>
  );
}

function ConfirmImport({ one: { id, version, counts } }: { one: EmployeeImport }) {
  const confirm = useAction({
    send: () => call('adminConfirmImport', { params: { id }, body: { version } }),
    topics: ['imports'],
    failed: 'Not Imported',
  });
  return (
    <ActionButton
      kind="solid"
      action={confirm}
      pending="Starting the import"
      why={counts.ready === 0 ? 'No row can be imported' : undefined}
    >
      Import {counted(counts.ready, 'Employee')}
    </ActionButton>
  );
}
