import { S3Client } from '@aws-sdk/client-s3';
import { Disk } from 'flydrive';
import { S3Driver } from 'flydrive/drivers/s3';
import { LIMITS } from '#server/lib/limits.ts';
import type { S3Address } from './s3-address.ts';

export type S3Limits = Readonly<
  Record<'connectTimeoutMs' | 'requestTimeoutMs' | 'attempts', number>
>;

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
