import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import type { BenchServer } from '../server.ts';
import type { Inspector } from '../inspector.ts';
import { descendantsOf } from '../processor-time.ts';

/** Resources of the server and its database at a moment. */
export interface Sample {
  /** Planned time, in milliseconds from the start of the load. */
  atMs: number;
  residentMb: number;
  /** Memory of the database's processes that is theirs alone. */
  databaseMb: number;
  /** Connections to the database, without the bench's own. */
  connections: number;
  /** Open files and sockets of the server. */
  handles: number;
  /** Rows that wait in the outbox and jobs that wait in the queue. */
  waiting: number;
}

/** A table or an index. */
export interface Relation {
  name: string;
  bytes: number;
  /** Bytes of dead rows and of free space. */
  unusedBytes: number;
}

/** Sources of a sample. */
export interface Watched {
  server: BenchServer;
  /** PostgreSQL's first process. */
  databasePid: number;
  /** Connection of a superuser, which is not counted. */
  client: pg.Client;
  inspector: Inspector;
}

/** Figures that the system does not report are NaN. */
export async function takeSample(
  { server, databasePid, client }: Watched,
  atMs: number,
): Promise<Sample> {
  const { rows } = await client.query<{ connections: number; waiting: number }>(
    `SELECT (SELECT count(*)::integer FROM pg_stat_activity
              WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
                AND application_name <> 'purser-bench') AS connections,
            (SELECT count(*)::integer FROM outbox)
              + (SELECT count(*)::integer FROM graphile_worker._private_jobs) AS waiting`,
  );
  return {
    atMs,
    residentMb: (server.residentBytes() ?? NaN) / 1e6,
    databaseMb: privateMb(databasePid),
    connections: rows[0]?.connections ?? NaN,
    handles: countHandles(server.pid),
    waiting: rows[0]?.waiting ?? NaN,
  };
}

/** Memory of a process and its descendants that no other process shares (proc_pid_status(5)). */
function privateMb(pid: number): number {
  let kib = 0;
  for (const one of descendantsOf([pid])) {
    try {
      const status = readFileSync(`/proc/${one}/status`, 'utf8');
      kib += Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    } catch {
      // The process ended meanwhile.
    }
  }
  return kib === 0 ? NaN : (kib * 1_024) / 1e6;
}

function countHandles(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return NaN;
  }
}

/** Bytes of the server's heap that a collection of everything leaves. */
export async function keptHeapBytes(inspector: Inspector): Promise<number> {
  await inspector.ask('HeapProfiler.collectGarbage');
  const { usedSize } = await inspector.ask<{ usedSize: number }>('Runtime.getHeapUsage');
  return usedSize;
}

/**
 * Unused space of every table and B-tree of the database, by PostgreSQL's extension pgstattuple. The extension is never
 * there for others: its transaction is rolled back.
 *
 * @param client of a superuser
 */
export async function readBloat(client: pg.Client): Promise<Relation[]> {
  await client.query('BEGIN');
  try {
    await client.query('CREATE EXTENSION pgstattuple');
    const { rows } = await client.query<{ name: string; bytes: string; unused: string }>(
      `SELECT class.oid::regclass::text AS name, found.table_len AS bytes,
              found.dead_tuple_len + found.free_space AS unused
         FROM pg_class AS class
              JOIN pg_am AS method ON method.oid = class.relam,
              LATERAL pgstattuple(class.oid) AS found
        WHERE class.relkind IN ('r', 't', 'i') AND class.relpersistence <> 't'
          AND NOT class.relisshared AND method.amname IN ('heap', 'btree')`,
    );
    return rows.map(({ name, bytes, unused }) => ({
      name,
      bytes: Number(bytes),
      unusedBytes: Number(unused),
    }));
  } finally {
    await client.query('ROLLBACK');
  }
}
