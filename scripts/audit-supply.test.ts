import { describe, expect, test } from 'vitest';
import { findSupplyFaults, readLock, readManifest } from './audit-supply.ts';
import type { Lock } from './audit-supply.ts';
import { makeSbom, runPackages } from './print-sbom.ts';

describe('the packages we use', () => {
  test('has a hash, an accepted licence and a reason for each prerelease', () => {
    expect(findSupplyFaults(readLock(), readManifest())).toEqual([]);
  });

  const sound = { version: '1.0.0', integrity: 'sha512-x', license: 'MIT' };
  test.each<[string, Lock['packages'][string], string]>([
    ['without a hash', { ...sound, integrity: '' }, 'SHA-512'],
    ['with a hash that is out of date', { ...sound, integrity: 'sha1-x' }, 'SHA-512'],
    ['without a licence', { version: '1.0.0', integrity: 'sha512-x' }, 'names no licence'],
    ['with another licence', { ...sound, license: 'MIT AND AGPL-3.0' }, 'AGPL-3.0'],
    ['before its release', { ...sound, version: '1.0.0-beta.2' }, 'prerelease'],
    ['that runs a program', { ...sound, hasInstallScript: true }, 'runs a program'],
    ['that is given up', { ...sound, deprecated: 'use another' }, 'use another'],
    ['from elsewhere', { ...sound, resolved: 'https://example.com/a.tgz' }, 'example.com'],
  ])('a package %s is named', (_what, entry, words) => {
    const lock = readLock();
    const faults = findSupplyFaults(
      { packages: { ...lock.packages, 'node_modules/some': entry } },
      readManifest(),
    );
    expect(faults).toEqual([expect.stringContaining(words)]);
  });

  test('a range of versions is named', () => {
    const manifest = { ...readManifest(), devDependencies: { some: '^1.0.0' } };
    expect(findSupplyFaults(readLock(), manifest)).toEqual([expect.stringContaining('^1.0.0')]);
  });
});

test('the bill of materials has each package that a server runs, with hash and licence', () => {
  const { bomFormat, metadata, components } = makeSbom();
  expect(bomFormat).toBe('CycloneDX');
  expect(metadata.component.name).toBe('purser');
  const bare = components.filter(
    ({ hashes = [], licenses = [] }) => !hashes.length || !licenses.length,
  );
  expect(bare).toEqual([]);
  const listed = new Set(components.map(({ name, version }) => `${name} ${version}`));
  expect([...listed].toSorted()).toEqual([...runPackages()].toSorted());
  const { dependencies = {} } = readManifest();
  const direct = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
  expect(direct.filter((one) => !listed.has(one))).toEqual([]);
});
