export { companyHandlers } from './routes.ts';
