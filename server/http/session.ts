import type { Actor } from '#server/lib/actor.ts';

/** Name of the cookie; over TLS it has the prefix `__Host-`. */
export const SESSION_COOKIE = 'purser.session_token';

/** Owner of a request's session. */
export interface SignedIn {
  readonly actor: Actor;
  readonly sessionId: string;
  /** True if the user of the session confirmed their identity within the last minutes. */
  readonly isConfirmed: boolean;
  readonly hasTwoFactor: boolean;
  /** End of the first week of a browser that is new for the user; null for one that is not. */
  readonly newBrowserUntil: Date | null;
  /** True for an admin without two-factor whose company requires it. */
  readonly mustSetUpTwoFactor: boolean;
}

/** Principal of an API key, and its scope. */
export interface KeyBearer {
  readonly actor: Actor & Required<Pick<Actor, 'apiKey'>>;
  readonly scopes: readonly string[];
}

/** Looks up an API key; null for one that is unknown, revoked or expired. */
export type ResolveApiKey = (key: string) => Promise<KeyBearer | null>;

/**
 * Looks up a session; null for a visitor, and for an ended session.
 *
 * @param options.isActivity false for automatic requests of a screen, which do not keep an idle
 *   admin signed in
 */
export type ResolveSession = (
  headers: Headers,
  options: { isActivity: boolean },
) => Promise<SignedIn | null>;

/**
 * Looks up the person who left and whose documents the browser has open; null for everybody else.
 */
export type ResolveLeaver = (headers: Headers) => Promise<Actor | null>;
