import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { readAgain } from './live.ts';

test('a first reply that is on its way when something changes is asked for again', async () => {
  const queryClient = new QueryClient();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  let balance = 'before';
  const observer = new QueryObserver(queryClient, {
    queryKey: ['listWallets'],
    queryFn: async () => {
      const reply = balance;
      await isReleased;
      return reply;
    },
  });
  const stop = observer.subscribe(() => undefined);
  balance = 'after';
  const isRead = readAgain(queryClient, ['wallets']);
  release();
  await isRead;
  expect(observer.getCurrentResult().data).toBe('after');
  stop();
});
