import type { RouteInput, RouteReply } from '#contract/api.ts';
import { PATHS } from '#contract/paths.ts';
import { addressOf, ApiError, isProblem, UnknownOutcomeError } from './client.ts';

/** Without any progress for so long, an upload has stalled. */
const STALL_TIMEOUT_MS = 60_000;

/** Operations that take the bytes of a file. */
export type UploadRoute = 'uploadDocument' | 'uploadCheckImage' | 'adminUploadImport';

/**
 * Sends a file and reports how much of it has left, 0 to 1. `fetch` cannot do that; for these
 * operations XMLHttpRequest stands in.
 *
 * @throws ApiError when the server refused; UnknownOutcomeError when its answer never came.
 */
export function uploadFile<Name extends UploadRoute>(
  name: Name,
  input: RouteInput<Name>,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<RouteReply<Name>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stall = () => request.abort();
    let stalled = setTimeout(stall, STALL_TIMEOUT_MS);
    request.open(PATHS[name][0], addressOf(name, input));
    request.setRequestHeader('accept', 'application/json');
    request.setRequestHeader('content-type', file.type);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      clearTimeout(stalled);
      stalled = setTimeout(stall, STALL_TIMEOUT_MS);
      onProgress(total > 0 ? loaded / total : 0);
    });
    request.addEventListener('loadend', () => {
      clearTimeout(stalled);
      const reply = readJson(request.responseText);
      if (request.status >= 200 && request.status < 300 && reply !== undefined) {
        resolve(reply as RouteReply<Name>);
      } else {
        reject(refusal(request.status, reply));
      }
    });
    request.send(file);
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(status: number, reply: unknown): Error {
  if (isProblem(reply)) return new ApiError(reply);
  return new UnknownOutcomeError(
    status === 0
      ? 'The server could not be reached. Please try again.'
      : `The server answered ${status}. Please try again.`,
  );
}
