import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { addressOf } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import {
  DOCUMENT_TABS,
  DocumentTabs,
  DocumentYear,
  readYear,
} from '#web/features/account-documents/document-tabs.tsx';
import { NewestDocuments } from '#web/features/account-documents/newest.tsx';
import { Receipts } from '#web/features/account-documents/receipts.tsx';
import { ExportLink } from '#web/kit/export-link.tsx';
import { pageOf } from '#web/kit/numbered-pager.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { isDrawn, QueryError } from '#web/kit/query-error.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

/** `/employee/documents`; `?tab=` is the kind, `?year=` the year, `?account=` whose statements. */
export function DocumentsPage() {
  const { tab, year, account, page } = useSearch({ from: '/employee/employee/documents' });
  const navigate = useNavigate({ from: '/employee/documents' });
  const asked = readYear(year);
  const query = useQuery(
    apiQuery('listAccountDocuments', { query: asked === null ? {} : { year: asked } }),
  );
  const documents = query.data;
  const shownYear = documents?.year ?? asked;
  const change = (words: Partial<Record<'tab' | 'year' | 'account' | 'page', string>>) =>
    void navigate({ search: ({ page: _, ...rest }) => ({ ...rest, ...words }) });

  return (
    <>
      <p className="mb-3">
        <TextLink href="/employee/history">Transaction History</TextLink>
      </p>
      <ScreenHead
        subtitle="Payslips, monthly statements and receipts. Open, print, or keep as PDF."
        actions={
          <>
            <DocumentYear
              documents={documents}
              asked={asked}
              onYear={(chosen) => change({ year: String(chosen) })}
            />
            {shownYear !== null && (
              <ExportLink
                href={addressOf('downloadDocumentArchive', { params: { year: shownYear } })}
                label={`All of ${shownYear}`}
              />
            )}
          </>
        }
      />
      {query.isError && <QueryError query={query} what="the documents" />}
      {isDrawn(query) && (
        <>
          <NewestDocuments documents={documents} />
          <div className="section">
            <DocumentTabs
              documents={documents}
              selected={DOCUMENT_TABS.find((name) => name === tab) ?? 'payslips'}
              onSelect={(chosen) => change({ tab: chosen })}
              account={account}
              onAccount={(chosen) => change({ account: chosen })}
              receipts={
                shownYear !== null && (
                  <Receipts
                    year={shownYear}
                    page={pageOf(page)}
                    onPage={(next) => change({ page: String(next) })}
                  />
                )
              }
            />
          </div>
        </>
      )}
    </>
  );
}
