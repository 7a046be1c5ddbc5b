import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { BalanceProof, EventProof, RouteInput } from '#contract/api.ts';
import { ofBalance, ofEvent, type ProofSubject } from '#contract/verify-shown.ts';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { ProvenSubject } from './proven-subject.tsx';
import type { ProofTarget, ProveNumberProps } from './proof-target.ts';
import { ProvenFlow } from './proven-flow.tsx';
import { ProvenTotal } from './proven-total.tsx';
import './proof.css';

/** Entries behind a number, and this browser's own check of their seals. */
export function ProofDialog({ target, onClose, onBack }: ProveNumberProps) {
  const [targets, setTargets] = useState<readonly ProofTarget[]>([target]);
  const shown = targets.at(-1) ?? target;
  const back = targets.length > 1 ? () => setTargets(targets.slice(0, -1)) : onBack;
  const open = (next: ProofTarget) => setTargets([...targets, next]);
  return (
    <Dialog
      title="Prove this number"
      onClose={onClose}
      actions={
        <>
          {back !== undefined && <Button onPress={back}>Back</Button>}
          <Button slot="close" kind="solid">
            Close
          </Button>
        </>
      }
    >
      {shown.kind === 'total' && shown.of === 'balance' && <ProvenTotal onOpen={open} />}
      {shown.kind === 'total' && shown.of !== 'balance' && (
        <ProvenFlow of={shown.of} onOpen={open} />
      )}
      {shown.kind === 'event' && <EventProofView key={shown.id} id={shown.id} />}
      {shown.kind === 'balance' && (
        <BalanceProofView key={`${shown.account} ${shown.number}`} target={shown} onOpen={open} />
      )}
    </Dialog>
  );
}

/** A proof is of one moment. Only "Check again" requests it again. */
const OF_ONE_MOMENT = {
  staleTime: Infinity,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

type EventId = RouteInput<'proveEvent'>['params']['id'];

function EventProofView({ id }: { id: string }) {
  // A malformed id is sent as it is: the server answers "not found".
  const query = useQuery({
    ...apiQuery('proveEvent', { params: { id: id as EventId } }),
    ...OF_ONE_MOMENT,
  });
  const personId = usePersonId();
  const subjectOf = useCallback(
    (proof: EventProof) => ofEvent(proof, { id, personId }),
    [id, personId],
  );
  return <Proven query={query} subjectOf={subjectOf} />;
}

interface BalanceProofViewProps {
  target: Extract<ProofTarget, { kind: 'balance' }>;
  onOpen: (target: ProofTarget) => void;
}

function BalanceProofView({ target, onOpen }: BalanceProofViewProps) {
  const { account, number } = target;
  const query = useQuery({
    ...apiQuery('proveBalance', { query: { account, number } }),
    ...OF_ONE_MOMENT,
  });
  const personId = usePersonId();
  const subjectOf = useCallback(
    (proof: BalanceProof) => ofBalance(proof, { account, number, personId }),
    [account, number, personId],
  );
  return <Proven query={query} subjectOf={subjectOf} onOpen={onOpen} />;
}

/** Id of the signed-in person, as the whole page has it. */
function usePersonId(): string {
  const session = useQueryClient().getQueryData(apiQuery('getSession', {}).queryKey);
  return session?.user?.id ?? '';
}

interface ProvenProps<Data> {
  query: UseQueryResult<Data>;
  subjectOf: (data: Data) => ProofSubject;
  onOpen?: ((target: ProofTarget) => void) | undefined;
}

function Proven<Data>({ query, subjectOf, onOpen }: ProvenProps<Data>) {
  const { data } = query;
  const subject = useMemo(
    () => (data === undefined ? undefined : subjectOf(data)),
    [data, subjectOf],
  );
  return (
    <LoadedQuery
      query={query}
      what="the proof"
      placeholder={<Skeleton lines={8} label="Loading the entries" />}
    >
      {() =>
        subject !== undefined && (
          <ProvenSubject
            key={query.dataUpdatedAt}
            subject={subject}
            onAgain={() => void query.refetch()}
            onOpen={onOpen}
          />
        )
      }
    </LoadedQuery>
  );
}
