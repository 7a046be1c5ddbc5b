import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BUCKET_KEYS, startBucketServer } from '#test/bucket-server.ts';
import { until } from '#test/until.ts';
import type { HarmedDatabase, Target } from './harm.ts';
import { killAll, openPatroniCluster, signalAll } from './patroni.ts';
import type { PatroniCluster } from './patroni.ts';

/** A lease of 20 s runs out first, and then a standby takes over. */
const WITHIN = { withinMs: 120_000, everyMs: 200 };
/** As long as etcd may be gone in this trial. */
const ETCD_GONE_MS = 60_000;
const SHORT_MS = 6_000;

type WithCluster = Target & { patroni: PatroniCluster; bucket: Bucket };

/** The bucket that all servers share, whose server ends and comes back at its address. */
interface Bucket {
  environment: Readonly<Record<string, string>>;
  kill: () => Promise<void>;
  start: () => Promise<void>;
  close: () => Promise<void>;
}

async function openBucket(): Promise<Bucket> {
  const directory = mkdtempSync(join(tmpdir(), 'purser-bucket-'));
  let server = await startBucketServer(directory);
  const { endpoint, port } = server;
  return {
    environment: { ...BUCKET_KEYS, PURSER_FILES: `s3://identity?endpoint=${endpoint}` },
    kill: () => server.kill(),
    start: async () => {
      server = await startBucketServer(directory, port);
    },
    close: async () => {
      await server.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Harms the primary, and returns its index, once another member is the primary. */
async function lose(
  patroni: PatroniCluster,
  harm: (member: PatroniCluster['members'][number]) => void,
) {
  const index = await patroni.primary();
  const member = index === undefined ? undefined : patroni.members[index];
  if (member === undefined) throw new Error('There is no primary to lose');
  harm(member);
  await until(async () => {
    const next = await patroni.primary();
    return next !== undefined && next !== index;
  }, WITHIN);
  return member;
}

function oneOf<Each>(all: readonly Each[], { random }: Target): Each {
  const found = all[random.int(0, all.length - 1)];
  if (found === undefined) throw new Error('There is none to choose');
  return found;
}

/** Kinds of harm to three machines of PostgreSQL and everything between them. Each returns when everything runs again. */
const HARM = {
  'primary killed': async ({ patroni }: WithCluster) => {
    const member = await lose(patroni, ({ pids }) => killAll(pids()));
    member.start();
  },
  'primary frozen': async ({ patroni }: WithCluster) => {
    const frozen: number[] = [];
    await lose(patroni, ({ pids }) => {
      frozen.push(...pids());
      signalAll(frozen, 'SIGSTOP');
    }).finally(() => signalAll(frozen, 'SIGCONT'));
  },
  // HAProxy and the servers still reach it; the other machines and etcd do not.
  'primary cut off': async ({ patroni }: WithCluster) => {
    const member = await lose(patroni, ({ ways }) => {
      for (const way of ways) way.cut();
    });
    for (const way of member.ways) way.restore();
  },
  'standby killed': async (target: WithCluster) => {
    const primary = await target.patroni.primary();
    const standbys = target.patroni.members.filter((_, index) => index !== primary);
    const member = oneOf(standbys, target);
    killAll(member.pids());
    await sleep(SHORT_MS);
    member.start();
  },
  'etcd member killed': async (target: WithCluster) => {
    const member = oneOf(target.patroni.etcd, target);
    await member.kill();
    await sleep(SHORT_MS);
    member.start();
  },
  'etcd gone for 60 s': async ({ patroni }: WithCluster) => {
    for (const member of patroni.etcd) member.signal('SIGSTOP');
    await sleep(ETCD_GONE_MS);
    for (const member of patroni.etcd) member.signal('SIGCONT');
  },
  'proxy killed': async ({ patroni }: WithCluster) => {
    await patroni.proxy.kill();
    patroni.proxy.start();
  },
  'bucket server killed': async ({ bucket }: WithCluster) => {
    await bucket.kill();
    await sleep(SHORT_MS);
    await bucket.start();
  },
  'server killed': ({ servers, random }: Target) =>
    servers.killAndStart(random.int(0, servers.origins.length - 1)),
} satisfies Record<string, (target: WithCluster) => Promise<void>>;

export const CLUSTER_HARM_NAMES = Object.keys(HARM);

/** Three PostgreSQL under Patroni, of which any may be lost. */
export async function openReplicated(): Promise<HarmedDatabase> {
  const patroni = await openPatroniCluster();
  const bucket = await openBucket();
  return {
    ownerUrl: patroni.ownerUrl,
    environment: bucket.environment,
    replicaUrl: patroni.replicaUrl,
    harms: Object.fromEntries(
      Object.entries(HARM).map(([name, harm]) => [
        name,
        (target: Target) => harm({ ...target, patroni, bucket }),
      ]),
    ),
    isWhole: () => patroni.isWhole(),
    // A member that was the primary may have to be copied again.
    wholeWithinMs: 180_000,
    close: async () => {
      await bucket.close();
      await patroni.close();
    },
  };
}
