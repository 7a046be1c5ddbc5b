import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#scripts/demo/random.ts';
import { openOwnCluster } from '#test/own-cluster.ts';
import type { OwnCluster } from '#test/own-cluster.ts';
import type { HangingMailServer } from './mail-server.ts';
import type { Servers } from './servers.ts';
import type { SmallDisk } from '#test/small-disk.ts';

/** Long enough to be noticed: the servers close their connections after 3 s without an answer. */
const CUT_MS = 6_000;
/** Minutes by which the clock of a server is wrong until its next start. */
const CLOCK_MINUTES = [10, -10] as const;

const APPLICATIONS = [
  'purser-requests',
  'purser-jobs',
  'purser-queue',
  'purser-live',
  'purser-probe',
] as const;

/** Everything that can be harmed apart from the database. */
export interface Target {
  servers: Servers;
  random: Random;
  /** While it loses replies, connections end after the server's COMMIT and before its reply. */
  network: { losesReplies: boolean };
  mail: HangingMailServer;
  /** Has a server with a clock in a closed month move money. */
  moveInClosedMonth: () => Promise<void>;
  /** Disks of the servers' data folder and of the database. Null where they could not be mounted. */
  disks: { files: SmallDisk; database: SmallDisk } | null;
}

/** A database that is harmed, by kinds of harm with names. */
export interface HarmedDatabase {
  ownerUrl: string;
  /** Settings of the servers that lead to what runs with it. */
  environment: Readonly<Record<string, string>>;
  /** Address of its replicas; undefined where there is none. */
  replicaUrl?: string;
  harms: Readonly<Record<string, (target: Target) => Promise<void>>>;
  /** True if all of it works again, also what no request needs now. */
  isWhole(): Promise<boolean>;
  /** Time in which it and the servers have to work again. */
  wholeWithinMs: number;
  close(): Promise<void>;
}

/** One PostgreSQL, whose data are in that folder if one is given. */
export async function openOneDatabase(folder: string | undefined): Promise<HarmedDatabase> {
  const cluster = await openOwnCluster({ keepsCommits: true, folder });
  return {
    ownerUrl: cluster.database.ownerUrl,
    environment: {},
    harms: Object.fromEntries(
      Object.entries(HARM).map(([name, harm]) => [
        name,
        (target: Target) => harm({ ...target, cluster }),
      ]),
    ),
    isWhole: () => Promise.resolve(true),
    // It ends what hangs and measures nothing: a machine with much other work took more than a minute.
    wholeWithinMs: 300_000,
    close: () => cluster.close(),
  };
}

type WithDatabase = Target & { cluster: OwnCluster };

/** Kinds of harm to a database and its servers. Each returns when everything runs again. */
const HARM = {
  'fast restart': ({ cluster }: WithDatabase) => cluster.restart('fast'),
  'immediate restart': ({ cluster }: WithDatabase) => cluster.restart('immediate'),
  'postmaster killed': ({ cluster }: WithDatabase) => cluster.killPostmaster(),
  'backend killed': ({ cluster }: WithDatabase) => cluster.crashBackend(),
  'connection ended': async ({ cluster, random }: WithDatabase) =>
    void (await cluster.terminateBackend(random.pick(APPLICATIONS))),
  'server killed': ({ servers, random }: Target) =>
    servers.killAndStart(random.int(0, servers.origins.length - 1)),
  'no answer for 6 s': async ({ cluster }: WithDatabase) => {
    cluster.freeze();
    try {
      await sleep(CUT_MS);
    } finally {
      cluster.thaw();
    }
  },
  'server frozen 6 s': async ({ servers, random }: Target) => {
    const index = random.int(0, servers.origins.length - 1);
    servers.freeze(index);
    await sleep(CUT_MS);
    servers.thaw(index);
  },
  'replies lost 6 s': async ({ network }: Target) => {
    network.losesReplies = true;
    await sleep(CUT_MS);
    network.losesReplies = false;
  },
  'mail server hangs': async ({ mail }: Target) => {
    mail.hang();
    await sleep(CUT_MS);
    mail.answer();
  },
  // The same server each time, so that one has the right time.
  'clock jumps': ({ servers, random }: Target) =>
    servers.killAndStart(servers.origins.length - 1, {
      clockMinutes: random.pick(CLOCK_MINUTES),
    }),
  'clock in a closed month': ({ moveInClosedMonth }: Target) => moveInClosedMonth(),
  'full disk: files': async ({ disks }: Target) => {
    disks?.files.fill();
    await sleep(CUT_MS);
    disks?.files.free();
  },
  'full disk: database': async ({ disks, cluster }: WithDatabase) => {
    disks?.database.fill();
    await sleep(CUT_MS);
    disks?.database.free();
    await cluster.recover();
  },
} satisfies Record<string, (target: WithDatabase) => Promise<void>>;

export const HARM_NAMES = Object.keys(HARM);

/** Kinds that start a server again. A former version would not start on the newer database. */
export const START_SERVERS: readonly string[] = ['server killed', 'clock jumps'];

/** Kinds that need disks of their own, which root alone can mount. */
export const NEED_DISKS: readonly string[] = ['full disk: files', 'full disk: database'];
