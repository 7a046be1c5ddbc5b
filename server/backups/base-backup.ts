import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { Readable } from 'node:stream';
import type { Socket } from 'node:net';
import pg from 'pg';

/** Kinds of messages within the copy (PostgreSQL, "Streaming Replication Protocol", BASE_BACKUP). */
const NEW_ARCHIVE = 'n'.charCodeAt(0);
const DATA = 'd'.charCodeAt(0);

interface Connection {
  stream: Socket;
}

/** A query whose answer is a copy of the cluster: node-postgres has no public call for one. */
class CopyQuery extends pg.Query {
  readonly archive = new PassThrough();
  #archives = 0;

  handleCopyData({ chunk }: { chunk: Buffer }, { stream }: Connection): void {
    if (chunk[0] === NEW_ARCHIVE) this.#archives += 1;
    if (chunk[0] !== DATA) return;
    if (this.#archives > 1) {
      this.archive.destroy(
        new Error('The cluster has tablespaces, which this backup does not know'),
      );
      return;
    }
    // A copy, because the parser of messages uses its memory again. PostgreSQL waits while the disk of the backup is
    // slower than its own.
    if (this.archive.write(Buffer.from(chunk.subarray(1))) || stream.isPaused()) return;
    stream.pause();
    this.archive.once('drain', () => stream.resume());
  }
}

/**
 * A copy of the whole cluster as one tar, taken while it is in use by PostgreSQL's own BASE_BACKUP: with the log that
 * makes it consistent as of the end of the copy, and with the checksum of each page verified on the way. A slot of this
 * connection keeps that log from being removed meanwhile.
 *
 * @param url of a superuser, or of a role with REPLICATION
 * @returns the tar; it fails when the copy does
 */
export async function openBaseBackup(url: string): Promise<Readable> {
  const client = new pg.Client({ connectionString: url, replication: 'true' } as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
  // Random: process ids of two containers may be the same.
  const slot = `purser_backup_${randomBytes(8).toString('hex')}`;
  await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`);
  const query = new CopyQuery(
    "BASE_BACKUP (LABEL 'purser', CHECKPOINT 'fast', WAL true, MANIFEST 'no')",
  );
  query.on('end', () => query.archive.end());
  query.on('error', (error: Error) => query.archive.destroy(error));
  client.on('end', () => query.archive.destroy());
  query.archive.once('close', () => void client.end().catch(() => undefined));
  client.query(query);
  return query.archive;
}
