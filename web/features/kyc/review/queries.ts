import type { QueryClient } from '@tanstack/react-query';
import { DOCUMENT_LINK_LIFE_S } from '#contract/kyc.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import type { ReviewTarget } from './queue-words.ts';

/**
 * Reading is recorded, and the person it is about sees it: it is read again when it changed, not
 * whenever the window is looked at, and nothing is kept once the desk shows something else.
 */
const RECORDED = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

export function applicationQuery(id: string) {
  return { ...apiQuery('adminGetApplication', { params: { id } }), ...RECORDED };
}

export function verificationQuery(id: string) {
  return { ...apiQuery('adminGetVerification', { params: { id } }), ...RECORDED };
}

/** The address of a document's image; made again before it ends, as long as the image is shown. */
export function documentLinkQuery(id: string) {
  return {
    queryKey: ['adminCreateDocumentLink', id] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      call('adminCreateDocumentLink', { params: { id } }, { signal }),
    ...RECORDED,
    refetchInterval: (DOCUMENT_LINK_LIFE_S - 60) * 1_000,
  };
}

/** Waits until the desk shows an item of the queue as it is now; joins a reading that is under way. */
export async function reloadTarget(client: QueryClient, { kind, id }: ReviewTarget): Promise<void> {
  const { queryKey } = kind === 'application' ? applicationQuery(id) : verificationQuery(id);
  await client.refetchQueries({ queryKey }, { cancelRefetch: false });
}
