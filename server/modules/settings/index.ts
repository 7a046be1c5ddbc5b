export { readSettings } from './read-settings.ts';
export { settingsHandlers } from './routes.ts';
export { lockSettings, updateSettings } from './update-settings.ts';
export type { CompanySettings } from './company-settings.ts';
