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
