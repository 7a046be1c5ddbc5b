import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { addressOf } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { NewestDocuments } from '#web/features/account-documents/newest.tsx';
import { Payslips } from '#web/features/account-documents/payslips.tsx';
import { Receipts } from '#web/features/account-documents/receipts.tsx';
import { Statements } from '#web/features/account-documents/statements.tsx';
import { ExportLink } from '#web/kit/export-link.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { FilterSelect } from '#web/ui/select.tsx';
import { Tabs } from '#web/ui/tabs.tsx';

const TABS = ['payslips', 'statements', 'receipts'] as const;
type TabName = (typeof TABS)[number];

/** `/employee/documents`; `?tab=` is the kind, `?year=` the year, `?account=` whose statements. */
export function DocumentsPage() {
  const { tab, year, account, page } = useSearch({ from: '/employee/employee/documents' });
  const navigate = useNavigate({ from: '/employee/documents' });
  const asked = year !== undefined && /^(?:19[7-9]|[2-9]\d\d)\d$/.test(year) ? Number(year) : null;
  const query = useQuery(
    apiQuery('listAccountDocuments', { query: asked === null ? {} : { year: asked } }),
  );
  const documents = query.data;
  const shownYear = documents?.year ?? asked;
  const selected: TabName = TABS.find((name) => name === tab) ?? 'payslips';
  const change = (words: Partial<Record<'tab' | 'year' | 'account' | 'page', string>>) =>
    void navigate({ search: ({ page: _, ...rest }) => ({ ...rest, ...words }) });
  // A year that nobody has is offered too while it is the one in the address.
  const years = [
    ...new Set([...(shownYear === null ? [] : [shownYear]), ...(documents?.years ?? [])]),
  ]
    .toSorted((a, b) => b - a)
    .map(String);

  return (
    <>
      <p className="mb-3">
        <TextLink href="/employee/history">Transaction History</TextLink>
      </p>
      <ScreenHead
        subtitle="Payslips, monthly statements and receipts. Open, print, or keep as PDF."
        actions={
          <>
            <FilterSelect
              label="Year"
              value={shownYear === null ? '' : String(shownYear)}
              onChange={(chosen) => change({ year: chosen })}
              options={years.map((value) => ({ value, label: value }))}
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
      {query.isError ? (
        <QueryError query={query} title="Error Loading Documents" />
      ) : (
        <>
          <NewestDocuments documents={documents} />
          <div className="section">
            <Tabs
              label="Documents"
              selected={selected}
              onSelect={(chosen) => change({ tab: chosen })}
              tabs={[
                { id: 'payslips', label: 'Payslips', content: <Payslips documents={documents} /> },
                {
                  id: 'statements',
                  label: 'Statements',
                  content: (
                    <Statements
                      documents={documents}
                      account={account}
                      onAccount={(chosen) => change({ account: chosen })}
                    />
                  ),
                },
                {
                  id: 'receipts',
                  label: 'Receipts',
                  content: shownYear !== null && (
                    <Receipts
                      year={shownYear}
                      page={pageOf(page)}
                      onPage={(next) => change({ page: String(next) })}
                    />
                  ),
                },
              ]}
            />
          </div>
        </>
      )}
    </>
  );
}

/** What is no number of a page is the first. */
function pageOf(page: string | undefined): number {
  return page !== undefined && /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1;
}
