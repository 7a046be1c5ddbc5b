import type { Actor } from '#server/lib/actor.ts';

/** The cookie's name; over TLS it has `__Host-` before it. */
export const SESSION_COOKIE = 'purser.session_token';

/** Who a request's cookie belongs to. */
export interface SignedIn {
  readonly actor: Actor;
  readonly sessionId: string;
  /** Whether the user of the session showed within the last minutes who they are. */
  readonly isConfirmed: boolean;
  readonly hasTwoFactor: boolean;
  /** An admin whose company requires two-factor, and who has none yet. */
  readonly mustSetUpTwoFactor: boolean;
}

/** Who acts by an API key, and what it may do. */
export interface KeyBearer {
  readonly actor: Actor & Required<Pick<Actor, 'apiKey'>>;
  readonly scopes: readonly string[];
}

/** Asks whoever keeps the API keys; null for one that is made up, revoked or expired. */
export type ResolveApiKey = (key: string) => Promise<KeyBearer | null>;

/**
 * Asks whoever keeps the sign-ins; null for a visitor, and for a cookie that has ended.
 *
 * @param options.isActivity false for what a screen asks by itself: it does not keep an idle admin
 *   signed in
 */
export type ResolveSession = (
  headers: Headers,
  options: { isActivity: boolean },
) => Promise<SignedIn | null>;

/** Asks whose documents the browser of a person who left has open; null for everybody else. */
export type ResolveLeaver = (headers: Headers) => Promise<Actor | null>;
