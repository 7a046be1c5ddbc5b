import type { RouteArguments, RouteReply } from '#contract/api.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { RouteName } from '#contract/paths.ts';
import type { ROUTES } from '#contract/routes/all.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { Actor, RequestOrigin } from '#server/lib/actor.ts';

/** What a handler knows of the request besides its validated input. */
export interface RequestContext<A extends Actor | null = Actor> {
  actor: A;
  origin: RequestOrigin;
  /** The request's headers, for the sign-in handlers alone. */
  headers: Headers;
}

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
 * Changes something: runs inside one transaction that the HTTP layer opens, together with the
 * idempotency key where the operation asks for one.
 */
export interface CommandHandler<Name extends RouteName> {
  kind: 'command';
  /** What waits for the world outside, before the transaction: it refuses, and changes nothing. */
  check?: ((input: RouteArguments<Name>) => Promise<void>) | undefined;
  run(tx: Tx, context: Context<Name>, input: RouteArguments<Name>): Promise<RouteReply<Name>>;
}

/** Streams text/csv, a chunk of lines at a time. */
export interface CsvHandler<Name extends RouteName> {
  kind: 'csv';
  run(db: Db, context: Context<Name>, input: RouteArguments<Name>): Promise<CsvFile>;
}

export interface CsvFile {
  /** What saving it suggests: `withdrawals-2026-12-08.csv`. Anything but plain letters is replaced. */
  name: string;
  chunks: AsyncIterable<string>;
  /** How many rows, without the head, the chunks so far had. */
  rows: () => number;
}

/** Streams a ZIP archive, a file at a time. */
export interface ZipHandler<Name extends RouteName> {
  kind: 'zip';
  run(db: Db, context: Context<Name>, input: RouteArguments<Name>): Promise<ZipArchive>;
}

export interface ZipArchive {
  /** What saving it suggests: `documents-2026.zip`. Anything but plain letters is replaced. */
  name: string;
  chunks: AsyncIterable<Uint8Array>;
  /** How many files the chunks so far had. */
  rows: () => number;
}

/** Sign-in and its kin: talks to Better Auth, which keeps its own transactions and sets cookies. */
export interface AuthHandler<Name extends RouteName> {
  kind: 'auth';
  run(context: Context<Name>, input: RouteArguments<Name>): Promise<AuthReply<RouteReply<Name>>>;
}

export interface AuthReply<Reply> {
  reply: Reply;
  /** Set-Cookie headers. */
  cookies: readonly string[];
  /**
   * Whether the browser is to forget the pages that it keeps of ours, those behind its Back button
   * among them (Clear-Site-Data). What the device remembers by choice, such as hidden amounts, names
   * nobody and stays.
   */
  clearsCache?: true;
}

/** Takes the bytes of a file; opens transactions of its own, since it waits for slow things. */
export interface UploadHandler<Name extends RouteName> {
  kind: 'upload';
  run(
    db: Db,
    context: Context<Name>,
    input: RouteArguments<Name>,
    body: UploadBody,
  ): Promise<RouteReply<Name>>;
}

/** Bytes that are still on their way: nothing is read before a handler asks for them. */
export interface UploadBody {
  /** @throws {AppError} `image_too_large` past that many bytes, however many were announced */
  read(maxBytes: number): Promise<Buffer>;
  /**
   * The bytes as they come, never held whole.
   *
   * @throws {AppError} `refusal` past that many bytes, at once where more were announced;
   *   `malformed_request` where the body breaks off
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
  /** What saving it suggests; anything but plain letters is replaced. */
  fileName: string;
}

/** Sends a PDF, which is made for the request. */
export interface PdfHandler<Name extends RouteName> {
  kind: 'pdf';
  run(db: Db, context: Context<Name>, input: RouteArguments<Name>): Promise<SentPdf>;
}

export interface SentPdf {
  bytes: Uint8Array<ArrayBuffer>;
  /** What saving it suggests, without `.pdf`; anything but plain letters is replaced. */
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

/** One handler for every operation: a missing, extra or misfitting one does not compile. */
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
