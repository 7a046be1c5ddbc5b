import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { DOCUMENTS_OPEN_HOURS } from '#contract/limits.ts';
import { addressOf, call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import {
  DocumentTabs,
  DocumentYear,
  type DocumentTab,
} from '#web/features/account-documents/document-tabs.tsx';
import { DocumentView } from '#web/features/account-documents/document-view.tsx';
import { LeaverFrame } from '#web/features/account-documents/leaver-frame.tsx';
import {
  DocumentsPlaceContext,
  type DocumentsPlace,
} from '#web/features/account-documents/place.ts';
import { LinkRequestForm } from '#web/features/identity/sign-in/link-request-form.tsx';
import { FullScreen } from '#web/features/session/full-screen.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { MailedLinkTask } from '#web/kit/mailed-link-task.tsx';
import { isDrawn, QueryError } from '#web/kit/query-error.tsx';
import { CompanyContext } from '#web/lib/company.ts';
import { PageTitle } from '#web/ui/page-title.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';

const ROUTE = '/my-documents';
const openQuery = apiQuery('getOpenDocuments', {});

const PLACE: DocumentsPlace = {
  screen: (id, isPrinted = false) =>
    `${ROUTE}?${new URLSearchParams({ document: id, ...(isPrinted && { print: 'yes' }) }).toString()}`,
  pdf: (id) => addressOf('downloadAccountDocument', { params: { id } }),
};

/** `/my-documents`: payslips and statements of a person who left, opened by a mailed link (`?token=`). */
export function MyDocumentsPage() {
  const { token } = useSearch({ from: ROUTE });
  const open = useQuery(openQuery);
  const session = useSession();
  if (token !== undefined)
    return (
      <Lone>
        <OpenByLink token={token} />
      </Lone>
    );
  if (open.isError) {
    return (
      <Lone>
        <PageTitle>Your documents</PageTitle>
        <QueryError query={open} what="the documents" />
      </Lone>
    );
  }
  if (open.data === undefined || session.data === undefined) {
    return <FullScreen message="Loading your documents..." />;
  }
  if (open.data.person === null)
    return (
      <Lone>
        <AskForLink />
      </Lone>
    );
  return (
    <CompanyContext value={session.data.company}>
      <DocumentsPlaceContext value={PLACE}>
        <Documents name={open.data.person.name} company={session.data.company.name} />
      </DocumentsPlaceContext>
    </CompanyContext>
  );
}

function Lone({ children }: { children: ReactNode }) {
  return (
    <main className="lone">
      <Wordmark href="/" />
      <div className="lone__task">{children}</div>
    </main>
  );
}

function OpenByLink({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return (
    <MailedLinkTask
      title="Your documents"
      what={`Opens your payslips and statements for ${DOCUMENTS_OPEN_HOURS * 60} minutes in this browser. Nothing else can be seen or changed with this link.`}
      label="Open My Documents"
      pendingLabel="Opening"
      act={() => call('openDocuments', { body: { token } })}
      onSuccess={async () => {
        queryClient.clear();
        await navigate({ to: ROUTE, search: {}, replace: true });
      }}
      refusal="This link is no longer valid."
    />
  );
}

function AskForLink() {
  return (
    <>
      <PageTitle>Your documents</PageTitle>
      <p className="mt-3 mb-4">
        For people who left the company: we mail you a link to your payslips and statements.
      </p>
      <LinkRequestForm
        operation="requestDocumentsLink"
        label="Send Link"
        sent="If that address belongs to a person who left, we sent a link to their documents."
      />
    </>
  );
}

function Documents({ name, company }: { name: string; company: string }) {
  const { document } = useSearch({ from: ROUTE });
  const queryClient = useQueryClient();
  const closing = useMutation({
    mutationFn: () => call('closeDocuments', {}),
    // The documents leave the screen with the answer. To load them again would only be refused.
    onSuccess: () => {
      queryClient.setQueryData(openQuery.queryKey, { person: null });
      for (const read of ['listAccountDocuments', 'getAccountDocument']) {
        queryClient.removeQueries({ queryKey: [read] });
      }
    },
  });
  return (
    <LeaverFrame company={company} isClosing={closing.isPending} onClose={() => closing.mutate()}>
      {document === undefined ? <Lists name={name} /> : <OneDocument id={document} />}
    </LeaverFrame>
  );
}

function Lists({ name }: { name: string }) {
  const [year, setYear] = useState<number>();
  const [tab, setTab] = useState<DocumentTab>('payslips');
  const [account, setAccount] = useState<string>();
  const query = useQuery(
    apiQuery('listAccountDocuments', { query: year === undefined ? {} : { year } }),
  );
  const documents = query.data;
  return (
    <>
      <div className="page-head">
        <div>
          <PageTitle>Your documents</PageTitle>
          <p className="page-head__sub">Payslips and monthly statements of {name}.</p>
        </div>
        <DocumentYear documents={documents} asked={year ?? null} onYear={setYear} />
      </div>
      {query.isError && <QueryError query={query} what="the documents" />}
      {isDrawn(query) && (
        <DocumentTabs
          documents={documents}
          selected={tab}
          onSelect={setTab}
          account={account}
          onAccount={setAccount}
        />
      )}
    </>
  );
}

function OneDocument({ id }: { id: string }) {
  const { print } = useSearch({ from: ROUTE });
  const query = useQuery(apiQuery('getAccountDocument', { params: { id } }));
  return (
    <DocumentView
      id={id}
      query={query}
      isPrinted={print === 'yes'}
      back={{ href: ROUTE, label: 'Your documents' }}
      heading={<PageTitle>Document</PageTitle>}
    />
  );
}
