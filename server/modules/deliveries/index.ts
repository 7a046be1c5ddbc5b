/** Deliveries that failed: what the outbox's relay set aside and what the queue has given up. */
export { deliveryHandlers } from './routes.ts';
