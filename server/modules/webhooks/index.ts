export { sendWebhooks, sweepWebhooks } from './send-webhooks.ts';
