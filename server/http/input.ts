import type { ErrorCode, FieldError } from '#contract/errors.ts';
import { MAX_BODY_BYTES } from '#contract/limits.ts';
import { AppError } from '#server/lib/errors.ts';
import type { z } from 'zod';
import type { RouteSpec } from '#contract/routes/define.ts';
import { plainTextProblem } from '#contract/rules.ts';

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * JSON of a request that must have a body.
 *
 * @throws AppError malformed_request for another content type, a missing or an unreadable body;
 *   body_too_large
 */
export async function readJson(request: Request): Promise<unknown> {
  checkType(request);
  return parseJson(await readBytes(request));
}

/**
 * JSON of a request whose body is optional; `{}` if there is none.
 *
 * @throws AppError malformed_request for another content type or an unreadable body; body_too_large
 */
export async function readJsonIfAny(request: Request): Promise<unknown> {
  if (request.body === null) return {};
  const bytes = await readBytes(request);
  if (bytes.length === 0) return {};
  checkType(request);
  return parseJson(bytes);
}

/**
 * For operations without a body. An empty one or `{}` is accepted; anything else was meant for
 * another operation and is refused.
 *
 * @throws AppError malformed_request, body_too_large
 */
export async function refuseBody(request: Request): Promise<void> {
  if (request.body === null) return;
  const bytes = await readBytes(request);
  if (bytes.length === 0) return;
  const value = parseJson(bytes);
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
  if (!isEmpty) throw new AppError('malformed_request');
}

/**
 * Never holds more than the limit, whatever length the sender declares.
 *
 * @throws {AppError} `refusal` past `maxBytes`; `malformed_request` if the body breaks off
 */
export async function readBytes(
  request: Request,
  maxBytes = MAX_BODY_BYTES,
  refusal: ErrorCode = 'body_too_large',
): Promise<Buffer> {
  const announced = request.headers.get('content-length');
  // Node reads no more than the declared length. One read is half the work of a stream.
  if (announced !== null && Number(announced) <= maxBytes) return readWhole(request);
  const chunks: Uint8Array[] = [];
  for await (const chunk of streamBytes(request, maxBytes, refusal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readWhole(request: Request): Promise<Buffer> {
  try {
    return Buffer.from(await request.arrayBuffer());
  } catch {
    throw new AppError('malformed_request');
  }
}

/**
 * The body as a stream, for handlers that do not hold all of it.
 *
 * @throws {AppError} as {@link readBytes}
 */
export async function* streamBytes(
  request: Request,
  maxBytes: number,
  refusal: ErrorCode,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw new AppError(refusal);
  if (request.body === null) return;
  let length = 0;
  for await (const chunk of received(request.body)) {
    length += chunk.byteLength;
    if (length > maxBytes) throw new AppError(refusal);
    yield chunk;
  }
}

/**
 * The body as a stream. If it breaks off, the caller has disconnected: not our error, and nobody
 * reads the reply.
 */
async function* received(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw new AppError('malformed_request');
  }
}

function checkType({ headers }: Request): void {
  if (!JSON_TYPE.test(headers.get('content-type') ?? '')) throw new AppError('malformed_request');
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new AppError('malformed_request');
  }
}

/** Input of an operation after validation; absent parts are omitted. */
export interface ValidInput {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/**
 * Checks all parts together, so that a form gets every error in one reply. Text that is not plain
 * (`findIllFormedText`) is refused here for every operation, whatever its schema says.
 *
 * @throws AppError invalid_request with one entry a field
 */
export function validateInput(
  spec: Pick<RouteSpec, 'params' | 'query' | 'body'>,
  raw: { params: unknown; query: unknown; body: unknown },
): ValidInput {
  const errors: FieldError[] = [];
  const input: ValidInput = {};
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = spec[part];
    if (schema === undefined) continue;
    const result = schema.safeParse(raw[part]);
    const faults = result.success ? new Map<string, string>() : complaintsOf(result.error);
    for (const { path, message } of findIllFormedText(raw[part])) {
      if (!faults.has(path)) faults.set(path, message);
    }
    errors.push(...Array.from(faults, ([path, message]) => ({ path, message })));
    if (result.success) input[part] = result.data;
  }
  if (errors.length > 0) throw new AppError('invalid_request', {}, errors);
  return input;
}

/** First error of each field, by its dotted path. */
function complaintsOf(error: z.ZodError): Map<string, string> {
  const byPath = new Map<string, string>();
  for (const issue of error.issues) {
    const path = issue.path.join('.');
    if (!byPath.has(path)) byPath.set(path, issue.message);
  }
  return byPath;
}

/** One key on the path to a value, and the keys before it. */
interface Place {
  key: string;
  parent: Place | null;
}

/** Maximum number of reports: a request may have thousands, and one is enough to refuse it. */
const MAX_REPORTED = 20;
/** Maximum keys in a reported path; the contract's own fields are less deep. */
const MAX_PATH_KEYS = 8;

/**
 * Errors of all texts in a part of a request, keys as well as values, that are not plain text: with a
 * control character, which drives the terminal of whoever reads it there (PostgreSQL's text also
 * refuses NUL), or with half of a surrogate pair, which its JSON refuses and its text turns into
 * another character. No keyboard produces either.
 *
 * Checks everything that was sent, also fields unknown to the operation. Without recursion, so that
 * a hundred thousand brackets cannot overflow the stack.
 */
function findIllFormedText(part: unknown): FieldError[] {
  const found: FieldError[] = [];
  const check = (text: string, place: Place | null) => {
    const message = plainTextProblem(text);
    if (message !== undefined) found.push({ path: pathOf(place), message });
  };
  const waiting: { value: unknown; place: Place | null }[] = [{ value: part, place: null }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, place } = next;
    if (typeof value === 'string') check(value, place);
    if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value).toReversed()) {
        const innerPlace = { key, parent: place };
        waiting.push({ value: inner, place: innerPlace });
        check(key, innerPlace);
      }
    }
    if (found.length >= MAX_REPORTED) return found.slice(0, MAX_REPORTED);
  }
  return found;
}

function pathOf(place: Place | null): string {
  const keys: string[] = [];
  for (let each = place; each !== null; each = each.parent) keys.push(each.key);
  return keys.toReversed().slice(0, MAX_PATH_KEYS).join('.');
}
