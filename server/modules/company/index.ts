export { companyHandlers } from './routes.ts';
export { dismissSetup } from './setup.ts';
