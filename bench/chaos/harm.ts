import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#scripts/demo/random.ts';
import type { OwnCluster } from '#test/own-cluster.ts';
import type { Servers } from './servers.ts';

/** Long enough to be noticed: the servers close their connections after 3 s without an answer. */
const CUT_MS = 6_000;

const APPLICATIONS = [
  'purser-requests',
  'purser-jobs',
  'purser-queue',
  'purser-live',
  'purser-probe',
] as const;

interface Target {
  cluster: OwnCluster;
  servers: Servers;
  random: Random;
}

/** Kinds of harm to a database and its servers. Each returns when everything runs again. */
export const HARM = {
  'fast restart': ({ cluster }: Target) => cluster.restart('fast'),
  'immediate restart': ({ cluster }: Target) => cluster.restart('immediate'),
  'postmaster killed': ({ cluster }: Target) => cluster.killPostmaster(),
  'backend killed': ({ cluster }: Target) => cluster.crashBackend(),
  'connection ended': async ({ cluster, random }: Target) =>
    void (await cluster.terminateBackend(random.pick(APPLICATIONS))),
  'server killed': ({ servers, random }: Target) =>
    servers.killAndStart(random.int(0, servers.origins.length - 1)),
  'no answer for 6 s': async ({ cluster }: Target) => {
    cluster.freeze();
    try {
      await sleep(CUT_MS);
    } finally {
      cluster.thaw();
    }
  },
} satisfies Record<string, (target: Target) => Promise<void>>;

export type HarmName = keyof typeof HARM;
export const HARM_NAMES = Object.keys(HARM) as HarmName[];
