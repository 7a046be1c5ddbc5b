import type { RouteArguments, RouteReply, RouteName } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { ROUTES } from '#contract/routes/all.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { Actor, RequestOrigin } from '#server/lib/actor.ts';

/** Request context of a handler, besides its validated input. */
export interface RequestContext<A extends Actor | null = Actor> {
  actor: A;
  origin: RequestOrigin;
  /** Headers of the request, for the sign-in handlers only. */
  headers: Headers;
  /** As in `CommandContext`. */
  newBrowserUntil?: Date;
}

/** The admitted caller; null for a visitor of a public operation. */
export type AnyContext = RequestContext<Actor | null>;

type ActorOf<Name extends RouteName> = (typeof ROUTES)[Name]['access'] extends 'public'
  ? Actor | null
  : Actor;
type Context<Name extends RouteName> = RequestContext<ActorOf<Name>>;

/** Reads. */
export interface QueryHandler<Name extends RouteName> {
  kind: 'query';
  run(db: Db, context: Context<Name>, input: RouteArguments<Name>): Promise<RouteReply<Name>>;
}

/**
 * Changes data: runs inside one transaction that the HTTP layer opens, with the idempotency key if
 * the operation has one.
 */
export interface CommandHandler<Name extends RouteName> {
  kind: 'command';
  /** Waits for external systems, before the transaction. It can refuse, and changes nothing. */
  check?: ((input: RouteArguments<Name>) => Promise<void>) | undefined;
  run(tx: Tx, context: Context<Name>, input: RouteArguments<Name>): Promise<RouteReply<Name>>;
  /**
   * Makes the reply of a request that is repeated under its key, where the reply has what may not be stored (decision
   * 019). It decides nothing again and changes nothing. Without it the reply is stored.
   */
  repeat?(tx: Tx, context: Context<Name>, input: RouteArguments<Name>): Promise<RouteReply<Name>>;
}

/** Streams text/csv in chunks of lines. */
export interface CsvHandler<Name extends RouteName> {
  kind: 'csv';
  run(db: Db, context: Context<Name>, input: RouteArguments<Name>): Promise<CsvFile>;
}

export interface CsvFile {
  /** Suggested file name: `withdrawals-2026-12-08.csv`. All but plain letters are replaced. */
  name: string;
  chunks: AsyncIterable<string>;
  /** Number of rows in the chunks so far, without the header. */
  rows: () => number;
}

/** Streams a ZIP archive, a file at a time. */
export interface ZipHandler<Name extends RouteName> {
  kind: 'zip';
  run(db: Db, context: Context<Name>, input: RouteArguments<Name>): Promise<ZipArchive>;
}

export interface ZipArchive {
  /** Suggested file name: `documents-2026.zip`. All but plain letters are replaced. */
  name: string;
  chunks: AsyncIterable<Uint8Array>;
  /** Number of files in the chunks so far. */
  rows: () => number;
}

/** Sign-in and similar operations: opens its own transactions, and sets cookies. */
export interface AuthHandler<Name extends RouteName> {
  kind: 'auth';
  run(context: Context<Name>, input: RouteArguments<Name>): Promise<AuthReply<RouteReply<Name>>>;
}

export interface AuthReply<Reply> {
  reply: Reply;
  /** Set-Cookie headers. */
  cookies: readonly string[];
  /**
   * True to clear the browser's cache of our pages, including those behind its Back button
   * (Clear-Site-Data). Choices stored on the device, such as hidden amounts, contain no personal
   * data and stay.
   */
  clearsCache?: true;
}

/**
 * Accepts the bytes of a file; opens its own transactions, because it waits for slow operations.
 */
export interface UploadHandler<Name extends RouteName> {
  kind: 'upload';
  run(
    db: Db,
    context: Context<Name>,
    input: RouteArguments<Name>,
    body: UploadBody,
  ): Promise<RouteReply<Name>>;
}

/** Bytes still being received: nothing is read before a handler calls one of these. */
export interface UploadBody {
  /** @throws {AppError} `image_too_large` past that many bytes, whatever length was declared */
  read(maxBytes: number): Promise<Buffer>;
  /**
   * The bytes as a stream, never all in memory.
   *
   * @throws {AppError} `refusal` past that many bytes, immediately if a larger length was declared;
   *   `malformed_request` if the body breaks off
   */
  stream(maxBytes: number, refusal: ErrorCode): AsyncIterable<Uint8Array>;
}

/** Sends the bytes of an image. */
export interface ImageHandler<Name extends RouteName> {
  kind: 'image';
  run(db: Db, context: Context<Name>, input: RouteArguments<Name>): Promise<SentImage>;
}

export interface SentImage {
  bytes: Buffer;
  /** `image/jpeg` */
  mediaType: string;
  /** Suggested file name; all but plain letters are replaced. */
  fileName: string;
}

/** Sends a PDF, created for the request. */
export interface PdfHandler<Name extends RouteName> {
  kind: 'pdf';
  run(db: Db, context: Context<Name>, input: RouteArguments<Name>): Promise<SentPdf>;
}

export interface SentPdf {
  bytes: Uint8Array<ArrayBuffer>;
  /** Suggested file name, without `.pdf`; all but plain letters are replaced. */
  fileName: string;
}

export type Handler<Name extends RouteName> =
  | QueryHandler<Name>
  | CommandHandler<Name>
  | CsvHandler<Name>
  | ZipHandler<Name>
  | AuthHandler<Name>
  | UploadHandler<Name>
  | ImageHandler<Name>
  | PdfHandler<Name>;

/** One handler for every operation. A missing, extra or mismatched one does not compile. */
export type Handlers = { [Name in RouteName]: Handler<Name> };

/** Shorthands for a module's `routes.ts`. */
export function query<Name extends RouteName>(run: QueryHandler<Name>['run']): QueryHandler<Name> {
  return { kind: 'query', run };
}

export function command<Name extends RouteName>(
  run: CommandHandler<Name>['run'],
  check?: CommandHandler<Name>['check'],
): CommandHandler<Name> {
  return { kind: 'command', check, run };
}

/** Operations that reply only that it was done. */
type DoneRoute = {
  [Name in RouteName]: RouteReply<Name> extends { ok: true } ? Name : never;
}[RouteName];

/** A command that replies only that it was done. */
export function doneAfter<Name extends DoneRoute>(
  run: (...given: Parameters<CommandHandler<Name>['run']>) => unknown,
): CommandHandler<Name> {
  return command(async (...given) => {
    await run(...given);
    return { ok: true } as RouteReply<Name>;
  });
}

/** The parameters and the body of an operation together. */
type Fields<Name extends RouteName> = (RouteArguments<Name> extends { params: infer Params }
  ? Params
  : unknown) &
  (RouteArguments<Name> extends { body: infer Body } ? Body : unknown);

/** The same for a command that takes the parameters and the body in one object. */
export function doneBy<Name extends DoneRoute, Needs>(
  services: Needs,
  run: (tx: Tx, services: Needs, by: Context<Name>, fields: Fields<Name>) => unknown,
): CommandHandler<Name> {
  return doneAfter((tx, by, given) => {
    const { params, body } = given as { params?: object; body?: object };
    return run(tx, services, by, { ...params, ...body } as Fields<Name>);
  });
}
