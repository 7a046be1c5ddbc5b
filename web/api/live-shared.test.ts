import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { untilHolds } from '#test/until-holds.ts';
import { followShared } from './live-shared.ts';

/** The streams that were opened, and are. */
let streams: Stream[] = [];
class Stream extends EventTarget {
  static readonly CLOSED = 2;
  isOpen = true;
  readyState = 1;

  constructor() {
    super();
    streams.push(this);
    queueMicrotask(() => this.dispatchEvent(new Event('open')));
  }
  close(): void {
    this.isOpen = false;
  }
  report(topic: string): void {
    this.dispatchEvent(new MessageEvent('changed', { data: JSON.stringify({ topic }) }));
  }
}
const open = () => streams.filter(({ isOpen }) => isOpen);

/** A tab of the browser, with what it received and its end. */
interface Tab {
  heard: string[];
  close: () => void;
}
let tabs: Tab[] = [];
function openTab(userId = 'maya', options: { hasMissed?: boolean } = {}): Tab {
  const heard: string[] = [];
  const listener = {
    onTopic: (topic: string) => void heard.push(topic),
    onMissed: () => void heard.push('everything'),
  };
  const tab = { heard, close: followShared(userId, listener, options) };
  tabs.push(tab);
  return tab;
}

beforeEach(() => {
  streams = [];
  tabs = [];
  vi.stubGlobal('EventSource', Stream);
});
afterEach(() => {
  for (const tab of tabs) tab.close();
  vi.unstubAllGlobals();
});

test('all tabs of a person hear by one stream', async () => {
  const [first, second, third] = [openTab(), openTab(), openTab()];
  await untilHolds(() => expect(open()).toHaveLength(1));
  await navigatorSettles();
  streams[0]?.report('wallets');
  for (const tab of [first, second, third]) {
    await untilHolds(() => expect(tab.heard).toEqual(['wallets']));
  }
  expect(streams).toHaveLength(1);
});

test('a tab that closes hands over to one that is left; all ask for everything', async () => {
  const first = openTab();
  await untilHolds(() => expect(open()).toHaveLength(1));
  const [second, third] = [openTab(), openTab()];
  await navigatorSettles();
  first.close();
  await untilHolds(() => expect(streams).toHaveLength(2));
  expect(open()).toHaveLength(1);
  for (const tab of [second, third]) {
    await untilHolds(() => expect(tab.heard).toEqual(['everything']));
  }
  streams[1]?.report('payroll');
  for (const tab of [second, third]) {
    await untilHolds(() => expect(tab.heard).toEqual(['everything', 'payroll']));
  }
  expect(first.heard).toEqual([]);
});

test('one that closes while it waits takes no turn', async () => {
  const first = openTab();
  await untilHolds(() => expect(open()).toHaveLength(1));
  const second = openTab();
  await navigatorSettles();
  second.close();
  first.close();
  await navigatorSettles();
  expect(streams).toHaveLength(1);
  expect(open()).toEqual([]);
});

test('one that was hidden asks for everything, whether it leads or not', async () => {
  const first = openTab('maya', { hasMissed: true });
  await untilHolds(() => expect(first.heard).toEqual(['everything']));
  const second = openTab('maya', { hasMissed: true });
  await untilHolds(() => expect(second.heard).toEqual(['everything']));
  expect(first.heard).toEqual(['everything']);
});

test('tabs of two people hear nothing of each other', async () => {
  const [maya, sam] = [openTab('maya'), openTab('sam')];
  await untilHolds(() => expect(open()).toHaveLength(2));
  streams[0]?.report('wallets');
  await untilHolds(() => expect([...maya.heard, ...sam.heard]).toEqual(['wallets']));
  await navigatorSettles();
  expect([...maya.heard, ...sam.heard]).toEqual(['wallets']);
});

/** Locks are given in the order in which they were asked for: once this one is, the others are. */
async function navigatorSettles(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await navigator.locks.request('purser.test', () => undefined);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a tab receives what changed between its reading and its listening', async () => {
  openTab();
  await untilHolds(() => expect(open()).toHaveLength(1));
  streams[0]?.report('wallets');
  const second = openTab();
  await untilHolds(() => expect(second.heard).toEqual(['wallets']));
});
