import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Admin } from '#contract/api.ts';
import { ALONE_AFTER_HOURS } from '#contract/duties.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ProposedOn } from '#web/kit/proposed-on.tsx';
import { useAction } from '#web/kit/action.tsx';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { DecisionDialog, type Decision } from '#web/kit/decision-dialog.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatCount } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';

const DECISIONS = {
  end: {
    operation: 'adminEndSessions',
    label: 'End Sessions',
    kind: 'solid',
    title: 'End all sessions?',
    pending: 'Ending sessions',
    done: 'Sessions Ended',
  },
  remove: {
    operation: 'adminRevokeAdmin',
    label: 'Remove Rights',
    kind: 'danger',
    title: 'Remove admin rights',
    reason: {
      emptyHint: 'Enter a reason to remove them.',
      keep: 'Keep Rights',
      placeholder: 'Kept for administrators, not shown to the person',
    },
    pending: 'Removing',
    done: 'Admin Rights Removed',
  },
  reset: {
    operation: 'adminResetTwoFactor',
    label: 'Reset Two-factor',
    kind: 'danger',
    title: 'Reset two-factor',
    reason: {
      emptyHint: 'Enter a reason to reset it.',
      keep: 'Keep Two-factor',
      placeholder: 'The person reads it',
    },
    pending: 'Resetting',
    done: 'Two-factor Reset',
  },
} satisfies Record<string, Decision>;
type DecisionName = keyof typeof DECISIONS;

const CONSEQUENCES: Record<DecisionName, string> = {
  end: 'They are signed out everywhere and can sign in again.',
  remove: 'They are signed out and become an employee.',
  reset:
    'For an administrator who lost their phone and recovery codes. They are signed out and can sign in with the password alone until they set up two-factor again.',
};

const BY_ANOTHER = 'Another administrator has to accept it in these settings.';
const AFTER_A_DAY = `You can accept it in these settings after ${ALONE_AFTER_HOURS} hours, unless it is discarded before. All administrators are mailed now.`;

/** Administrators, and the acts on them. */
export function Admins() {
  const admins = useQuery(apiQuery('adminListAdmins', {}));
  const [deciding, setDeciding] = useState<{ admin: Admin; decision: DecisionName }>();
  const endOthers = useEndOtherSessions();
  const items = admins.data?.items ?? [];
  return (
    <Section title="Administrators">
      <Table
        label="Administrators"
        isDense
        rows={items}
        columns={columnsOf({
          isLast: items.length === 1,
          onDecide: (admin, decision) => setDeciding({ admin, decision }),
          onEndOthers: () => endOthers.mutate(),
        })}
        isLoading={admins.isPending}
        placeholder={
          admins.isError ? <QueryError query={admins} what="the administrators" /> : undefined
        }
      />
      {deciding !== undefined && (
        <DecisionDialog
          decision={DECISIONS[deciding.decision]}
          id={deciding.admin.id}
          subject={`${deciding.admin.name}.`}
          topic="people"
          unchanged="Nothing was changed."
          onClose={() => setDeciding(undefined)}
        >
          <span className="strong">{deciding.admin.name}</span>. {CONSEQUENCES[deciding.decision]}
          {deciding.decision !== 'end' &&
            ` ${deciding.admin.isByAnother ? BY_ANOTHER : AFTER_A_DAY}`}
        </DecisionDialog>
      )}
    </Section>
  );
}

function useEndOtherSessions() {
  return useAction({
    send: () => call('revokeOtherSessions'),
    topics: ['people'],
    done: { title: 'Sessions Ended', message: 'All except this browser.' },
    failed: 'Error',
  });
}

interface ColumnOptions {
  /** The last administrator keeps the rights. */
  isLast: boolean;
  onDecide: (admin: Admin, decision: DecisionName) => void;
  onEndOthers: () => void;
}

function columnsOf({ isLast, onDecide, onEndOthers }: ColumnOptions): readonly Column<Admin>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      narrow: 'start',
      isRowHeader: true,
      cell: ({ id, name, isMe, secondPersonFrom }) => (
        <>
          <TextLink href={`/admin/audit?by=${id}`}>{name}</TextLink>{' '}
          {isMe && <span className="meta">You</span>}
          {secondPersonFrom !== null && (
            <span className="meta meta--line">
              Second person from <Time at={secondPersonFrom} as="weekdayTime" />
            </span>
          )}
          <ProposedOn personId={id} />
        </>
      ),
    },
    textColumn({ id: 'email', header: 'Email', narrow: 'hidden', text: ({ email }) => email }),
    statusColumn<Admin>({
      header: 'Two-factor',
      narrow: 'end-second',
      status: ({ hasTwoFactor }) => (hasTwoFactor ? 'on' : 'off'),
    }),
    {
      id: 'active',
      header: 'Last active',
      narrow: 'start-second',
      cell: ({ lastActiveAt }) =>
        lastActiveAt === null ? (
          'Never'
        ) : (
          <Time className="nowrap" at={lastActiveAt} as="shortDateTime" />
        ),
    },
    {
      id: 'sessions',
      header: 'Sessions',
      align: 'right',
      narrow: 'hidden',
      cell: ({ sessions }) => <span className="num">{formatCount(sessions)}</span>,
    },
    actionsColumn<Admin>({
      narrow: 'end',
      nameOf: ({ name }) => name,
      actions: (admin) => {
        if (admin.isMe) {
          return admin.sessions > 1 ? [{ label: 'End Other Sessions', onPress: onEndOthers }] : [];
        }
        return [
          ...(admin.hasTwoFactor
            ? [{ label: 'Reset Two-factor', onPress: () => onDecide(admin, 'reset') }]
            : []),
          ...(admin.sessions > 0
            ? [{ label: 'End Sessions', onPress: () => onDecide(admin, 'end') }]
            : []),
          ...(isLast
            ? []
            : [
                {
                  label: 'Remove Rights',
                  kind: 'danger' as const,
                  onPress: () => onDecide(admin, 'remove'),
                },
              ]),
        ];
      },
    }),
  ];
}
