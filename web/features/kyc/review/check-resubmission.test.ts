import { describe, expect, it } from 'vitest';
import { RESUBMISSION_ITEMS } from '#contract/kyc.ts';
import { checkResubmission, itemsOf, type ResubmissionValues } from './check-resubmission.ts';

const NOTHING = {
  ...Object.fromEntries(RESUBMISSION_ITEMS.map((item) => [item, null])),
  items: '',
  notes: '',
} as ResubmissionValues;

describe('checkResubmission', () => {
  it('wants notes and something that is named', () => {
    expect(checkResubmission({ ...NOTHING, notes: '  ' })).toEqual({
      items: 'Name at least one section or document',
      notes: 'Notes are required',
    });
  });

  it('wants to know what is wrong with each', () => {
    expect(checkResubmission({ ...NOTHING, notes: 'See below', id_front: ' ' })).toEqual({
      id_front: 'Say what has to be changed',
    });
  });
});

it('sends what is named, in the order of the wizard', () => {
  expect(itemsOf({ ...NOTHING, id_back: 'Too dark ', contact: 'No city' })).toEqual([
    { item: 'contact', note: 'No city' },
    { item: 'id_back', note: 'Too dark' },
  ]);
});
