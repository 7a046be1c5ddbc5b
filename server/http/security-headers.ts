/**
 * Everything on the page is our own: no inline script or style, nothing from other hosts, no frame
 * around it.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  // A chosen image is shown before it is uploaded.
  "img-src 'self' blob:",
].join('; ');

const ALWAYS: readonly (readonly [name: string, value: string])[] = [
  ['content-security-policy', CONTENT_SECURITY_POLICY],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  // Links in mail have tokens in their address.
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
];

const TWO_YEARS_S = 63_072_000;

/** Sets them on every reply, unless it has a policy of its own; HSTS only if people use TLS. */
export function setSecurityHeaders(headers: Headers, isTls: boolean): void {
  for (const [name, value] of ALWAYS) if (!headers.has(name)) headers.set(name, value);
  if (isTls) headers.set('strict-transport-security', `max-age=${TWO_YEARS_S}; includeSubDomains`);
}
