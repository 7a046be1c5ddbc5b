import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Download, Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { apiQuery } from '#web/api/query.ts';
import { pdfHref } from '#web/features/account-documents/acts.tsx';
import { Paper } from '#web/features/account-documents/paper.tsx';
import { ProveNumber, type ProofTarget } from '#web/features/history/proof/prove-number.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** `/employee/documents/<id>`; `?print=yes` asks at once where to print it. */
export function DocumentPage() {
  const { id } = useParams({ from: '/employee/employee/documents/$id' });
  const { print } = useSearch({ from: '/employee/employee/documents/$id' });
  // The server answers what is no id.
  const query = useQuery(apiQuery('getAccountDocument', { params: { id } }));
  const document = query.data;
  const [proven, setProven] = useState<ProofTarget | null>(null);
  const isToBePrinted = print === 'yes' && document !== undefined;
  useEffect(() => {
    if (isToBePrinted) window.print();
  }, [isToBePrinted]);
  return (
    <>
      <div className="doc-bar">
        <span className="doc-bar__back">
          <TextLink href="/employee/documents">Documents</TextLink>
        </span>
        {document !== undefined && (
          <>
            {document.proves !== null && (
              <Button onPress={() => setProven(document.proves)}>Prove this number</Button>
            )}
            <Button onPress={() => window.print()}>
              <Icon of={Printer} size={16} />
              Print
            </Button>
            <a href={pdfHref(id)} download="" className={buttonClass()}>
              <Icon of={Download} size={16} />
              Download PDF
            </a>
          </>
        )}
      </div>
      {document !== undefined && (
        <Paper document={document} onProve={(event) => setProven({ kind: 'event', id: event })} />
      )}
      {proven !== null && <ProveNumber target={proven} onClose={() => setProven(null)} />}
      {document === undefined && (
        <>
          <ScreenHead title="Document" />
          {query.isError ? (
            <QueryError query={query} title="Error Loading Document" />
          ) : (
            <Skeleton lines={12} label="Loading the document" />
          )}
        </>
      )}
    </>
  );
}
