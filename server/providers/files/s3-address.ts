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
  const region = url.searchParams.get('region');
  if (region === null && endpoint === null) {
    throw new StartError(
      `${setting} has no region; end it with ?region= and the one that the bucket is in.`,
    );
  }
  const folder = url.pathname.replaceAll(/^\/+|\/+$/g, '');
  return {
    bucket: url.hostname,
    prefix: folder === '' ? '' : `${folder}/`,
    // Servers other than Amazon's have one region, by this name.
    region: region ?? 'us-east-1',
    endpoint,
    usesPathStyle: (url.searchParams.get('pathStyle') ?? String(endpoint !== null)) === 'true',
  };
}

function protocolOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : '';
}

/** Reads the address of a whole bucket. @throws {StartError} also for one with a folder */
export function readBucketAddress(address: string, setting: string): S3Address {
  const read = readS3Address(address, setting);
  if (read.prefix !== '') throw new StartError(`${setting} has to name a bucket, no folder.`);
  return read;
}
