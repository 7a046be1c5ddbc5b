import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SettingsReply } from '#contract/api.ts';
import { settingLabel, type SettingName } from '#contract/settings.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { useAction } from '#web/kit/action.tsx';
import { BeforeAfter } from '#web/ui/before-after.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Time } from '#web/ui/time.tsx';
import { ADMIN_ACT_WORDS } from '#web/kit/proposed-on.tsx';
import { useCompany } from '#web/lib/company.ts';
import { wordsOf } from './typed-settings.ts';

type Proposal = NonNullable<SettingsReply['proposal']>;
type AdminProposal = SettingsReply['adminProposals'][number];

/** Notices of changes that wait for another admin: of settings that loosen a rule, and of administrators. */
export function Proposals({ reply }: { reply: SettingsReply }) {
  const { proposal, adminProposals } = reply;
  if (proposal === null && adminProposals.length === 0) return null;
  return (
    <div className="proposals">
      {proposal !== null && <ProposalNotice proposal={proposal} />}
      {adminProposals.map((one) => (
        <AdminProposalNotice proposal={one} key={one.id} />
      ))}
    </div>
  );
}

/** Notice of a change that loosens a rule about money and waits for another admin. */
function ProposalNotice({ proposal }: { proposal: Proposal }) {
  const { currency } = useCompany();
  const names = Object.keys(proposal.settings) as SettingName[];
  return (
    <WaitingChange
      proposal={proposal}
      title={
        proposal.isMine
          ? 'Your change waits for another administrator.'
          : `${proposal.proposedBy} proposes a change that needs a second administrator.`
      }
    >
      <ul>
        {names.map((name) => (
          <li key={name}>
            {settingLabel(name, currency)}:{' '}
            <BeforeAfter
              before={wordsOf(name, proposal.before[name] ?? null)}
              after={wordsOf(name, proposal.settings[name] ?? null)}
            />
          </li>
        ))}
      </ul>
    </WaitingChange>
  );
}

/** Notice of an act on an administrator that waits for another one, or for a day where there is none. */
function AdminProposalNotice({ proposal }: { proposal: AdminProposal }) {
  const { act, isMine, person, proposedBy, reason } = proposal;
  const who = isMine ? 'You propose' : `${proposedBy} proposes`;
  return (
    <WaitingChange
      proposal={proposal}
      discardRefusal={proposal.discardRefusal}
      title={`${who} to ${ADMIN_ACT_WORDS[act]} ${person.name}.`}
    >
      <p>Reason: {reason}</p>
    </WaitingChange>
  );
}

interface WaitingChangeProps {
  proposal: Pick<Proposal, 'id' | 'proposedAt' | 'refusal'>;
  /** Sentence with which discarding would be refused; null, the default, if it would not. */
  discardRefusal?: string | null;
  title: string;
  children: ReactNode;
}

/**
 * A change that waits, with its answers. Accepting is disabled with the reason where the server would refuse it, and
 * discarding is then not offered: whom a proposal is about would read the same reason twice.
 */
function WaitingChange({ proposal, discardRefusal = null, title, children }: WaitingChangeProps) {
  const queryClient = useQueryClient();
  const { queryKey } = apiQuery('adminGetSettings', {});
  const decide = useAction({
    send: (isAccepted: boolean) =>
      call(isAccepted ? 'adminAcceptSettingsProposal' : 'adminDiscardSettingsProposal', {
        params: { id: proposal.id },
      }),
    topics: ['settings', 'people'],
    done: (_, isAccepted) => ({ title: isAccepted ? 'Change accepted' : 'Change discarded' }),
    failed: 'Nothing was changed',
    onDone: (reply) => queryClient.setQueryData(queryKey, reply),
  });
  return (
    <Notice tone="caution">
      <p>
        <span className="strong">{title}</span> <Time at={proposal.proposedAt} as="dateTime" />
      </p>
      {children}
      <p className="setting__pick">
        <Button
          shape="text"
          why={proposal.refusal ?? undefined}
          isDisabled={decide.isPending}
          onPress={() => decide.mutate(true)}
        >
          Accept
        </Button>
        {discardRefusal === null && (
          <Button shape="text" isDisabled={decide.isPending} onPress={() => decide.mutate(false)}>
            Discard
          </Button>
        )}
      </p>
    </Notice>
  );
}
