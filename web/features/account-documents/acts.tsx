import { Download } from 'lucide-react';
import { ACTIONS_COLUMN } from '#web/kit/columns/actions.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import type { Column } from '#web/ui/table.tsx';
import { useDocumentsPlace } from './place.ts';
import './account-documents.css';

interface DocumentActsProps {
  id: string;
  /** Accessible name for people who cannot see the row: "Payslip PAY-0048-0147". */
  name: string;
}

/**
 * Opens, prints or saves a document as PDF. On a phone the row's name opens it, and the PDF is an
 * icon.
 */
function DocumentActs({ id, name }: DocumentActsProps) {
  const place = useDocumentsPlace();
  return (
    <span className="document-acts">
      <span className="document-acts__wide">
        <LinkButton shape="text" href={place.screen(id)} aria-label={`Open ${name}`}>
          Open
        </LinkButton>
        <LinkButton shape="text" href={place.screen(id, true)} aria-label={`Print ${name}`}>
          Print
        </LinkButton>
      </span>
      <a
        href={place.pdf(id)}
        download=""
        className={buttonClass('outline', 'text')}
        aria-label={`PDF ${name}`}
      >
        <span className="document-acts__wide">PDF</span>
        <span className="document-acts__narrow">
          <Icon of={Download} size={20} />
        </span>
      </a>
    </span>
  );
}

/** Column with the actions, at the end of a list of documents. */
export function documentActsColumn<Row>(of: (row: Row) => DocumentActsProps | string): Column<Row> {
  return {
    ...ACTIONS_COLUMN,
    narrow: 'end-second',
    cell: (row) => {
      const document = of(row);
      return typeof document === 'string' ? (
        <span className="muted">{document}</span>
      ) : (
        <DocumentActs {...document} />
      );
    },
  };
}
