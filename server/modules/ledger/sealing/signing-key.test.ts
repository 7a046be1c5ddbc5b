import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { publicKeyBytes } from './block.ts';
import { findSigningKey, loadSigningKey } from './signing-key.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'purser-key-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test('is created once, readable by its owner only, and found again', () => {
  expect(findSigningKey({ dataDir })).toBeUndefined();
  const made = loadSigningKey({ dataDir });
  expect(publicKeyBytes(loadSigningKey({ dataDir }))).toEqual(publicKeyBytes(made));
  expect(statSync(join(dataDir, 'ledger-signing-key.pem')).mode & 0o777).toBe(0o600);
});

test('is the configured one if there is one, also with escaped line ends', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  for (const given of [pem, pem.replaceAll('\n', String.raw`\n`)]) {
    const loaded = loadSigningKey({ dataDir, pem: given });
    expect(publicKeyBytes(loaded)).toEqual(publicKeyBytes(privateKey));
  }
  expect(readdirSync(dataDir)).toEqual([]);
});

test('is refused, not replaced, when the file or setting holds no valid key', () => {
  const file = join(dataDir, 'ledger-signing-key.pem');
  writeFileSync(file, 'nonsense');
  expect(() => loadSigningKey({ dataDir })).toThrow();
  const { privateKey } = generateKeyPairSync('x25519');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  expect(() => loadSigningKey({ dataDir })).toThrow('not Ed25519');
});
