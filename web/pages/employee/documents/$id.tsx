import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '#web/api/query.ts';
import { DocumentView } from '#web/features/account-documents/document-view.tsx';
import type { ProofTarget } from '#web/features/history/proof/proof-target.ts';
import { ProveNumber } from '#web/features/history/proof/prove-number.tsx';
import { Questions } from '#web/features/questions/questions.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { Button } from '#web/ui/button.tsx';

/** `/employee/documents/<id>`; `?print=yes` opens the printing dialog. */
export function DocumentPage() {
  const { id } = useParams({ from: '/employee/employee/documents/$id' });
  const { print } = useSearch({ from: '/employee/employee/documents/$id' });
  // The server answers what is no id.
  const query = useQuery(apiQuery('getAccountDocument', { params: { id } }));
  const document = query.data;
  const [proven, setProven] = useState<ProofTarget | null>(null);
  const proves = document?.proves ?? null;
  return (
    <>
      <DocumentView
        id={id}
        query={query}
        isPrinted={print === 'yes'}
        back={{ href: '/employee/documents', label: 'Documents' }}
        acts={
          proves !== null && <Button onPress={() => setProven(proves)}>Prove this number</Button>
        }
        onProve={(event) => setProven({ kind: 'event', id: event })}
        heading={<ScreenHead title="Document" />}
      />
      {document?.kind === 'payslip' && proves?.kind === 'event' && (
        <div className="doc-below">
          <Questions event={proves.id} about="this payslip" />
        </div>
      )}
      {proven !== null && <ProveNumber target={proven} onClose={() => setProven(null)} />}
    </>
  );
}
