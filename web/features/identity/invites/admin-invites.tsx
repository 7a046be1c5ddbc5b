import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AdminInvite } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import type { InviteStatus } from '#contract/statuses.ts';
import { invite } from '#contract/things/invite.ts';
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
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import type { StatusName } from '#web/ui/status-table.ts';
import { Table, type Column } from '#web/ui/table.tsx';
import { CreateInvite } from './create-invite.tsx';

const ANYONE = 'Anyone with the link';

const { consequence, ...REVOKE } = decisionsOf(invite).revoke;

/** Glyph and word of an invite's status. */
const LOOKS: Record<InviteStatus, { status: StatusName; label: string }> = {
  waiting: { status: 'pending', label: 'Waiting' },
  used: { status: 'completed', label: 'Used' },
  expired: { status: 'inactive', label: 'Expired' },
  revoked: { status: 'cancelled', label: 'Revoked' },
};

/** Invites that make somebody an administrator: made here, and taken back while nobody has used them. */
export function AdminInvites() {
  const invites = useQuery(apiQuery('adminListInvites', {}));
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<AdminInvite>();
  const items = invites.data?.items ?? [];

  function placeholder() {
    if (invites.isError) return <QueryError query={invites} what="the invites" />;
    if (invites.isPending || items.length > 0) return undefined;
    return <EmptyState title="No invites yet" hint="An invite makes a person an administrator." />;
  }

  return (
    <Section
      title="Admin invites"
      end={
        <span className="section-acts">
          <AuditLink thing="invites" />
          <Button why={invites.data?.refusal ?? undefined} onPress={() => setIsCreating(true)}>
            Create Invite
          </Button>
        </span>
      }
    >
      <Table
        label="Admin invites"
        isDense
        rows={items}
        columns={columnsOf(setRevoking)}
        isLoading={invites.isPending}
        placeholder={placeholder()}
      />
      {isCreating && <CreateInvite onClose={() => setIsCreating(false)} />}
      {revoking !== undefined && (
        <DecisionDialog
          decision={REVOKE}
          id={revoking.id}
          subject={`${revoking.email ?? ANYONE}.`}
          topic="people"
          unchanged="The invite was not changed."
          onClose={() => setRevoking(undefined)}
        >
          <span className="strong">{revoking.email ?? ANYONE}</span>. {consequence}
        </DecisionDialog>
      )}
    </Section>
  );
}

function columnsOf(onRevoke: (invite: AdminInvite) => void): readonly Column<AdminInvite>[] {
  return [
    {
      ...textColumn<AdminInvite>({
        id: 'for',
        header: 'For',
        narrow: 'start',
        text: ({ email }) => email ?? ANYONE,
      }),
      isRowHeader: true,
    },
    textColumn({
      id: 'by',
      header: 'Created by',
      narrow: 'hidden',
      text: ({ createdBy }) => createdBy ?? 'On the server, by command',
    }),
    timeColumn({
      id: 'created',
      header: 'Created',
      narrow: 'hidden',
      at: ({ createdAt }) => createdAt,
      as: 'shortDateTime',
    }),
    timeColumn({
      id: 'expires',
      header: 'Expires',
      narrow: 'start-second',
      at: ({ expiresAt }) => expiresAt,
      as: 'shortDateTime',
    }),
    {
      id: 'status',
      header: 'Status',
      narrow: 'end-second',
      cell: ({ status, usedBy }) => (
        <>
          <Status {...LOOKS[status]} /> {usedBy !== null && <span className="meta">{usedBy}</span>}
        </>
      ),
    },
    actionsColumn<AdminInvite>({
      narrow: 'end',
      nameOf: ({ email }) => `the invite for ${email ?? ANYONE}`,
      actions: (row) =>
        can(legalIn(invite), 'revoke', row.status)
          ? [{ label: REVOKE.label, kind: REVOKE.kind, onPress: () => onRevoke(row) }]
          : [],
    }),
  ];
}
