export { readSettings } from './read-settings.ts';
export { updateSettings } from './update-settings.ts';
export type { SettingsPatch } from './update-settings.ts';
export type {
  CompanySettings,
  DemoState,
  PayrollDay,
  PayrollFrequency,
  PayrollSchedule,
} from './company-settings.ts';
