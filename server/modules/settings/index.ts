export { checkAccountNumbers } from './check-account-numbers.ts';
export { payableFrom, payableFromWords } from './cooling-off.ts';
export { legalNameOf } from './company-settings.ts';
export { offersMethod } from './offered-methods.ts';
export { readCompanyName, readMoneyRules, readSettings } from './read-settings.ts';
export { changedNames, patchOfValues, settingValues } from './setting-values.ts';
export { lockSettings, newestSettings, recordSettings, updateSettings } from './update-settings.ts';
export type { CompanySettings } from './company-settings.ts';
export type { MoneyRules } from './read-settings.ts';
