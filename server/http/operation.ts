import type { Context } from 'hono';
import { z } from 'zod';
import type { RouteName } from '#contract/api.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { publishChanges } from '#server/events/outbox.ts';
import type { Actor, AuditContext } from '#server/lib/actor.ts';
import { AppError, InvariantError } from '#server/lib/errors.ts';
import { admit, admitKey, bearerOf, recordLimit } from './admit.ts';
import type { Admitting } from './admit.ts';
import { readJson, readJsonIfAny, refuseBody, validateInput } from './input.ts';
import { fileResponse } from './file.ts';
import type { Environment } from './environment.ts';
import type {
  AnyContext,
  AuthReply,
  CsvFile,
  SentImage,
  SentPdf,
  UploadBody,
  ZipArchive,
} from './handlers.ts';
import { imageResponse, uploadBody } from './image.ts';
import { readWhere, tellPosition } from './late-reads.ts';
import type { LateReads } from './late-reads.ts';
import { claimKey, keyedRequest, storeReply } from './idempotency.ts';
import { pdfResponse } from './pdf.ts';
import type { TakeTurn } from '#server/lib/slots.ts';
import type { ValidInput } from './input.ts';

/** A list sent as a file: recorded before its first byte, and again when it has ended. */
export interface ExportRecord {
  action: 'export.begun' | 'export.ended';
  operation: string;
  /** Parent of the list, for example a payroll batch. */
  subjectId: string | null;
  details: Readonly<Record<string, string | number | boolean>>;
}

export interface OperationDependencies extends Admitting {
  db: Db;
  auditExport: (by: AuditContext, made: ExportRecord) => Promise<void>;
  takeTurn: TakeTurn;
  /** Answers reads that may be late; null: the primary answers all. */
  replica: LateReads | null;
  publicUrl: string;
}

/**
 * A handler without its operation's types. Its input has passed the operation's schemas and its
 * output will, so that the pipeline can be one function for all.
 */
export type AnyHandler =
  | { kind: 'query'; run(db: Db, context: AnyContext, input: unknown): Promise<unknown> }
  | {
      kind: 'command';
      check?: ((input: never) => Promise<void>) | undefined;
      run(tx: unknown, context: AnyContext, input: unknown): Promise<unknown>;
      repeat?(tx: unknown, context: AnyContext, input: unknown): Promise<unknown>;
    }
  | { kind: 'csv'; run(db: Db, context: AnyContext, input: unknown): Promise<CsvFile> }
  | { kind: 'zip'; run(db: Db, context: AnyContext, input: unknown): Promise<ZipArchive> }
  | {
      kind: 'auth';
      run(context: AnyContext, input: unknown): Promise<AuthReply<unknown>>;
    }
  | {
      kind: 'upload';
      run(db: Db, context: AnyContext, input: unknown, body: UploadBody): Promise<unknown>;
    }
  | { kind: 'image'; run(db: Db, context: AnyContext, input: unknown): Promise<SentImage> }
  | { kind: 'pdf'; run(db: Db, context: AnyContext, input: unknown): Promise<SentPdf> };

/**
 * Pipeline of every operation: access, validation, then the handler; for a command inside a
 * transaction with its idempotency key and its reply.
 */
