import { expect, it } from 'vitest';
import { deposit } from '#contract/things/deposit.ts';
import type { Kept, KeptRow } from './kept.ts';
import { legalActs } from './offers.ts';

interface Row extends KeptRow {
  isPhotographed: boolean;
}

it('offers no act that another column than the status forbids', () => {
  const kept: Pick<Kept<typeof deposit, Row, never, never, Row>, 'thing' | 'isLegal'> = {
    thing: deposit,
    isLegal: { approve: ({ isPhotographed }: Row) => isPhotographed },
  };
  const row = { id: 'one', userId: 'maya', status: 'pending' };
  const offered = (isPhotographed: boolean) =>
    legalActs(kept, { actor: { id: 'renee' }, as: 'admin' }, [{ ...row, isPhotographed }])[0]?.acts;
  expect(offered(true)).toEqual(['confirm', 'approve', 'reject']);
  expect(offered(false)).toEqual(['confirm', 'reject']);
});
