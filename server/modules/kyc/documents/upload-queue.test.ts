import { afterEach, expect, test, vi } from 'vitest';
import { LIMITS } from '#server/lib/limits.ts';
import { UploadQueue } from './upload-queue.ts';

const { atOnce, atOncePerPerson, decoding, perPerson, waitMs } = LIMITS.uploads;

afterEach(() => vi.useRealTimers());

/** Work that goes on until it is let go, and counts itself during that time. */
function slowWork() {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const seen = { now: 0, most: 0 };
  const work = async () => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await gate;
    seen.now -= 1;
  };
  return { work, seen, letGo };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('one person has a few uploads under way, and more once they are done', async () => {
  const queue = new UploadQueue();
  const { work, seen, letGo } = slowWork();
  const first = Array.from({ length: atOncePerPerson }, () => queue.take('maya', work));
  await expect(queue.take('maya', work)).rejects.toMatchObject({ code: 'too_many_requests' });
  const other = queue.take('sam', work);
  await settle();
  expect(seen.now).toBe(atOncePerPerson + 1);
  letGo();
  await Promise.all([...first, other]);
  await queue.take('maya', work);
});

test('one person’s uploads over ten minutes are counted', async () => {
  const queue = new UploadQueue();
  for (let count = 0; count < perPerson; count += 1) await queue.take('maya', async () => count);
  const refused = await queue.take('maya', async () => 0).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'too_many_requests' });
  await queue.take('sam', async () => 0);
});

test('everybody waits in turn for memory, and for a core', async () => {
  const queue = new UploadQueue();
  const [upload, image] = [slowWork(), slowWork()];
  const people = Array.from({ length: 60 }, (_, index) => `person ${index}`);
  const uploads = people.map((person) => queue.take(person, upload.work));
  const images = people.map(() => queue.decode(image.work));
  await settle();
  upload.letGo();
  image.letGo();
  await Promise.all([...uploads, ...images]);
  expect([upload.seen.most, image.seen.most]).toEqual([atOnce, decoding]);
});

test('a person who waits too long is asked to come back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const queue = new UploadQueue();
  const { work, letGo } = slowWork();
  const running = Array.from({ length: decoding }, () => queue.decode(work));
  const late = queue.decode(work).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(waitMs + 1);
  expect(await late).toMatchObject({ code: 'unavailable' });
  letGo();
  await Promise.all(running);
  await queue.decode(work);
});
