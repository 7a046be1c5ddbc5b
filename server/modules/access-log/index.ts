export { recordAccess } from './record-access.ts';
export { accessLogHandlers } from './routes.ts';
