import { timingSafeEqual } from 'node:crypto';
import type { DocumentLink } from '#contract/api.ts';
import { DOCUMENT_LINK_LIFE_S } from '#contract/kyc.ts';
import { PATHS } from '#contract/paths.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Services } from '#server/services.ts';

const PURPOSE = 'kyc.document-link';

interface Grant {
  documentId: string;
  /** The person who may use the link: it is worth nothing to anybody else. */
  viewerId: string;
  /** Seconds since 1970. */
  expires: number;
}

/** A link to the image of a document, signed under the master key, for one person and 3600 s. */
export function signLink(
  { vault, clock }: Pick<Services, 'vault' | 'clock'>,
  { documentId, viewerId }: Omit<Grant, 'expires'>,
): DocumentLink {
  const expires = Math.floor(clock.now().getTime() / 1_000) + DOCUMENT_LINK_LIFE_S;
  const { hash } = vault.lookupHash(PURPOSE, textOf({ documentId, viewerId, expires }));
  const path = PATHS.getDocument[1].replace('{id}', documentId);
  return {
    url: `${path}?expires=${expires}&signature=${hash.toString('base64url')}`,
    expiresAt: new Date(expires * 1_000).toISOString(),
  };
}

/**
 * @throws {AppError} `link_invalid` for one that is expired, changed, or another person's: it does
 *   not say which
 */
export function checkLink(
  { vault, clock }: Pick<Services, 'vault' | 'clock'>,
  grant: Grant,
  signature: string,
): void {
  const given = Buffer.from(signature, 'base64url');
  const isSigned = vault
    .lookupHashes(PURPOSE, textOf(grant))
    .some(({ hash }) => hash.length === given.length && timingSafeEqual(hash, given));
  if (!isSigned || grant.expires * 1_000 <= clock.now().getTime()) {
    throw new AppError('link_invalid');
  }
}

function textOf({ documentId, viewerId, expires }: Grant): string {
  return JSON.stringify([documentId, viewerId, expires]);
}
