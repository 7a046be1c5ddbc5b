import { BlockList } from 'node:net';
import { createApp } from '#server/startup/app.ts';
import type { App, AppOptions } from '#server/startup/app.ts';
import { startLive } from '#server/events/live.ts';
import type { Live } from '#server/events/live.ts';
import { composeHandlers } from '#server/startup/handlers.ts';
import { systemClock } from '#server/lib/clock.ts';
import type { Clock } from '#server/lib/clock.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { silentLog } from '#server/lib/log.ts';
import { createMetrics } from '#server/lib/metrics.ts';
import { readCalendar } from '#server/modules/activity/index.ts';
import { createUnsubscribeLinks } from '#server/modules/notifications/index.ts';
import {
  hasPasskey,
  resolveApiKey,
  resolveLeaver,
  resolveSession,
} from '#server/modules/identity/index.ts';
import type { Identity, IdentityOptions } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';
import { watchChanges } from './declared-changes.ts';
import { expectDeclared } from './declared-replies.ts';
import { createTestIdentity, TEST_SECRET } from './factories/identity.ts';
import { signInCookie } from './factories/people.ts';
import type { CookieOptions } from './factories/people.ts';
import { createTestServices } from './factories/services.ts';
import { openTestDb } from './open-db.ts';
import type { TestDb } from './open-db.ts';

export const TEST_ORIGIN = 'http://localhost:3000';

export interface TestRequest {
  /** Cookie of whoever asks; left out: nobody. */
  cookie?: string;
  /** Sent as JSON; text and bytes are sent as they are. */
  body?: unknown;
  /** Idempotency-Key. */
  key?: string;
  /** Headers besides those of a browser on our own page; null removes one. */
  headers?: Readonly<Record<string, string | null>>;
  signal?: AbortSignal;
}

export interface TestApp extends TestDb {
  app: App;
  services: Services;
  identity: Identity;
  live: Live;
  /** Asks as a page of ours would. What the OpenAPI document does not declare fails the test. */
  ask: (method: string, path: string, request?: TestRequest) => Promise<Response>;
  /** A new session of that person, as a Cookie header; see `signInCookie`. */
  cookieOf: (person: { id: string }, options?: CookieOptions) => Promise<string>;
}

/**
 * Options of a test app. `limits` replace those that no test meets by accident. `clock` is that of all commands but
 * those about sessions, which end by the true time.
 */
type TestAppOptions = Partial<AppOptions> & Pick<IdentityOptions, 'limits'> & { clock?: Clock };

/** The whole API on a database of its own, without a port; for beforeAll and afterAll. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  return mountTestApp(await openTestDb(), options);
}

/** A further process, as it were, on a database that is open already. */
export async function mountTestApp(
  database: TestDb,
  { limits, clock = systemClock, ...options }: TestAppOptions = {},
): Promise<TestApp> {
  const services: Services = { ...createTestServices(), clock: systemClock };
  const identity = createTestIdentity(database, services, {
    url: TEST_ORIGIN,
    ...(limits && { limits }),
  });
  const lateMs = options.replica ? LIMITS.replica.lateAtMostMs : 0;
  const live = await startLive({ databaseUrl: database.appUrl, log: silentLog, lateMs });
  const watched = watchChanges(
    composeHandlers(
      { ...services, clock },
      identity,
      createUnsubscribeLinks({ secrets: [TEST_SECRET], url: TEST_ORIGIN }),
    ),
  );
  const app = createApp({
    db: database.db,
    replica: null,
    handlers: watched.handlers,
    attempts: identity.attempts,
    resolveSession: (headers, how) => resolveSession(identity, headers, how),
    resolveLeaver: (headers) => resolveLeaver(identity, headers),
    hasPasskey: (userId) => hasPasskey(database.db, userId),
    resolveApiKey: (key) => resolveApiKey(identity, key),
    readCalendar: (token) =>
      readCalendar({ db: database.db, services, attempts: identity.attempts }, token),
    live,
    log: silentLog,
    metrics: createMetrics({ ofProcess: false }),
    publicUrl: TEST_ORIGIN,
    acceptsAnyHost: false,
    describesToAll: true,
    readsPerMinute: 1_000_000,
    trustedProxies: new BlockList(),
    metricsToken: null,
    checks: {},
    notices: {},
    webRoot: null,
    ...options,
  });
  return {
    ...database,
    app,
    services,
    identity,
    live,
    async ask(method, path, request = {}) {
      const url = new URL(path, TEST_ORIGIN);
      const init = requestInit(method, request);
      const response = await app.request(url, init);
      // One of its own: a body that is read half by the app and half here would wait for itself.
      await expectDeclared(app, new Request(url, init), response);
      watched.expectDeclared();
      return response;
    },
    cookieOf: (person, how) => signInCookie(identity, person.id, how),
    async close() {
      await live.stop();
      await database.close();
      watched.expectDeclared();
    },
  };
}

function requestInit(method: string, request: TestRequest): RequestInit {
  const headers = new Headers();
  if (method !== 'GET') headers.set('origin', TEST_ORIGIN);
  if (request.cookie !== undefined) headers.set('cookie', request.cookie);
  if (request.key !== undefined) headers.set('idempotency-key', request.key);
  const isBytes = request.body instanceof Uint8Array;
  if (request.body !== undefined && !isBytes) headers.set('content-type', 'application/json');
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const init: RequestInit = { method, headers };
  if (request.signal !== undefined) init.signal = request.signal;
  if (typeof request.body === 'string') init.body = request.body;
  else if (request.body instanceof Uint8Array) init.body = new Uint8Array(request.body);
  else if (request.body !== undefined) init.body = JSON.stringify(request.body);
  return init;
}
