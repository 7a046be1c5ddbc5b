import type { AccountDocument } from '#contract/api.ts';
import { counted } from '#web/lib/format.ts';
import { Facts } from '#web/ui/facts.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import './account-documents.css';

type DocumentTable = AccountDocument['tables'][number];
type Cell = DocumentTable['rows'][number][number];

interface PaperProps {
  document: AccountDocument;
  /** Shows the proof of the entry behind a line. Undefined if proofs are not available. */
  onProve: ((event: string) => void) | undefined;
}

/** A payslip, statement or receipt as a sheet of paper, in both themes and in print. */
export function Paper({ document, onProve }: PaperProps) {
  const { company, title, subtitle, notice, lead, facts, tables, proof, questions, reference } =
    document;
  return (
    <article className="paper" aria-label={`${title}, ${reference}`}>
      <address className="paper__head">
        <strong className="paper__company">{company.name}</strong>
        {company.address.map((line) => (
          <div key={line}>{line}</div>
        ))}
      </address>
      <div className="paper__lead">
        <div>
          <PageTitle>{title}</PageTitle>
          <p dir="auto">{subtitle}</p>
        </div>
        <div className="paper__figure">
          <p className="muted">{lead.label}</p>
          <Balance amount={lead.amount} signs={lead.isSigned ? 'always' : 'auto'} />
        </div>
      </div>
      {notice !== null && <Notice tone="caution">{notice}</Notice>}
      <div className="paper__facts">
        {facts.map((column, place) => (
          <Facts
            // The columns of a document never change their order, so an index is a stable key.
            // oxlint-disable-next-line react/no-array-index-key
            key={place}
            isTight
            facts={column.map(({ label, value }) => ({
              label,
              value: <CellWords cell={value} onProve={onProve} />,
            }))}
          />
        ))}
      </div>
      {tables.map((table) => (
        <PaperTable
          key={table.title ?? title}
          table={table}
          name={table.title ?? title}
          onProve={onProve}
        />
      ))}
      <div className="paper__proof">
        {proof.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
      <div className="paper__foot">
        <span>{questions}</span>
        <span className="paper__reference">
          {reference}
          <span className="paper__maker">Made with Purser</span>
        </span>
      </div>
    </article>
  );
}

interface PaperTableProps extends Pick<PaperProps, 'onProve'> {
  table: DocumentTable;
  name: string;
}

function PaperTable({ table, name, onProve }: PaperTableProps) {
  const { title, columns, rows, total, omitted } = table;
  const places = narrowPlaces(columns);
  return (
    <>
      {title !== null && <h2>{title}</h2>}
      <Table
        label={name}
        rows={rows.map((cells, index) => ({ id: String(index), cells }))}
        columns={columns.map(({ label, kind }, place) => ({
          id: label,
          header: label,
          align: kind === 'amount' ? ('right' as const) : undefined,
          narrow: places[place],
          cell: ({ cells }: { cells: readonly Cell[] }) => (
            <PaperCell
              cell={cells[place]}
              look={lookOf(label, kind)}
              label={hasLabel(places[place], kind) ? label : undefined}
              onProve={onProve}
            />
          ),
          ...(total !== null && {
            total: (
              <PaperCell
                cell={total[place]}
                label={hasLabel(places[place], kind) ? label : undefined}
                onProve={onProve}
              />
            ),
          }),
        }))}
      />
      {omitted > 0 && (
        <p className="paper__omitted">
          {counted(omitted, 'further line')} before the last one. The PDF has all of them.
        </p>
      )}
    </>
  );
}

/** Keeps a day on one line with its month. */
function lookOf(
  label: string,
  kind: DocumentTable['columns'][number]['kind'],
): 'id' | 'nowrap' | undefined {
  if (kind === 'code') return 'id';
  return label === 'Date' ? 'nowrap' : undefined;
}

type NarrowPlace = Column<never>['narrow'];

/**
 * Positions of the columns on a phone. An entry takes two lines: description and amount, then the
 * date. In any other table the first cell has a line to itself, and every other cell has a line
 * with its label.
 */
function narrowPlaces(columns: DocumentTable['columns']): NarrowPlace[] {
  const labels = columns.map(({ label }) => label);
  const isOfEntries = labels.includes('Description') && labels.includes('Date');
  if (!isOfEntries) return labels.map((_, place) => (place === 0 ? 'start' : 'labelled'));
  const hasBalance = labels.includes('Balance');
  const places: Record<string, NarrowPlace> = {
    Description: 'start',
    Amount: 'end',
    Date: 'start-second',
    Balance: 'end-second',
    Reference: hasBalance ? 'labelled' : 'end-second',
  };
  return labels.map((label) => places[label] ?? 'labelled');
}

function hasLabel(place: NarrowPlace, kind: DocumentTable['columns'][number]['kind']): boolean {
  return place === 'labelled' || (place === 'end-second' && kind === 'amount');
}

interface PaperCellProps extends Pick<PaperProps, 'onProve'> {
  /** '' and undefined leave the cell empty. */
  cell: Cell | undefined;
  look?: 'id' | 'nowrap' | undefined;
  /** Label before the text on a phone, which shows no column heads. */
  label: string | undefined;
}

function PaperCell({ cell = '', look, label, onProve }: PaperCellProps) {
  if (cell === '') return null;
  return (
    <>
      {label !== undefined && (
        <span className="paper__label" aria-hidden="true">
          {label}{' '}
        </span>
      )}
      <CellWords cell={cell} look={look} onProve={onProve} />
    </>
  );
}

interface CellWordsProps extends Pick<PaperProps, 'onProve'> {
  cell: Cell;
  look?: 'id' | 'nowrap' | undefined;
}

function CellWords({ cell, look, onProve }: CellWordsProps) {
  if (typeof cell !== 'string') {
    if ('reference' in cell) {
      const { reference, event } = cell;
      if (onProve === undefined)
        return (
          <span className="id" translate="no">
            {reference}
          </span>
        );
      return (
        <span className="id" translate="no">
          <TextButton aria-label={`Prove ${reference}`} onPress={() => onProve(event)}>
            {reference}
          </TextButton>
        </span>
      );
    }
    return <Money amount={cell.amount} signs={cell.isSigned ? 'always' : 'auto'} />;
  }
  return (
    <span dir="auto" className={look}>
      {cell}
    </span>
  );
}
