/** Use of a limit by the caller: requests counted within `perS` seconds. */
export interface LimitUse {
  most: number;
  perS: number;
  /** Remaining requests. */
  left: number;
  /** Seconds until the count restarts. */
  resetS: number;
}

/** Names of the response fields with the use of a limit by an API key, or by a person who reads. */
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
