import { expect, test } from 'vitest';
import { readSearchedAmount } from './searched-amount.ts';

test.each([
  ['\u2212$400.00', { minor: '40000', sign: -1 }],
  ['\u202a\u2212$400.00\u202c', { minor: '40000', sign: -1 }],
  ['\u00a0+$50.00', { minor: '5000', sign: 1 }],
  ['-400.00', { minor: '40000', sign: -1 }],
  ['+$2,426.40', { minor: '242640', sign: 1 }],
  ['$320', { minor: '32000', sign: null }],
  ['320.5', { minor: '32050', sign: null }],
  ['1,250', { minor: '125000', sign: null }],
] as const)('reads %j', (search, amount) => {
  expect(readSearchedAmount(search)).toEqual(amount);
});

test.each([
  '$99999999999999999999',
  '1,000,000,000,000,000,000',
  '',
  '320',
  '23606798',
  'TXN-1.00',
  '1,25',
  '1.005',
  '1e5',
  '$',
  'maya',
  '--1.00',
])('does not read %j as an amount', (search) => {
  expect(readSearchedAmount(search)).toBeNull();
});
