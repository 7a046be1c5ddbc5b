import { expect, test } from 'vitest';
import { DEPOSIT_METHOD_IDS, methodInSentence, methodName } from './deposits.ts';
import { CURRENCIES } from './money.ts';
import { settingWords } from './setting-kinds.ts';
import { settingLabel, SETTING_NAMES, SETTINGS } from './settings.ts';

test('deposit methods are called as banks call them in the company’s currency', () => {
  expect(CURRENCIES.map((currency) => [currency, methodName('ach', currency)])).toEqual([
    ['USD', 'ACH transfer'],
    ['EUR', 'SEPA transfer'],
    ['GBP', 'Bank transfer'],
  ]);
  expect(CURRENCIES.map((currency) => methodInSentence('wire', currency))).toEqual([
    'wire transfer',
    'urgent transfer',
    'CHAPS transfer',
  ]);
  expect(methodInSentence('ach', 'USD')).toBe('ACH transfer');
  expect(settingLabel('offersAch', 'GBP')).toBe('Bank transfer');
  expect(settingLabel('receivingRoutingNumber', 'GBP')).toBe('Receiving sort code');
});

/** Words that only banks of the United States use. */
const AMERICAN = /\b(?:ACH|NACHA|ABA|routing|wires?|Wire transfers?|checking)\b/;

test.each(['EUR', 'GBP'] as const)('a company in %s reads no words of US banks', (currency) => {
  const words = [
    ...DEPOSIT_METHOD_IDS.map((method) => methodName(method, currency)),
    ...SETTING_NAMES.flatMap((name) => {
      const shown = settingWords(SETTINGS[name], currency);
      return shown === null ? [] : [shown.label, shown.hint ?? ''];
    }),
  ];
  expect(words.filter((text) => AMERICAN.test(text))).toEqual([]);
});