export function operation(
  name: RouteName,
  spec: RouteSpec,
  handler: AnyHandler,
  dependencies: OperationDependencies,
): (c: Context<Environment>) => Promise<Response> {
  if (spec.idempotency === 'required' && handler.kind !== 'command') {
    throw new InvariantError(`${name} asks for an Idempotency-Key but is no command`);
  }
  const isChange = handler.kind === 'command' && spec.method !== 'GET';
  if (isChange && spec.changes === null) {
    throw new InvariantError(
      `${name} does not name the live topics that it changes: changes, {} if none`,
    );
  }
  if (!isChange && spec.changes !== null) {
    throw new InvariantError(`${name} names live topics that it changes but is no command`);
  }
  const isRead = spec.method === 'GET' && (handler.kind === 'query' || handler.kind === 'image');
  if (spec.mayBeLate && (spec.method !== 'GET' || handler.kind === 'command')) {
    throw new InvariantError(`${name} may be late but changes data`);
  }
  const { replica, publicUrl } = dependencies;
  async function answer(c: Context<Environment>): Promise<Response> {
    const apiKey = bearerOf(c.req.raw.headers);
    const context = await (apiKey === null
      ? admit(c, name, spec, dependencies)
      : admitKey(c, name, spec, apiKey, dependencies));
    if (spec.idempotency === 'required' && !c.req.header('idempotency-key')) {
      throw new AppError('idempotency_key_required');
    }
    const input = await readInput(c, spec);
    const recorded = <T>(run: () => Promise<T>) => recordLimit(name, context, dependencies, run);
    await recorded(() => spendLimit(spec, context, dependencies));
    if (handler.kind !== 'command') {
      return recorded(() => respond(c, name, spec, handler, context, input, dependencies));
    }
    return inTurn(spec, context, dependencies, () =>
      recorded(() => runCommand(c, name, spec, handler, context, input, dependencies.db)),
    );
  }
  return async (c) => {
    const response = await answer(c);
    if (!isRead && replica !== null) await tellPosition(response, { replica, publicUrl });
    return response;
  };
}

async function respond(
  c: Context<Environment>,
  name: RouteName,
  spec: RouteSpec,
  handler: Exclude<AnyHandler, { kind: 'command' }>,
  context: AnyContext,
  input: ValidInput,
  dependencies: OperationDependencies,
): Promise<Response> {
  const read = <T>(run: (db: Db) => Promise<T>) => readWhere(c, spec, context, dependencies, run);
  switch (handler.kind) {
    case 'query':
      return json(spec, name, await read((db) => handler.run(db, context, input)));
    case 'csv':
    case 'zip': {
      const file = await read<CsvFile | ZipArchive>((db) => handler.run(db, context, input));
      return exportFile(name, handler.kind, file, context, input, dependencies);
    }
    case 'auth': {
      const { reply, cookies, clearsCache } = await handler.run(context, input);
      const response = json(spec, name, reply);
      for (const cookie of cookies) response.headers.append('set-cookie', cookie);
      if (clearsCache) response.headers.set('clear-site-data', '"cache"');
      return response;
    }
    case 'upload': {
      const body = uploadBody(c.req.raw);
      return json(spec, name, await handler.run(dependencies.db, context, input, body));
    }
    case 'image':
      return imageResponse(await read((db) => handler.run(db, context, input)));
    case 'pdf': {
      const pdf = await read((db) => handler.run(db, context, input));
      return exportPdf(name, pdf, context, dependencies);
    }
  }
}

/**
 * Runs a request. One that moves or promises money waits while others of its person are in progress.
 *
 * @throws AppError too_many_requests, unavailable
 */
function inTurn<T>(
  { idempotency }: RouteSpec,
  { actor }: AnyContext,
  { takeTurn }: OperationDependencies,
  run: () => Promise<T>,
): Promise<T> {
  if (idempotency === 'none' || actor === null) return run();
  return takeTurn(principalOf(actor), run);
}

/** Id by which limits and Idempotency-Keys are counted. An API key is a principal of its own. */
function principalOf({ id, apiKey }: Actor): string {
  return apiKey?.id ?? id;
}

/** @throws AppError hourly_limit */
async function spendLimit(
  { hourly }: RouteSpec,
  { actor }: AnyContext,
  { spendHourly }: OperationDependencies,
): Promise<void> {
  if (hourly !== null && actor !== null) await spendHourly(hourly, principalOf(actor));
}

/**
 * Sends a list as CSV, or documents as an archive. The audit trail has the person and the file
 * before the first byte is sent.
 */
