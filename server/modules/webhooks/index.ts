export { webhookHandlers } from './routes.ts';
export { sendWebhooks, sweepWebhooks } from './send-webhooks.ts';
