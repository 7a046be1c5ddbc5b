import { callHeaders } from '../identity.ts';
import type { Call, Identity } from '../identity.ts';
import { currentCookies } from './session-cookie.ts';

/** What Better Auth is given of a request that comes with a session: `callHeaders` and its cookies. */
export async function ownHeaders({ auth }: Identity, { origin, headers }: Call): Promise<Headers> {
  return callHeaders(origin, await currentCookies(auth, headers));
}
