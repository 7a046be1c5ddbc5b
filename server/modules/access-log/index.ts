export { listAccessLog } from './access-log.ts';
export { recordAccess } from './record-access.ts';
