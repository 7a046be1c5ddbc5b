import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { z } from 'zod';

/**
 * Starts a session for a person without asking for a password: after their role changed, when the
 * old sessions are ended, and after they chose their first password by a link. Only ever called from the server; nothing is mounted over HTTP.
 */
const startSession = createAuthEndpoint(
  '/start-session',
  { method: 'POST', body: z.object({ userId: z.uuid() }), requireHeaders: true },
  async (ctx) => {
    const user = await ctx.context.internalAdapter.findUserById(ctx.body.userId);
    if (user === null) throw new APIError('NOT_FOUND');
    const session = await ctx.context.internalAdapter.createSession(user.id);
    await setSessionCookie(ctx, { session, user });
    return { token: session.token };
  },
);

export const startSessionPlugin = {
  id: 'purser-start-session',
  endpoints: { startSession },
} satisfies BetterAuthPlugin;
