import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Chosen by `npm test`, so that the server of one run never meets that of another. */
export const PORT = process.env['PURSER_E2E_PORT'] ?? '3117';

export const BASE_URL = `http://127.0.0.1:${PORT}`;

/** Everything of the server under test: its database, its secrets and the mail it did not send. */
export const DATA_DIR = join(tmpdir(), `purser-e2e-${PORT}`, 'data');

/** Every screen in every look, where a usual run takes a sample. */
export const IS_FULL = process.env['PURSER_TEST'] === 'full';
