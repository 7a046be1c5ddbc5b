import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openStream } from './live-stream.ts';

/** The browser's EventSource, as far as it matters here. */
class FakeEventSource extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: FakeEventSource[] = [];
  readyState = FakeEventSource.CONNECTING;

  constructor() {
    super();
    FakeEventSource.all.push(this);
  }
  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }
  /** The server answers, or the connection is there again. */
  succeed(): void {
    this.readyState = FakeEventSource.OPEN;
    this.dispatchEvent(new Event('open'));
  }
  /** The browser goes on trying by itself. */
  lose(): void {
    this.readyState = FakeEventSource.CONNECTING;
    this.dispatchEvent(new Event('error'));
  }
  /** The server answered something else than 200. */
  refuse(): void {
    this.readyState = FakeEventSource.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
}

const streams = () => FakeEventSource.all;
const newest = () => streams().at(-1) as FakeEventSource;
let stop: () => void;
let invalidations = 0;
let topics: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeEventSource);
  FakeEventSource.all = [];
  invalidations = 0;
  topics = [];
  stop = openStream({
    onTopic: (topic) => topics.push(topic),
    onMissed: () => {
      invalidations += 1;
    },
  });
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('leaves a lost connection to the browser, and reads everything again once it is back', () => {
  newest().succeed();
  newest().lose();
  vi.advanceTimersByTime(60_000);
  expect(streams()).toHaveLength(1);
  expect(invalidations).toBe(0);
  newest().succeed();
  expect(invalidations).toBe(1);
});

test('asks again after a refusal, which the browser takes for the last word', () => {
  newest().succeed();
  newest().refuse();
  vi.advanceTimersByTime(3_000);
  expect(streams()).toHaveLength(1);
  vi.advanceTimersByTime(6_000);
  expect(streams()).toHaveLength(2);
  newest().refuse();
  vi.advanceTimersByTime(9_000);
  expect(streams()).toHaveLength(3);
  newest().succeed();
  expect(invalidations).toBe(1);
});

test('asks who is signed in when it is refused: a session may have ended without a stream to say so', () => {
  newest().succeed();
  newest().lose();
  expect(topics).toEqual([]);
  newest().refuse();
  expect(topics).toEqual(['sessions']);
});

test('asks no more once it is asked to stop', () => {
  newest().refuse();
  stop();
  vi.advanceTimersByTime(60_000);
  expect(streams()).toHaveLength(1);
});
