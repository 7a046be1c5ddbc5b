import { Download } from 'lucide-react';
import { addressOf } from '#web/api/client.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import type { Column } from '#web/ui/table.tsx';
import './account-documents.css';

/** Where a document is shown. */
export function documentHref(id: string): string {
  return `/employee/documents/${encodeURIComponent(id)}`;
}

/** Where a document is as PDF. */
export function pdfHref(id: string): string {
  return addressOf('downloadAccountDocument', { params: { id } });
}

interface DocumentActsProps {
  id: string;
  /** For those who do not see the row: "Payslip PAY-0048-0147". */
  name: string;
}

/** Open, print, or keep as PDF; on a phone the row's name opens it, and the PDF is an icon. */
function DocumentActs({ id, name }: DocumentActsProps) {
  return (
    <span className="document-acts">
      <span className="document-acts__wide">
        <LinkButton shape="text" href={documentHref(id)} aria-label={`Open ${name}`}>
          Open
        </LinkButton>
        <LinkButton
          shape="text"
          href={`${documentHref(id)}?print=yes`}
          aria-label={`Print ${name}`}
        >
          Print
        </LinkButton>
      </span>
      <a
        href={pdfHref(id)}
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

/** The column at the end of a list of documents. */
export function documentActsColumn<Row>(of: (row: Row) => DocumentActsProps | string): Column<Row> {
  return {
    id: 'acts',
    header: 'Actions',
    align: 'right',
    isHeaderHidden: true,
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
