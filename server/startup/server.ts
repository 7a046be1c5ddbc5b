import { join } from 'node:path';
import { createApp } from '#server/startup/app.ts';
import { startBackground } from '#server/startup/background.ts';
import type { Config } from '#server/config/config.ts';
import { isMigrated, isReachable, openDatabase } from '#server/startup/database.ts';
import type { OpenedDatabase } from '#server/startup/database.ts';
import { watchConnections } from '#server/db/connection-watch.ts';
import { refuseUnfinishedRestore } from '#server/db/embedded/place.ts';
import { createDb } from '#server/db/pool.ts';
import { openReplica } from '#server/db/replica.ts';
import type { Replica } from '#server/db/replica.ts';
import type { Db } from '#server/db/tx.ts';
import { startLive } from '#server/events/live.ts';
import { readCalendar } from '#server/modules/activity/index.ts';
import { composeHandlers } from '#server/startup/handlers.ts';
import { listen } from '#server/http/listen.ts';
import type { ReadinessChecks } from '#server/http/probes.ts';
import { hasWeb } from '#server/http/web.ts';
import { assertWritable } from '#server/lib/assert-writable.ts';
import { remembered } from '#server/lib/check.ts';
import { systemClock } from '#server/lib/clock.ts';
import type { Clock } from '#server/lib/clock.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { createLog } from '#server/lib/log.ts';
import type { Log } from '#server/lib/log.ts';
import { createMetrics } from '#server/lib/metrics.ts';
import type { Metrics } from '#server/lib/metrics.ts';
import type { Part } from '#server/lib/supervise.ts';
import type { UnrecoverableError } from '#server/lib/unrecoverable-error.ts';
import { watchDatabase, watchReplica } from '#server/metrics/watch-database.ts';
import { checkIsSealing, checkSealing, watchSealing } from '#server/metrics/watch-sealing.ts';
import { openVault } from '#server/vault/store.ts';
import { secretsOf, signingKeyPlace } from '#server/config/local-secrets.ts';
import { areBooksSound, watchBooks } from '#server/modules/books/index.ts';
import { ensureEmployee } from '#server/modules/employees/index.ts';
import {
  createIdentity,
  mailLinks,
  resolveApiKey,
  hasPasskey,
  resolveLeaver,
  resolveSession,
} from '#server/modules/identity/index.ts';
import { latestStatus } from '#server/modules/kyc/index.ts';
import { createSealer, findNextSigningKeys, loadSigningKey } from '#server/modules/ledger/index.ts';
import { createSendMail, createUnsubscribeLinks } from '#server/modules/notifications/index.ts';
import { openPools } from '#server/startup/pools.ts';
import { readCompanyName } from '#server/modules/settings/index.ts';
import { createFileStore } from '#server/providers/files/index.ts';
import { createMailer } from '#server/providers/mail/index.ts';
import { createRootStore } from '#server/providers/roots/index.ts';
import type { Services } from '#server/services.ts';

const WEB_ROOT = join(import.meta.dirname, '../../dist/web');

export interface ServerOptions {
  config: Config;
  /** Time of commands and jobs; that of the machine if left out. Sessions always end by the machine's. */
  clock?: Clock;
  /** Called with a sentence for each thing that takes time or that a person should know. */
  say: (sentence: string) => void;
  /** Runs once the database is open and before anybody is let in. */
  prepare: (company: { db: Db; services: Services }) => Promise<void>;
  /** Called when the running server cannot go on and cannot repair why. */
  onUnrecoverable: (error: UnrecoverableError) => void;
}

export interface RunningServer {
  /** Public address. */
  publicUrl: string;
  /** Lets requests and jobs in progress finish, then closes everything that was opened. */
  stop(): Promise<void>;
}

