import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { API_SCOPE_IDS, API_SCOPES } from '#contract/api-keys.ts';
import { fetchOpenApi } from '#web/api/openapi.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { counted } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { Section } from '#web/ui/section.tsx';
import { isFound, operationsOf, type OpenApiDocument } from './document.ts';
import { OperationEntry } from './operation-entry.tsx';
import './api-reference.css';

/** Operations that an API key can call, from the server's own OpenAPI document. */
export function ApiReference() {
  const query = useQuery({
    queryKey: ['openapi'],
    queryFn: async ({ signal }) => (await fetchOpenApi(signal)) as OpenApiDocument,
    staleTime: Infinity,
  });
  return (
    <LoadedQuery query={query} what="the API reference" lines={10}>
      {(document) => <Operations document={document} />}
    </LoadedQuery>
  );
}

/** Operations by scope, with a search. */
export function Operations({ document }: { document: OpenApiDocument }) {
  const [search, setSearch] = useState('');
  const found = operationsOf(document).filter((operation) => isFound(operation, search));
  const server = document.servers[0]?.url ?? '';
  return (
    <div className="api-reference">
      <p>
        Your own systems send an API key in the header <code>{'Authorization: Bearer <key>'}</code>.
        Amounts are whole minor units as text (<code>&quot;12345&quot;</code> is 123.45). A request
        that moves money has an <code>Idempotency-Key</code>: the same key never has a second
        effect. Refusals are JSON with a <code>code</code> and a <code>title</code> to read.
      </p>
      <div className="api-reference__search">
        <SearchField label="Search operations" value={search} onChange={setSearch} />
        <p className="meta" role="status">
          {counted(found.length, 'operation')}
        </p>
      </div>
      {found.length === 0 && (
        <EmptyState title="No operation found" hint="Search by what it does, or its address." />
      )}
      {API_SCOPE_IDS.map((scope) => {
        const ofScope = found.filter((operation) => operation.scope === scope);
        return (
          ofScope.length > 0 && (
            <Section key={scope} title={API_SCOPES[scope]} end={<code>{scope}</code>}>
              {ofScope.map((operation) => (
                <OperationEntry key={operation.name} operation={operation} server={server} />
              ))}
            </Section>
          )
        );
      })}
    </div>
  );
}
