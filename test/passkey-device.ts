import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { RouteArguments } from '#contract/api.ts';

type Made = RouteArguments<'addPasskey'>['body']['response'];
type Used = RouteArguments<'signInWithPasskey'>['body']['response'];

export interface DeviceOptions {
  /** Origin of the page: `http://localhost:3000`. */
  origin: string;
  /** Relying party of the passkey; left out: the origin's host. */
  rpId?: string;
  /** True if the device asks for a finger, a face or a PIN. */
  verifiesUser?: boolean;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** A browser and its device with one passkey, as WebAuthn says how they answer (ES256, no attestation). */
export function createPasskeyDevice(usual: DeviceOptions) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let counter = 0;

  const authenticatorData = (
    { origin, rpId, verifiesUser = true }: DeviceOptions,
    extra: number,
    rest: Buffer,
  ) => {
    counter += 1;
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(counter);
    return Buffer.concat([
      hash(rpId ?? new URL(origin).hostname),
      Buffer.from([PRESENT | (verifiesUser ? VERIFIED : 0) | extra]),
      counted,
      rest,
    ]);
  };
  const clientData = ({ origin }: DeviceOptions, type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const head = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
  };

  return {
    make(challenge: string): Made {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = Buffer.concat([
        // A map of five: kty EC2, alg ES256, crv P-256, x, y.
        Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32]),
        Buffer.from(x, 'base64url'),
        Buffer.from([0x22, 0x58, 32]),
        Buffer.from(y, 'base64url'),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = authenticatorData(usual, HAS_KEY, credential);
      const attestation = Buffer.concat([
        Buffer.from([0xa3]),
        text('fmt'),
        text('none'),
        text('attStmt'),
        Buffer.from([0xa0]),
        text('authData'),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return {
        ...head,
        response: {
          clientDataJSON: clientData(usual, 'webauthn.create', challenge).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** @param instead how it answers this time otherwise than usually */
    use(challenge: string, instead: Partial<DeviceOptions> = {}): Used {
      const options = { ...usual, ...instead };
      const client = clientData(options, 'webauthn.get', challenge);
      const data = authenticatorData(options, 0, Buffer.alloc(0));
      const signature = sign(
        'sha256',
        Buffer.concat([data, createHash('sha256').update(client).digest()]),
        privateKey,
      );
      return {
        ...head,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}

/** Text of up to 23 characters in CBOR. */
function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}

function hash(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}
