import { z } from 'zod';
import { named, namedObject } from '../schema-names.ts';
import { passkeyRules } from '../identity.ts';
import { done } from './common.ts';
import { idParams, textOf } from './values.ts';
import { defineRoute } from './define.ts';
import { session } from './identity.ts';

/** Bytes as WebAuthn writes them in JSON: base64url. */
const bytes = z
  .string()
  .max(20_000)
  .regex(/^[\w-]+={0,2}$/);
const credentialHead = {
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
};
const transports = z.array(z.string().max(40)).max(10);
const credentialNamed = namedObject('KnownPasskey', {
  id: z.string(),
  type: z.literal('public-key'),
  transports: transports.optional(),
});

/** Options with which a browser uses a passkey, in the form of WebAuthn’s JSON. */
const useOptions = z.object({
  challenge: z.string(),
  rpId: z.string().optional(),
  timeout: z.number().optional(),
  userVerification: named('UserVerification', z.literal('required')),
});
const usedPasskey = namedObject('PasskeyAnswer', {
  response: namedObject('PasskeyAssertion', {
    ...credentialHead,
    response: namedObject('PasskeySignature', {
      clientDataJSON: bytes,
      authenticatorData: bytes,
      signature: bytes,
      userHandle: bytes.optional(),
    }),
  }),
});

/** Signing in with a passkey, and the passkeys of a person. */
export const passkeyRoutes = {
  beginPasskeySignIn: defineRoute('POST /api/auth/passkey/sign-in/begin', {
    summary: 'What the browser needs to sign in with a passkey; in the form of WebAuthn’s JSON',
    access: 'public',
    reply: useOptions,
  }),
  signInWithPasskey: defineRoute('POST /api/auth/passkey/sign-in', {
    summary: 'Start a session with a passkey, which stands for both factors',
    access: 'public',
    body: usedPasskey,
    reply: session,
    errors: ['passkey_refused', 'passkey_expired', 'account_deactivated'],
  }),
  beginPasskeyConfirmation: defineRoute('POST /api/auth/passkey/confirm/begin', {
    summary:
      'What the browser needs to confirm with one of my passkeys that it is me; in the form of WebAuthn’s JSON',
    access: 'signedIn',
    reply: useOptions.extend({ allowCredentials: z.array(credentialNamed) }),
  }),
  confirmWithPasskey: defineRoute('POST /api/auth/passkey/confirm', {
    summary: 'Confirm with a passkey that it is me; holds for some minutes of this session',
    access: 'signedIn',
    body: usedPasskey,
    reply: done,
    errors: ['passkey_refused', 'passkey_expired'],
  }),
  beginPasskey: defineRoute('POST /api/auth/passkeys/begin', {
    summary: 'What the browser needs to make a passkey; in the form of WebAuthn’s JSON',
    access: 'signedIn',
    confirms: 'recent',
    reply: z.object({
      challenge: z.string(),
      rp: z.object({ name: z.string(), id: z.string().optional() }),
      user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
      pubKeyCredParams: z.array(
        z.object({ type: named('CredentialType', z.literal('public-key')), alg: z.number() }),
      ),
      timeout: z.number().optional(),
      excludeCredentials: z.array(credentialNamed).optional(),
      authenticatorSelection: z
        .object({
          residentKey: z.string().optional(),
          requireResidentKey: z.boolean().optional(),
          userVerification: z.string().optional(),
        })
        .optional(),
      attestation: z.string().optional(),
    }),
    errors: ['passkeys_full'],
  }),
  addPasskey: defineRoute('POST /api/auth/passkeys', {
    summary: 'Keep the passkey that the browser made, as another way to sign in',
    access: 'signedIn',
    confirms: 'recent',
    body: z.object({
      name: textOf(passkeyRules.name),
      response: z.object({
        ...credentialHead,
        response: z.object({
          clientDataJSON: bytes,
          attestationObject: bytes,
          transports: transports.optional(),
        }),
      }),
    }),
    reply: done,
    errors: ['passkey_refused', 'passkey_expired', 'passkeys_full'],
  }),
  renamePasskey: defineRoute('PUT /api/auth/passkeys/{id}', {
    summary: 'Call one of my passkeys by another name',
    access: 'signedIn',
    confirms: 'recent',
    hourly: 'passkeyNames',
    changes: {},
    params: idParams,
    body: z.object({ name: textOf(passkeyRules.name) }),
    reply: done,
    errors: ['not_found'],
  }),
  removePasskey: defineRoute('DELETE /api/auth/passkeys/{id}', {
    summary: 'Remove one of my passkeys',
    access: 'signedIn',
    confirms: 'recent',
    changes: {},
    params: idParams,
    reply: done,
    errors: ['not_found'],
  }),
};
