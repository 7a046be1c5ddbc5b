export { dismissSetup } from './setup.ts';
