import { useQueryClient } from '@tanstack/react-query';
import type { SettingsReply } from '#contract/api.ts';
import { SETTINGS, type SettingName } from '#contract/settings.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { useAction } from '#web/kit/action.tsx';
import { BeforeAfter } from '#web/ui/before-after.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Time } from '#web/ui/time.tsx';
import { wordsOf } from './typed-settings.ts';

type Proposal = NonNullable<SettingsReply['proposal']>;

/** Notice of a change that loosens a rule about money and waits for another admin. */
export function ProposalNotice({ proposal }: { proposal: Proposal }) {
  const queryClient = useQueryClient();
  const { queryKey } = apiQuery('adminGetSettings', {});
  const decide = useAction({
    send: (isAccepted: boolean) =>
      call(isAccepted ? 'adminAcceptSettingsProposal' : 'adminDiscardSettingsProposal', {
        params: { id: proposal.id },
      }),
    topics: ['settings'],
    done: (_, isAccepted) => ({ title: isAccepted ? 'Change accepted' : 'Change discarded' }),
    failed: 'Nothing was changed',
    onDone: (reply) => queryClient.setQueryData(queryKey, reply),
  });
  const names = Object.keys(proposal.settings) as SettingName[];
  return (
    <Notice tone="caution">
      <p>
        <span className="strong">
          {proposal.isMine
            ? 'Your change waits for another administrator.'
            : `${proposal.proposedBy} proposes a change that needs a second administrator.`}
        </span>{' '}
        <Time at={proposal.proposedAt} as="dateTime" />
      </p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            {SETTINGS[name].label}:{' '}
            <BeforeAfter
              before={wordsOf(name, proposal.before[name] ?? null)}
              after={wordsOf(name, proposal.settings[name] ?? null)}
            />
          </li>
        ))}
      </ul>
      <p className="setting__pick">
        {!proposal.isMine && (
          <Button
            shape="text"
            why={proposal.refusal ?? undefined}
            isDisabled={decide.isPending}
            onPress={() => decide.mutate(true)}
          >
            Accept
          </Button>
        )}
        <Button shape="text" isDisabled={decide.isPending} onPress={() => decide.mutate(false)}>
          Discard
        </Button>
      </p>
    </Notice>
  );
}
