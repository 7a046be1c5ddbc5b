import { createHash } from 'node:crypto';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { decodeRecord, encodeRecord, isAcceptedRestore } from '#server/lib/root-store.ts';
import type { ListedRecord, RootRecord, RootStore, Unreadable } from '#server/lib/root-store.ts';
import { createS3Client } from '../files/s3.ts';
import type { S3Address } from '../files/s3-address.ts';

/** The last millisecond that thirteen digits hold, in the year 2286. */
const LAST_MS = 9_999_999_999_999;
const TIME_DIGITS = 13;
const NAME = /^(\d{13})-(\d+)-([0-9a-f]{64})(-restored)?\.json$/;
/** Objects that others have put there must not hide the newest record. */
const LOOKED_AT_FOR_NEWEST = 20;

/**
 * A bucket, or a folder of one, with an object a record. A bucket lists names in order, so a name
 * begins with the time left until 2286: the newest comes first and is found by one request. Names
 * contain height and root, so that all of them are listed without reading the objects.
 */
export function createS3Roots(address: S3Address): RootStore {
  const { bucket, prefix } = address;
  const client = createS3Client(address);

  async function* names(): AsyncGenerator<string> {
    let after: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: after }),
      );
      for (const { Key } of page.Contents ?? []) {
        if (Key !== undefined) yield Key.slice(prefix.length);
      }
      after = page.NextContinuationToken;
    } while (after !== undefined);
  }

  async function read(name: string): Promise<RootRecord> {
    const object = await client.send(
      new GetObjectCommand({ Bucket: bucket, Key: `${prefix}${name}` }),
    );
    return decodeRecord((await object.Body?.transformToString()) ?? '');
  }

  return {
    place: `s3://${bucket}/${prefix}`,

    async newest() {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: LOOKED_AT_FOR_NEWEST }),
      );
      const found = (page.Contents ?? []).map(({ Key }) => (Key ?? '').slice(prefix.length));
      const newest = found.find((name) => NAME.test(name));
      if (newest !== undefined) return read(newest);
      if (found.length > 0) throw new Error('The objects there are no roots');
      return undefined;
    },

    async *records(): AsyncGenerator<ListedRecord | Unreadable> {
      for await (const name of names()) {
        const listed = parseName(name);
        if (listed === undefined) yield { unreadable: name };
        else yield listed === 'restored' ? await read(name) : listed;
      }
    },

    async append(record) {
      const body = `${encodeRecord(record)}\n`;
      await client.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: `${prefix}${nameOf(record)}`,
          Body: body,
          ContentType: 'application/json',
          // A bucket with object lock requires it.
          ContentMD5: createHash('md5').update(body).digest('base64'),
        }),
      );
    },

    close: () => Promise.resolve(client.destroy()),
  };
}

function nameOf(record: RootRecord): string {
  const at = isAcceptedRestore(record) ? record.acceptedAt : record.sealedAt;
  const left = String(LAST_MS - at.getTime()).padStart(TIME_DIGITS, '0');
  const suffix = isAcceptedRestore(record) ? '-restored' : '';
  return `${left}-${record.height}-${record.root}${suffix}.json`;
}

function parseName(name: string): ListedRecord | 'restored' | undefined {
  const [, left, height, root, restored] = NAME.exec(name) ?? [];
  if (left === undefined || height === undefined || root === undefined) return undefined;
  if (restored !== undefined) return 'restored';
  return { height: BigInt(height), root, sealedAt: new Date(LAST_MS - Number(left)) };
}
