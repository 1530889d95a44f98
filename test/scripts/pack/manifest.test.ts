import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packedCli, publishedManifest } from '../../../scripts/pack/manifest.ts';

const source: unknown = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'));
const manifest = publishedManifest(source as object);

describe('the published manifest', () => {
  it('has the name, version, license and files of the checkout', () => {
    const { name, version, license, files } = source as Readonly<Record<string, unknown>>;
    expect(manifest).toMatchObject({ name, version, license, files });
  });

  it('names no package that an installation would fetch', () => {
    expect(Object.keys(manifest).filter((key) => /dependencies|workspaces/i.test(key))).toEqual([]);
  });

  it('runs the bundle, which is among its files', () => {
    expect(manifest).toMatchObject({
      bin: { drover: packedCli },
      files: [expect.stringMatching(/^dist\/cli$/)],
    });
    expect(packedCli).toMatch(/^dist\/cli\//);
  });

  it('asks for Node 20', () => {
    expect(manifest).toMatchObject({ engines: { node: '>=20.12' } });
  });
});
