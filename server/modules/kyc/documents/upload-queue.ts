import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '#server/lib/errors.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { Slots } from '#server/lib/slots.ts';

/**
 * Keeps uploads of this process from taking all its memory and both its cores: few bodies are in
 * memory and fewer images decoded concurrently, and nobody's own uploads are many.
 */
export class UploadQueue {
  readonly #taking = new Slots(LIMITS.uploads.atOnce, LIMITS.uploads.waitMs);
  readonly #decoding = new Slots(LIMITS.uploads.decoding, LIMITS.uploads.waitMs);
  readonly #inHand = new Map<string, number>();
  readonly #limiter = new RateLimiterMemory({
    points: LIMITS.uploads.perPerson,
    duration: LIMITS.uploads.perS,
  });

  /**
   * Runs `work`, the whole of an upload, once there is memory for its body.
   *
   * @throws {AppError} `too_many_requests`, `unavailable`
   */
  async take<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const inHand = this.#inHand.get(userId) ?? 0;
    if (inHand >= LIMITS.uploads.atOncePerPerson) throw tooMany(1_000);
    this.#inHand.set(userId, inHand + 1);
    try {
      await this.#count(userId);
      return await this.#taking.run(work);
    } finally {
      const left = (this.#inHand.get(userId) ?? 1) - 1;
      if (left === 0) this.#inHand.delete(userId);
      else this.#inHand.set(userId, left);
    }
  }

  /** Runs `work` once there is room for a decoded image. @throws {AppError} `unavailable` */
  decode<T>(work: () => Promise<T>): Promise<T> {
    return this.#decoding.run(work);
  }

  async #count(userId: string): Promise<void> {
    try {
      await this.#limiter.consume(userId);
    } catch (refusal) {
      throw refusal instanceof RateLimiterRes ? tooMany(refusal.msBeforeNext) : refusal;
    }
  }
}

function tooMany(waitMs: number): AppError {
  return new AppError('too_many_requests', { retryAfterS: Math.max(1, Math.ceil(waitMs / 1_000)) });
}
