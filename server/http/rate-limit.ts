/** Use of a limit by whoever asks: all counted within `perS` seconds. */
export interface LimitUse {
  most: number;
  perS: number;
  /** Requests that are left. */
  left: number;
  /** Seconds until the count begins again. */
  resetS: number;
}

/** Names of the fields that say how far an API key has used its limit. */
export const RATE_LIMIT_FIELDS = {
  limit: 'RateLimit-Limit',
  remaining: 'RateLimit-Remaining',
  reset: 'RateLimit-Reset',
  policy: 'RateLimit-Policy',
} as const;

/** Sets the fields of draft-ietf-httpapi-ratelimit-headers-06, which most clients read. */
export function setRateLimit(headers: Headers, { most, perS, left, resetS }: LimitUse): void {
  headers.set(RATE_LIMIT_FIELDS.limit, String(most));
  headers.set(RATE_LIMIT_FIELDS.remaining, String(left));
  headers.set(RATE_LIMIT_FIELDS.reset, String(resetS));
  headers.set(RATE_LIMIT_FIELDS.policy, `${most};w=${perS}`);
}
