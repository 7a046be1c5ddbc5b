import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import type { Session } from '#contract/api.ts';
import { untilHolds } from '#test/until-holds.ts';
import { sessionQuery, takeSession } from './use-session.ts';

afterEach(() => void vi.unstubAllGlobals());

test('a session that was asked for before its person logged out is not theirs again', async () => {
  const lena = { user: { id: 'lena' }, kycStatus: 'approved' } as unknown as Session;
  const client = new QueryClient();
  client.setQueryData(sessionQuery.queryKey, lena);
  const answer = Promise.withResolvers<Response>();
  const request = vi.fn<() => Promise<Response>>(() => answer.promise);
  vi.stubGlobal('fetch', request);
  const asked = client.fetchQuery({ ...sessionQuery, staleTime: 0 });
  await untilHolds(() => expect(request).toHaveBeenCalled());

  takeSession(client, { ...lena, user: null, kycStatus: null });
  answer.resolve(Response.json(lena));
  await asked;
  await new Promise(setImmediate);
  expect(client.getQueryData(sessionQuery.queryKey)?.user).toBeNull();
});
