export { notify, notifyAdmins } from './notify.ts';
export type { Message } from './notify.ts';
