import { useQuery } from '@tanstack/react-query';
import type { SettingsReply } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { TextLink } from '#web/ui/link-button.tsx';

type AdminAct = SettingsReply['adminProposals'][number]['act'];

/** Words of each act on an administrator that waits, before the name: "proposes to reactivate Gus Host". */
export const ADMIN_ACT_WORDS: Record<AdminAct, string> = {
  resetTwoFactor: 'reset the two-factor of',
  reactivate: 'reactivate',
  revokeAdmin: 'remove the admin rights of',
};

const PROPOSED: Record<AdminAct, string> = {
  resetTwoFactor: 'Two-factor reset proposed',
  reactivate: 'Reactivation proposed',
  revokeAdmin: 'Removal of admin rights proposed',
};

/** Proposals about an administrator that wait, a line each, with the place where they are accepted if `isLinked`. */
export function ProposedOn({ personId, isLinked }: { personId: string; isLinked?: boolean }) {
  const settings = useQuery(apiQuery('adminGetSettings', {}));
  const waiting = settings.data?.adminProposals.filter(({ person }) => person.id === personId);
  return waiting?.map(({ id, act, proposedBy, isMine }) => {
    const words = `${PROPOSED[act]} by ${isMine ? 'you' : proposedBy}`;
    return (
      <span className="meta meta--line" key={id}>
        {isLinked === true ? (
          <TextLink href="/admin/settings?tab=security">{words}</TextLink>
        ) : (
          words
        )}
      </span>
    );
  });
}