/**
 * Opens everything in the order it depends on each other and starts to serve. The port is taken
 * first, so that a taken one is reported before a database is made; until all is ready it answers 503.
 *
 * @throws StartError, after closing what was opened
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, clock = systemClock, say, prepare, onUnrecoverable } = options;
  await using opened = new AsyncDisposableStack();
  const log = createLog(config.logLevel);
  const listening = await listen(config, (error) =>
    log.error({ msg: 'A connection could not be accepted', err: error }),
  );
  opened.defer(() => listening.close());
  const publicUrl = config.publicUrl ?? `http://localhost:${listening.port}`;

  // Secrets that are made in the folder would be in the way of the company that is being restored there.
  if (config.databaseUrl === null) refuseUnfinishedRestore(config.dataDir);
  const metrics = createMetrics({ ofProcess: true });
  const { secrets, masterKeys } = secretsOf(config);
  const database = await openDatabase(config, say);
  opened.defer(() => database.stop());

  const postgres = database.keepRunning?.({ log, onUnrecoverable });
  opened.defer(() => postgres?.stop());

  const url = database.appUrl;
  const connections = watchConnections({ url, log });
  opened.defer(() => connections.part.stop());
  const pools = openPools({ url, connections, log });
  opened.defer(() => pools.end());
  const db = createDb(pools.requests);
  const replica = openReplicaIn(config, { database, db, log, metrics });
  opened.defer(() => replica?.end());
  const replicaPool = replica === null ? {} : { replica: replica.pool };
  watchDatabase(metrics, { db, pools: { ...pools.byName, ...replicaPool } });

  const services: Services = {
    clock,
    vault: await openVault(db, masterKeys),
    files: createFileStore(config),
  };
  const identity = createIdentity({
    db,
    pool: pools.requests,
    services: { ...services, clock: systemClock },
    secrets,
    url: publicUrl,
    confirmsEmail: config.smtpUrl !== null,
    isProduction: config.mode === 'production',
    completePerson: (tx, userId) => ensureEmployee(tx, services, userId),
    kycStatusOf: latestStatus,
  });
  const unsubscribeLinks = createUnsubscribeLinks({ secrets, url: publicUrl });
  const backgroundDb = createDb(pools.background);
  await prepare({ db: backgroundDb, services });

  const mailer = createMailer({ ...config, publicUrl, from: config.mailFrom, log: say });
  opened.defer(() => mailer.close());
  const roots = createRootStore({
    ...config,
    onFailure: (error) => {
      metrics.rootExportsFailed.inc();
      log.warn({ err: error, msg: 'A root could not be posted; it is tried again' });
    },
  });
  opened.defer(() => roots.close());
  const keyPlace = signingKeyPlace(config);
  const signingKey = loadSigningKey(keyPlace);
  const sealer = createSealer({
    db: backgroundDb,
    signingKey,
    formerKeys: config.ledgerFormerKeys,
    furtherKeys: () => findNextSigningKeys(keyPlace),
    roots,
    log,
    onExportFailed: () => metrics.rootExportsFailed.inc(),
  });
  watchSealing(metrics, { db: backgroundDb, sealer });
  watchBooks(metrics, backgroundDb);
  const storage = remembered(() => verifyStorage(config, services));
  const background = await startBackground({
    db: backgroundDb,
    queuePool: pools.queue,
    services,
    sendMail: createSendMail({
      db: backgroundDb,
      services,
      mailer,
      url: publicUrl,
      readCompanyName: () => readCompanyName(backgroundDb),
      links: mailLinks(identity),
      unsubscribeLinks,
      warn: (sentence) => log.warn(sentence),
    }),
    sealer,
    verifier: {
      db: createDb(pools.verification),
      services,
      keys: { current: signingKey, former: config.ledgerFormerKeys },
      roots,
      log,
    },
    healthChecks: {
      database: () => isReachable(backgroundDb),
      mail: () => mailer.verify().then(() => true),
      storage: storage.run,
      replica: replica === null ? null : replica.check,
      async ledger() {
        const sealing = await checkSealing(backgroundDb, sealer);
        if (sealing !== true) return sealing;
        return (
          (await areBooksSound(backgroundDb)) || 'a verification found that books are not sound'
        );
      },
    },
    log,
    metrics,
  });
  opened.defer(() => background.stop());
  const lateMs = replica === null ? 0 : LIMITS.replica.lateAtMostMs;
  const live = await startLive({ databaseUrl: url, log, connections, lateMs });
  metrics.gauge('purser_live_streams', 'Open streams of live events in this process', () =>
    live.openStreams(),
  );

  const app = createApp({
    ...config,
    publicUrl,
    db,
    replica,
    handlers: composeHandlers(services, identity, unsubscribeLinks),
    attempts: identity.attempts,
    resolveSession: resolveSession.bind(null, identity),
    resolveLeaver: (headers) => resolveLeaver(identity, headers),
    hasPasskey: (userId) => hasPasskey(db, userId),
    resolveApiKey: (key) => resolveApiKey(identity, key),
    readCalendar: (token) => readCalendar({ db, services, attempts: identity.attempts }, token),
    live,
    log,
    metrics,
    acceptsAnyHost: config.mode !== 'production',
    describesToAll: config.mode !== 'production',
    checks: {
      database: () => isReachable(db),
      migrations: () => isMigrated(db),
      ledger: () => checkIsSealing(db),
      ...checksOf([
        connections.part,
        ...background.parts,
        live.part,
        ...(postgres ? [postgres] : []),
      ]),
    },
    // Files are examined each minute by the health checks.
    notices: { files: storage.latest, ...(replica !== null && { replica: replica.check }) },
    webRoot: hasWeb(WEB_ROOT) ? WEB_ROOT : null,
  });
  listening.serve(app.fetch);
  // Open streams keep their connections busy, so they are ended while the server closes.
  opened.defer(async () => void (await Promise.all([listening.close(), live.stop()])));
  const everything = opened.move();
  return { publicUrl, stop: () => everything.disposeAsync() };
}

/** Null without the setting. */
function openReplicaIn(
  { replicaUrl }: Config,
  { database, db, log, metrics }: { database: OpenedDatabase; db: Db; log: Log; metrics: Metrics },
): Replica | null {
  if (replicaUrl === null) return null;
  const url = database.withAppRole(replicaUrl);
  const replica: Replica = openReplica({ url, db, log, onOutcome: (outcome) => count(outcome) });
  const count = watchReplica(metrics, replica);
  return replica;
}

/** For /readyz: every part by its name. */
function checksOf(parts: readonly Part[]): ReadinessChecks {
  return Object.fromEntries(parts.map((part) => [part.name, () => part.isWorking()]));
}

/** The file store, and the data folder where more than files rests in it. */
async function verifyStorage(
  { mode, databaseUrl, dataDir }: Config,
  { files }: Services,
): Promise<true> {
  if (mode !== 'production' || databaseUrl === null) await assertWritable(dataDir);
  await files.verify();
  return true;
}
