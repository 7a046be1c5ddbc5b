import type { BlockList } from 'node:net';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { Live } from '#server/events/live.ts';
import type { LateReads } from '#server/http/late-reads.ts';
import { answerErrors, mountApi } from '#server/http/api.ts';
import type { ApiOptions } from '#server/http/api.ts';
import type { Environment } from '#server/http/environment.ts';
import { eventsHandler } from '#server/http/events.ts';
import type { Handlers } from '#server/http/handlers.ts';
import { mountCalendarFeeds } from '#server/http/calendar-feed.ts';
import { mountOneClick } from '#server/http/one-click.ts';
import { problemResponse } from '#server/http/problem.ts';
import { mountProbes } from '#server/http/probes.ts';
import type { ReadinessChecks } from '#server/http/probes.ts';
import { createReadLimit } from '#server/http/read-limit.ts';
import { createTurns } from '#server/lib/slots.ts';
import { requestLog, securityHeaders } from '#server/http/every-request.ts';
import type { ResolveApiKey, ResolveLeaver, ResolveSession } from '#server/http/session.ts';
import { mountWeb } from '#server/http/web.ts';
import { AppError } from '#server/lib/errors.ts';
import type { Log } from '#server/lib/log.ts';
import type { Metrics } from '#server/lib/metrics.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { addressKey, recordRefusal } from '#server/modules/identity/index.ts';
import type { Attempts } from '#server/modules/identity/index.ts';

export interface AppOptions {
  db: Db;
  /** Answers reads that may be late; null: the primary answers all. */
  replica: LateReads | null;
  handlers: Handlers;
  resolveSession: ResolveSession;
  resolveLeaver: ResolveLeaver;
  resolveApiKey: ResolveApiKey;
  hasPasskey: (userId: string) => Promise<boolean>;
  /** The calendar behind the token of a private address; null where it leads to nothing. */
  readCalendar: (token: string) => Promise<string | null>;
  /** Counts what people do, and what they are refused. */
  attempts: Attempts;
  live: Live;
  log: Log;
  metrics: Metrics;
  /** Public address of Purser, without a closing slash. */
  publicUrl: string;
  /** True if unsafe requests may come from the address that was asked, whatever it is. */
  acceptsAnyHost: boolean;
  /** True if everybody reads the OpenAPI document. */
  describesToAll: boolean;
  /** Reads that a person may send within a minute. */
  readsPerMinute: number;
  trustedProxies: BlockList;
  metricsToken: string | null;
  checks: ReadinessChecks;
  /** Checks that /readyz names without refusing requests. */
  notices: ReadinessChecks;
  /** Folder of the built web app; null: the API alone. */
  webRoot: string | null;
}

export type App = OpenAPIHono<Environment>;

/** The whole of Purser over HTTP, not yet on a port: `app.request(...)` is enough for a test. */
export function createApp(options: AppOptions): App {
  const app: App = new OpenAPIHono<Environment>();
  app.use(requestLog(options), securityHeaders(options));
  answerErrors(app, options.log);
  app.notFound((c) => problemResponse(new AppError('not_found'), c.get('origin').requestId));
  mountProbes(app, options);
  mountApi(app, {
    ...options,
    events: eventsHandler(options.live, options.resolveSession),
    ...trailOf(options),
    spendHourly: (limit, userId) => options.attempts.spendHourly(limit, userId),
    spendRead: createReadLimit(options.readsPerMinute),
    takeTurn: createTurns(),
  });
  mountOneClick(app);
  mountCalendarFeeds(app, options.readCalendar);
  if (options.webRoot !== null) mountWeb(app, { root: options.webRoot, log: options.log });
  return app;
}

/** Audit events of requests, in addition to the commands' own records. */
function trailOf({
  db,
  attempts,
}: Pick<AppOptions, 'db' | 'attempts'>): Pick<ApiOptions, 'auditRefusal' | 'auditExport'> {
  return {
    auditRefusal(by, { action, what }) {
      const { actor, origin } = by;
      // An API key is a principal of its own.
      const who =
        typeof actor === 'object'
          ? (actor.apiKey?.id ?? actor.id)
          : addressKey(origin?.ipAddress ?? null);
      const isOrigin = action === 'origin.refused';
      return recordRefusal({ db, attempts }, isOrigin ? [who] : [who, what], {
        by,
        action,
        subjectType: isOrigin ? 'origin' : 'operation',
        subjectId: null,
        details: isOrigin ? { origin: what } : { operation: what },
      });
    },
    auditExport: (by, { action, operation, subjectId, details }) =>
      withTx(db, (tx) =>
        recordAudit(tx, {
          by,
          action,
          subjectType: 'operation',
          subjectId,
          details: { operation, ...details },
        }),
      ),
  };
}
