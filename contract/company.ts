import { keysOf } from './keys.ts';

/** Departments, by id, with the words on screen ('General' by decision). */
export const DEPARTMENTS = {
  engineering: 'Engineering',
  marketing: 'Marketing',
  sales: 'Sales',
  finance: 'Finance',
  hr: 'HR',
  operations: 'Operations',
  'data-entry': 'Data entry',
  'customer-support': 'Customer support',
  general: 'General',
} as const;
export type Department = keyof typeof DEPARTMENTS;
export const DEPARTMENT_IDS = keysOf(DEPARTMENTS);

/** IANA zones behind the four choices of the settings screen. */
export const TIME_ZONES = {
  est: 'America/New_York',
  cst: 'America/Chicago',
  mst: 'America/Denver',
  pst: 'America/Los_Angeles',
} as const;
export type TimeZoneId = keyof typeof TIME_ZONES;
export const TIME_ZONE_IDS = keysOf(TIME_ZONES);
