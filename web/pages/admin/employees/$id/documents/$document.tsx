import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { apiQuery } from '#web/api/query.ts';
import { DocumentView } from '#web/features/account-documents/document-view.tsx';
import {
  documentsOfPerson,
  placeOfPerson,
} from '#web/features/account-documents/place-of-person.ts';
import { DocumentsPlaceContext } from '#web/features/account-documents/place.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';

const ROUTE = '/admin/admin/employees/$id/documents/$document';

/** `/admin/employees/<id>/documents/<document>`; `?print=yes` opens the printing dialog. */
export function EmployeeDocumentPage() {
  const { id, document } = useParams({ from: ROUTE });
  const { print } = useSearch({ from: ROUTE });
  // The server answers what is no id.
  const query = useQuery(apiQuery('adminGetAccountDocument', { params: { id, document } }));
  return (
    <DocumentsPlaceContext value={placeOfPerson(id)}>
      <DocumentView
        id={document}
        query={query}
        isPrinted={print === 'yes'}
        back={{ href: documentsOfPerson(id), label: 'Documents of the employee' }}
        heading={<ScreenHead title="Document" />}
      />
    </DocumentsPlaceContext>
  );
}
