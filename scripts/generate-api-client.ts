import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { API_CLIENT_PATH, describeApi, sealClient } from './describe-api.ts';
import { writeOperations, writeSecurityPage } from './generate-operations.ts';

/**
 * `npm run api:client`, after a change of an operation: writes what clients know of the API. For the browser,
 * contract/operations.ts. For readers, the tables of docs/security.md. For systems with an API key, the types of the client that
 * `scripts/api-client.test.ts` uses, as a customer makes theirs (docs/integrations.md). The
 * generator draws with the JavaScript of TypeScript 5, which TypeScript 7 has no longer: so it is no
 * dependency of ours, and npm fetches it to run it once.
 */
const GENERATOR = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];

writeOperations();
writeSecurityPage();
const description = describeApi();
const [seal, ...types] = readFileSync(API_CLIENT_PATH, 'utf8').split(/(?<=\n)/);
if (seal !== sealClient(description, types.join(''))) writeClient();

function writeClient(): void {
  const folder = mkdtempSync(join(tmpdir(), 'purser-api-client-'));
  try {
    const [input, output] = [join(folder, 'openapi.json'), join(folder, 'purser.ts')];
    writeFileSync(input, description);
    const packages = GENERATOR.map((name) => `--package=${name}`);
    const command = ['openapi-typescript', input, '--output', output];
    execFileSync('npm', ['exec', '--yes', ...packages, '--', ...command], { stdio: 'inherit' });
    const written = readFileSync(output, 'utf8');
    writeFileSync(API_CLIENT_PATH, sealClient(description, written) + written);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
