import { ReadableError } from './readable-error.ts';
import type { RouteArguments, RouteReply } from '#contract/api.ts';

type Made = RouteArguments<'addPasskey'>['body']['response'];
type Used = RouteArguments<'signInWithPasskey'>['body']['response'];

/**
 * Why this browser cannot make or use passkeys here, for the user; undefined where it can: it knows their
 * JSON (all browsers since 2025), and the address is a name, as WebAuthn wants.
 */
export function whyNoPasskeys(): string | undefined {
  // The server draws for the browsers of today.
  if (typeof window === 'undefined') return undefined;
  if (/^[\d.]+$|:/.test(window.location.hostname)) {
    return 'Passkeys need a domain name. The address of this page is a number.';
  }
  const isKnown =
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function';
  return isKnown ? undefined : 'This browser cannot create passkeys here.';
}

/**
 * Creates a passkey in the browser. @throws {ReadableError} also if they cancel
 */
export async function makePasskey(options: RouteReply<'beginPasskey'>): Promise<Made> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  const made = await navigator.credentials.create({ publicKey }).catch((error: unknown) => {
    const isThere = error instanceof DOMException && error.name === 'InvalidStateError';
    throw new ReadableError(
      isThere
        ? 'This device has a passkey for your account already.'
        : 'No passkey was made. Please try again.',
    );
  });
  const { id, rawId, response } = jsonOf(made) as RegistrationResponseJSON;
  const { clientDataJSON, attestationObject, transports } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: { clientDataJSON, attestationObject, transports: [...transports] },
  };
}

/** Lets the user choose a passkey and verify themselves. @throws as `makePasskey` */
export async function askForPasskey(options: RouteReply<'beginPasskeySignIn'>): Promise<Used> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  const used = await navigator.credentials.get({ publicKey }).catch(() => {
    throw new ReadableError('No passkey was used. Please try again, or use your password.');
  });
  const { id, rawId, response } = jsonOf(used) as AuthenticationResponseJSON;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  return {
    id,
    rawId,
    type: 'public-key',
    response: {
      clientDataJSON,
      authenticatorData,
      signature,
      ...(userHandle && { userHandle }),
    },
  };
}

function jsonOf(
  credential: Credential | null,
): RegistrationResponseJSON | AuthenticationResponseJSON {
  if (!(credential instanceof PublicKeyCredential))
    throw new ReadableError('Your browser made no passkey.');
  const json: unknown = credential.toJSON();
  return json as RegistrationResponseJSON | AuthenticationResponseJSON;
}
