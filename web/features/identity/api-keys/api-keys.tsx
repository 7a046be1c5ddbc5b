import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '#contract/api.ts';
import { API_SCOPES } from '#contract/api-keys.ts';
import { can } from '#contract/can.ts';
import type { ApiKeyStatus } from '#contract/statuses.ts';
import { apiKey } from '#contract/things/api-key.ts';
import { legalIn } from '#contract/things/thing.ts';
import { apiQuery } from '#web/api/query.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { CreateApiKey } from './create-api-key.tsx';
import './api-keys.css';

const { consequence, ...REVOKE } = decisionsOf(apiKey).revoke;

/** Glyph and word of a key's status. */
const LOOKS: Record<ApiKeyStatus, { status: StatusName; label: string }> = {
  active: { status: 'active', label: 'Active' },
  expired: { status: 'inactive', label: 'Expired' },
  revoked: { status: 'cancelled', label: 'Revoked' },
};

/** The keys by which the company's own systems ask Purser: made here, and revoked. */
export function ApiKeys() {
  const keys = useQuery(apiQuery('adminListApiKeys', {}));
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey>();
  const items = keys.data?.items ?? [];

  function placeholder() {
    if (keys.isError) return <QueryError query={keys} what="the API keys" />;
    if (keys.isPending || items.length > 0) return undefined;
    return (
      <EmptyState
        title="No API keys yet"
        hint="An API key lets one of your own systems use Purser."
      />
    );
  }

  return (
    <Section
      title="API keys"
      end={
        <span className="section-acts">
          <AuditLink thing="apiKeys" />
          <TextLink href="/admin/api">API reference</TextLink>
          <Button onPress={() => setIsCreating(true)}>Create API Key</Button>
        </span>
      }
    >
      <Table
        label="API keys"
        isDense
        rows={items}
        columns={columnsOf(setRevoking)}
        isLoading={keys.isPending}
        placeholder={placeholder()}
      />
      {isCreating && <CreateApiKey onClose={() => setIsCreating(false)} />}
      {revoking !== undefined && (
        <DecisionDialog
          decision={REVOKE}
          id={revoking.id}
          subject={`${revoking.name}.`}
          topic="people"
          unchanged="The API key was not changed."
          onClose={() => setRevoking(undefined)}
        >
          <span className="strong">{revoking.name}</span>. {consequence}
        </DecisionDialog>
      )}
    </Section>
  );
}

function columnsOf(onRevoke: (key: ApiKey) => void): readonly Column<ApiKey>[] {
  return [
    {
      id: 'name',
      header: 'For',
      narrow: 'start',
      isRowHeader: true,
      cell: ({ name, last4 }) => (
        <>
          {name} <span className="meta num">{`…${last4}`}</span>
        </>
      ),
    },
    {
      id: 'scopes',
      header: 'Scopes',
      narrow: 'hidden',
      cell: ({ scopes }) => (
        <ul className="scopes">
          {scopes.map((scope) => (
            <li key={scope} title={API_SCOPES[scope]}>
              {scope}
            </li>
          ))}
        </ul>
      ),
    },
    {
      id: 'limit',
      header: 'Daily limit',
      narrow: 'hidden',
      cell: ({ dailyLimit }) =>
        dailyLimit === null ? <span className="muted">None</span> : <Money amount={dailyLimit} />,
    },
    textColumn({ id: 'by', header: 'Created by', narrow: 'hidden', text: (key) => key.createdBy }),
    {
      id: 'used',
      header: 'Last used',
      narrow: 'start-second',
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? (
          <span className="muted">Never used</span>
        ) : (
          <Time className="muted num nowrap" at={lastUsedAt} as="shortDateTime" />
        ),
    },
    timeColumn({
      id: 'expires',
      header: 'Expires',
      narrow: 'hidden',
      at: ({ expiresAt }) => expiresAt,
      as: 'date',
    }),
    {
      id: 'status',
      header: 'Status',
      narrow: 'end-second',
      cell: ({ status }) => <Status {...LOOKS[status]} />,
    },
    actionsColumn<ApiKey>({
      narrow: 'end',
      nameOf: ({ name }) => `the API key ${name}`,
      actions: (key) =>
        can(legalIn(apiKey), 'revoke', key.status)
          ? [{ label: REVOKE.label, kind: REVOKE.kind, onPress: () => onRevoke(key) }]
          : [],
    }),
  ];
}
