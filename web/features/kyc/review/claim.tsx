import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { ReviewClaim } from '#contract/api.ts';
import { CLAIM_RENEWAL_S } from '#contract/kyc.ts';
import { call } from '#web/api/client.ts';
import { useAction, ActionButton } from '#web/kit/action.tsx';
import { Notice } from '#web/ui/notice.tsx';

function claimKey(id: string) {
  return ['adminClaimReview', id] as const;
}

/**
 * Takes an item of the queue up while the desk shows it, renews that, and puts it back on leaving.
 * Another admin's claim stays; it is asked for again, so that the desk shows who has it now.
 */
function useClaim(id: string) {
  const claiming = useRef<Promise<unknown>>(undefined);
  const claim = useQuery({
    queryKey: claimKey(id),
    queryFn: () => {
      // An act and no read: to abort it would not undo it.
      const answer = call('adminClaimReview', { params: { id }, body: {} });
      claiming.current = answer;
      return answer;
    },
    refetchInterval: CLAIM_RENEWAL_S * 1_000,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  useEffect(() => {
    return () => {
      // After a claim that is on its way, which would hold the item otherwise. Nobody waits for the
      // answer: without it, the claim lapses by itself.
      void Promise.allSettled([claiming.current])
        .then(() => call('adminReleaseReview', { params: { id } }))
        .catch(() => undefined);
    };
  }, [id]);
  return claim.data;
}

/** Holds an item of the queue, and says so where another admin has it. */
export function ClaimNotice({ id }: { id: string }) {
  const claim = useClaim(id);
  if (claim === undefined || claim.isMine) return null;
  return <OtherHolder id={id} claim={claim} />;
}

function OtherHolder({ id, claim }: { id: string; claim: ReviewClaim }) {
  const queryClient = useQueryClient();
  const takeOver = useAction({
    send: () => call('adminClaimReview', { params: { id }, body: { takeOver: true } }),
    failed: 'Action Failed',
    onDone: (taken) => queryClient.setQueryData(claimKey(id), taken),
  });
  return (
    <Notice tone="caution" role="status">
      <p>
        <span className="strong">{claim.holder.name}</span> has this open. If you both decide, only
        the first decision counts.
      </p>
      <ActionButton shape="text" action={takeOver} pending="Taking over">
        Take over
      </ActionButton>
    </Notice>
  );
}
