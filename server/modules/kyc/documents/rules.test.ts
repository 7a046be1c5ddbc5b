import { describe, expect, test } from 'vitest';
import { statusPageCompletion, WALLET_DOCUMENT_TYPES } from '#contract/kyc.ts';
import type { KycDocumentStatus } from '#contract/kyc.ts';
import { profileStateOf } from './rules.ts';
import type { WalletDocument } from './rules.ts';

/** Documents of the three types in their order, a day apart; null is not uploaded. */
function documents(...statuses: (KycDocumentStatus | null)[]): WalletDocument[] {
  return WALLET_DOCUMENT_TYPES.flatMap((type, index) => {
    const status = statuses[index] ?? null;
    if (status === null) return [];
    return [{ type, status, uploadedAt: new Date(Date.UTC(2026, 11, index + 1)) }];
  });
}

describe('the verification profile', () => {
  test.each([
    [[], 'not_started', 0, null],
    [['pending'], 'under_review', 33, 'submitted'],
    [['under_review', 'pending'], 'under_review', 67, 'in_review'],
    [['approved'], 'pending', 33, null],
    [['approved', 'approved'], 'pending', 67, null],
    [['approved', 'approved', 'pending'], 'under_review', 100, 'submitted'],
    [['approved', 'approved', 'approved'], 'verified', 100, 'approved'],
    [['approved', 'approved', 'rejected'], 'rejected', 100, 'rejected'],
    [['rejected'], 'rejected', 33, 'rejected'],
    [['rejected', 'pending', 'approved'], 'rejected', 100, 'submitted'],
  ] as const)('%j is %s at %d%%, in the queue as %s', (statuses, status, percent, reviewStatus) => {
    expect(profileStateOf(documents(...statuses))).toMatchObject({
      status,
      completionPercentage: percent,
      reviewStatus,
    });
  });

  test('waits since its oldest document that waits', () => {
    const state = profileStateOf(documents('approved', 'pending', 'pending'));
    expect(state.submittedAt?.toISOString()).toBe('2026-12-02T00:00:00.000Z');
  });
});

describe('completion on the KYC status page', () => {
  const all = [
    'fullName',
    'email',
    'phoneNumber',
    'dateOfBirth',
    'addressLine1',
    'city',
    'state',
    'postalCode',
    'country',
    'idType',
    'idNumber',
    'employmentStatus',
  ];

  test.each([
    [[], 0, 0],
    [all.slice(0, 6), 0, 35],
    [all, 0, 70],
    [all, 2, 90],
    [all, 3, 100],
    [['occupation', 'pep'], 1, 10],
  ])('of %j with %d documents is %d%%', (answered, count, percent) => {
    expect(statusPageCompletion(answered, 'US', count)).toBe(percent);
  });

  test('is whole without a postal code where there may be none', () => {
    const withoutCode = all.filter((name) => name !== 'postalCode');
    expect(statusPageCompletion(withoutCode, 'other', 3)).toBe(100);
    expect(statusPageCompletion(withoutCode, 'US', 3)).toBeLessThan(100);
  });
});