async function exportFile(
  name: RouteName,
  kind: 'csv' | 'zip',
  file: CsvFile | ZipArchive,
  context: AnyContext,
  input: ValidInput,
  { auditExport }: OperationDependencies,
): Promise<Response> {
  const by = { actor: context.actor ?? 'visitor', origin: context.origin } as const;
  const { id, ...place } = { id: null, ...(input.params as { id?: string; year?: number }) };
  // The search may be a person's name, which the trail would keep for ever.
  const { search, ...filter } = { search: '', ...(input.query as Record<string, string>) };
  const made = { operation: name, subjectId: id };
  await auditExport(by, {
    ...made,
    action: 'export.begun',
    details: { ...place, ...filter, isSearched: search !== '' },
  });
  return fileResponse(file, MEDIA_TYPES[kind], (sent) =>
    auditExport(by, { ...made, action: 'export.ended', details: sent }),
  );
}

const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', zip: 'application/zip' } as const;

/** Sends one document. It is recorded as an export is, and limited per hour. */
async function exportPdf(
  name: RouteName,
  pdf: SentPdf,
  context: AnyContext,
  { auditExport }: OperationDependencies,
): Promise<Response> {
  const by = { actor: context.actor ?? 'visitor', origin: context.origin } as const;
  const details = { file: pdf.fileName };
  await auditExport(by, { action: 'export.begun', operation: name, subjectId: null, details });
  return pdfResponse(pdf);
}

async function readInput(c: Context<Environment>, spec: RouteSpec): Promise<ValidInput> {
  const takesBody = spec.body !== undefined;
  const hasNoBody = c.req.method === 'GET' || c.req.method === 'HEAD';
  if (!takesBody && !hasNoBody && spec.upload === undefined) await refuseBody(c.req.raw);
  return validateInput(spec, {
    params: c.req.param(),
    query: c.req.query(),
    body: takesBody ? await readBody(c.req.raw, spec) : undefined,
  });
}

function readBody(request: Request, { isBodyOptional }: RouteSpec): Promise<unknown> {
  return isBodyOptional ? readJsonIfAny(request) : readJson(request);
}

async function runCommand(
  c: Context<Environment>,
  name: RouteName,
  spec: RouteSpec,
  handler: Extract<AnyHandler, { kind: 'command' }>,
  context: AnyContext,
  input: ValidInput,
  db: Db,
): Promise<Response> {
  const schema = jsonSchema(spec, name);
  const { actor } = context;
  const keyed =
    spec.idempotency === 'required' && actor !== null
      ? keyedRequest(c.req.raw.headers, principalOf(actor), name, input)
      : null;
  await handler.check?.(input as never);
  const { status, reply, isReplay } = await withTx(db, async (tx) => {
    const stored = keyed === null ? null : await claimKey(tx, keyed);
    if (stored !== null && handler.repeat === undefined) return { ...stored, isReplay: true };
    const made = await (stored === null
      ? handler.run(tx, context, input)
      : handler.repeat?.(tx, context, input));
    const fresh = { status: spec.status as number, reply: encodeReply(schema, made, name) };
    if (stored !== null) return { ...fresh, isReplay: true };
    publishChanges(tx, spec.changes ?? {}, actor?.id ?? null);
    if (keyed !== null) {
      storeReply(tx, keyed, handler.repeat === undefined ? fresh : { ...fresh, reply: null });
    }
    return { ...fresh, isReplay: false };
  });
  const response = Response.json(reply, { status });
  if (isReplay) response.headers.set('idempotency-replayed', 'true');
  return response;
}

function json(spec: RouteSpec, name: RouteName, reply: unknown): Response {
  return Response.json(encodeReply(jsonSchema(spec, name), reply, name), { status: spec.status });
}

function jsonSchema(spec: RouteSpec, name: RouteName): Exclude<RouteSpec['reply'], string> {
  if (typeof spec.reply !== 'string') return spec.reply;
  throw new InvariantError(`${name} answers ${spec.reply} and needs a handler of that kind`);
}

/**
 * Encodes a reply through its schema, so that nothing leaves the server that the contract does not
 * name. Extra fields are dropped; a bigint or a missing field is a bug that answers 500 (inside a
 * command: before the transaction commits).
 */
function encodeReply(schema: z.ZodType, reply: unknown, name: string): unknown {
  const encoded = z.safeEncode(schema, reply);
  if (encoded.success) return encoded.data;
  const faults = encoded.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new InvariantError(`The reply of ${name} breaks its contract: ${faults.join('; ')}`);
}
