export { appCode, nextAppCodes } from '#scripts/app-code.ts';
