import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { apiQuery } from '#web/api/query.ts';
import {
  DOCUMENT_TABS,
  DocumentTabs,
  DocumentYear,
  readYear,
} from '#web/features/account-documents/document-tabs.tsx';
import { placeOfPerson } from '#web/features/account-documents/place-of-person.ts';
import { DocumentsPlaceContext } from '#web/features/account-documents/place.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { isDrawn, QueryError } from '#web/kit/query-error.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

const ROUTE = '/admin/admin/employees/$id/documents';

/** `/admin/employees/<id>/documents`; `?tab=` is the kind, `?year=` the year, `?account=` the account. */
export function EmployeeDocumentsPage() {
  const { id } = useParams({ from: ROUTE });
  const { tab, year, account } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: '/admin/employees/$id/documents' });
  const asked = readYear(year);
  const person = useQuery(apiQuery('adminGetPerson', { params: { id } }));
  const query = useQuery(
    apiQuery('adminListAccountDocuments', {
      params: { id },
      query: asked === null ? {} : { year: asked },
    }),
  );
  const change = (words: Partial<Record<'tab' | 'year' | 'account', string>>) =>
    void navigate({ search: (now) => ({ ...now, ...words }) });
  const name = person.data?.name ?? 'Employee';
  return (
    <>
      <p className="mb-3">
        <TextLink href={`/admin/employees/${id}`}>{name}</TextLink>
      </p>
      <ScreenHead
        title={`Documents of ${name}`}
        subtitle="Payslips and monthly statements. The employee sees who opened which of them."
        actions={
          <DocumentYear
            documents={query.data}
            asked={asked}
            onYear={(chosen) => change({ year: String(chosen) })}
          />
        }
      />
      {query.isError && <QueryError query={query} what="the documents" />}
      {isDrawn(query) && (
        <DocumentsPlaceContext value={placeOfPerson(id)}>
          <DocumentTabs
            documents={query.data}
            selected={DOCUMENT_TABS.find((one) => one === tab) ?? 'payslips'}
            onSelect={(chosen) => change({ tab: chosen })}
            account={account}
            onAccount={(chosen) => change({ account: chosen })}
          />
        </DocumentsPlaceContext>
      )}
    </>
  );
}
