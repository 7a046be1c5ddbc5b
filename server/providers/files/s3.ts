import { S3Client } from '@aws-sdk/client-s3';
import { Disk } from 'flydrive';
import { S3Driver } from 'flydrive/drivers/s3';
import { LIMITS } from '#server/lib/limits.ts';
import { StartError } from '#server/lib/start-error.ts';

/** Parsed value of `PURSER_FILES` and similar settings. */
export interface S3Address {
  bucket: string;
  /** Prefix of object names, `ledger/`; empty for a whole bucket. */
  prefix: string;
  region: string;
  /** Null: Amazon's own for the region. */
  endpoint: string | null;
  /**
   * `endpoint/bucket/name` rather than `bucket.endpoint/name`: most servers other than Amazon's
   * need it.
   */
  usesPathStyle: boolean;
}

export type S3Limits = Readonly<
  Record<'connectTimeoutMs' | 'requestTimeoutMs' | 'attempts', number>
>;

const KNOWN = ['region', 'endpoint', 'pathStyle'];

/**
 * Reads `s3://bucket/folder?region=eu-central-1&endpoint=https://s3.example.com&pathStyle=true`.
 * The keys are not in it: the client takes them from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,
 * or from the machine's own role.
 *
 * @param setting name of the variable, for error messages
 * @throws {StartError}
 */
export function readS3Address(address: string, setting: string): S3Address {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== 's3:' || url.hostname === '') {
    throw new StartError(`${setting} has to look like s3://bucket?region=eu-central-1.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new StartError(
      `${setting} holds a key; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead.`,
    );
  }
  const unknown = [...url.searchParams.keys()].find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) {
    throw new StartError(`${setting} has "${unknown}"; it knows ${KNOWN.join(', ')}.`);
  }
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint !== null && !/^https?:$/.test(protocolOf(endpoint))) {
    throw new StartError(`The endpoint in ${setting} has to begin with https:// or http://.`);
  }
  const folder = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  return {
    bucket: url.hostname,
    prefix: folder === '' ? '' : `${folder}/`,
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint,
    usesPathStyle: (url.searchParams.get('pathStyle') ?? String(endpoint !== null)) === 'true',
  };
}

function protocolOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : '';
}

/** Client of the server that has the bucket; it retries calls that may succeed later. */
export function createS3Client(
  { region, endpoint, usesPathStyle }: S3Address,
  { connectTimeoutMs, requestTimeoutMs, attempts }: S3Limits = LIMITS.files,
): S3Client {
  return new S3Client({
    region,
    ...(endpoint === null ? {} : { endpoint }),
    forcePathStyle: usesPathStyle,
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
    },
    // Some servers store the checksums that newer clients add as part of the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

/** A bucket of files. */
export function createS3Disk(address: S3Address, limits?: S3Limits): Disk {
  const client = createS3Client(address, limits);
  const { bucket } = address;
  // Not every server has access lists; the bucket's own policy keeps it private.
  return new Disk(new S3Driver({ client, bucket, visibility: 'private', supportsACL: false }));
}
