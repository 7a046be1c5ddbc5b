import type { AccountDocument } from '#contract/api.ts';
import { counted } from '#web/lib/format.ts';
import { Facts } from '#web/ui/facts.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Table } from '#web/ui/table.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';
import './account-documents.css';

type DocumentTable = AccountDocument['tables'][number];
type Cell = DocumentTable['rows'][number][number];

interface PaperProps {
  document: AccountDocument;
  /** Shows the proof of an entry that a line is about. */
  onProve: (event: string) => void;
}

/** A payslip, statement or receipt as a sheet of paper, in both themes and in print. */
export function Paper({ document, onProve }: PaperProps) {
  const { company, title, subtitle, lead, facts, tables, proof, questions, reference } = document;
  return (
    <article className="paper" aria-label={`${title}, ${reference}`}>
      <div className="paper__head">
        <Wordmark />
        <address>
          <strong>{company.name}</strong>
          {company.address.map((line) => (
            <div key={line}>{line}</div>
          ))}
        </address>
      </div>
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
      <div className="paper__facts">
        {facts.map((column, place) => (
          <Facts
            // The columns of a document never change their places.
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
        <span className="paper__reference">{reference}</span>
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
  return (
    <>
      {title !== null && <h2>{title}</h2>}
      <Table
        label={name}
        rows={rows.map((cells, index) => ({ id: String(index), cells }))}
        rowKey={({ id }) => id}
        columns={columns.map(({ label, kind }, place) => ({
          id: label,
          header: label,
          align: kind === 'amount' ? ('right' as const) : undefined,
          cell: ({ cells }: { cells: readonly Cell[] }) => (
            <CellWords cell={cells[place] ?? ''} isCode={kind === 'code'} onProve={onProve} />
          ),
          ...(total !== null && {
            total: <CellWords cell={total[place] ?? ''} onProve={onProve} />,
          }),
        }))}
      />
      {omitted > 0 && (
        <p className="paper__omitted">
          {counted(omitted, 'further line')} before the last one: the PDF has all of them.
        </p>
      )}
    </>
  );
}

interface CellWordsProps extends Pick<PaperProps, 'onProve'> {
  cell: Cell;
  isCode?: boolean;
}

function CellWords({ cell, isCode = false, onProve }: CellWordsProps) {
  if (typeof cell !== 'string') {
    if ('reference' in cell) {
      const { reference, event } = cell;
      return (
        <span className="id">
          <TextButton aria-label={`Prove ${reference}`} onPress={() => onProve(event)}>
            {reference}
          </TextButton>
        </span>
      );
    }
    return <Money amount={cell.amount} signs={cell.isSigned ? 'always' : 'auto'} />;
  }
  return (
    <span dir="auto" className={isCode ? 'id' : undefined}>
      {cell}
    </span>
  );
}
