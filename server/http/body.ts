import type { ErrorCode } from '#contract/errors.ts';
import { MAX_BODY_BYTES } from '#contract/limits.ts';
import { AppError } from '#server/lib/errors.ts';

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
