export { securityHandlers } from './routes.ts';
