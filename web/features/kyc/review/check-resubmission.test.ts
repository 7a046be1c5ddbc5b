import { describe, expect, it } from 'vitest';
import { RESUBMISSION_ITEMS } from '#contract/kyc.ts';
import { checkResubmission, itemsOf, type ResubmissionValues } from './check-resubmission.ts';

const NOTHING = {
  ...Object.fromEntries(RESUBMISSION_ITEMS.map((item) => [item, null])),
  items: '',
  notes: '',
} as ResubmissionValues;

describe('checkResubmission', () => {
  it('wants something that is named, and a word on it', () => {
    expect(checkResubmission({ ...NOTHING, notes: '  ' })).toEqual({
      items: 'Name at least one section or document',
      notes: 'Notes are required',
    });
  });

  it('takes general notes for all', () => {
    expect(checkResubmission({ ...NOTHING, notes: 'See below', id_front: ' ' })).toEqual({});
  });

  it('takes a note on each without general ones', () => {
    expect(checkResubmission({ ...NOTHING, id_front: 'Too dark', contact: 'No city' })).toEqual({});
    expect(checkResubmission({ ...NOTHING, id_front: 'Too dark', contact: ' ' })).toEqual({
      contact: 'Enter what has to be changed',
    });
    expect(checkResubmission({ ...NOTHING, contact: '' })).toEqual({ notes: 'Notes are required' });
  });
});

it('sends what is named, in the order of the wizard', () => {
  expect(itemsOf({ ...NOTHING, id_back: 'Too dark ', contact: 'No city' })).toEqual([
    { item: 'contact', note: 'No city' },
    { item: 'id_back', note: 'Too dark' },
  ]);
});
