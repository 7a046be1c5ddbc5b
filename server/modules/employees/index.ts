export { createEmployeeAccount } from './create-employee-account.ts';
export { sweepKeys } from './destroy-keys.ts';
export { ensureEmployee } from './ensure-employee.ts';
export { importEmployeesJob, sweepImports } from './imports/run-import.ts';
