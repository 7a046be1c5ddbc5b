import type { RouteInput, RouteReply } from '#contract/api.ts';
import { PERSON_HEADER, POSITION_HEADER } from '#contract/identity.ts';
import { PATHS } from '#contract/paths.ts';
import { addressOf, ApiError, hasConfirmed, hasSignedInAgain, refusalOf } from './client.ts';
import { keepPosition } from './position.ts';
import { pagePerson } from './session-lock.ts';

/** Time without any progress after which an upload has stalled. */
const STALL_TIMEOUT_MS = 60_000;

/** Operations that take the bytes of a file. */
export type UploadRoute =
  | 'uploadDocument'
  | 'uploadCheckImage'
  | 'uploadMyAvatar'
  | 'adminUploadImport'
  | 'adminUploadUsualPay'
  | 'adminCheckPayrollFile'
  | 'adminListPayrollFileErrors'
  | 'adminFillInPayrollFile'
  | 'adminCheckReturns'
  | 'adminBookReturns'
  | 'adminCheckStatement'
  | 'adminImportStatement';

/**
 * Sends a file and reports how much of it has left, 0 to 1. `fetch` cannot do that; for these
 * operations XMLHttpRequest stands in.
 *
 * @throws ApiError when the server refused; UnknownOutcomeError when its answer never came.
 */
export async function uploadFile<Name extends UploadRoute>(
  name: Name,
  input: RouteInput<Name>,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<RouteReply<Name>> {
  try {
    return await send(name, input, file, onProgress);
  } catch (error) {
    const isSignedOut = error instanceof ApiError && error.problem.code === 'unauthenticated';
    const isSentAgain = isSignedOut ? await hasSignedInAgain(name) : await hasConfirmed(error);
    if (!isSentAgain) throw error;
    return send(name, input, file, onProgress);
  }
}

function send<Name extends UploadRoute>(
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
    const person = pagePerson();
    if (person !== null) request.setRequestHeader(PERSON_HEADER, person);
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      clearTimeout(stalled);
      stalled = setTimeout(stall, STALL_TIMEOUT_MS);
      onProgress(total > 0 ? loaded / total : 0);
    });
    request.addEventListener('loadend', () => {
      clearTimeout(stalled);
      keepPosition(request.getResponseHeader(POSITION_HEADER));
      const reply = readJson(request.responseText);
      if (request.status >= 200 && request.status < 300 && reply !== undefined) {
        resolve(reply as RouteReply<Name>);
      } else {
        reject(refusalOf(request.status, reply));
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
