import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  packedCli,
  publishedManifest,
  restoreManifest,
  swapManifest,
} from '../../../scripts/pack/manifest.ts';

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

  it('cannot be published until the owner names a scope', () => {
    expect(manifest).toMatchObject({ name: 'drover', private: true });
    const scoped = publishedManifest({ ...(source as object), config: { npmScope: '@example' } });
    expect(scoped).toMatchObject({ name: '@example/drover', private: false });
    expect(scoped).not.toHaveProperty('config');
  });

  it.each(['example', '@', '@Example', '@a/b', '@a b'])('is refused for the scope %j', (npmScope) => {
    expect(() => publishedManifest({ ...(source as object), config: { npmScope } })).toThrow(
      'no scope such as',
    );
  });

  it('asks for Node 20', () => {
    expect(manifest).toMatchObject({ engines: { node: '>=20.12' } });
  });
});

function createCheckout() {
  const folder = mkdtempSync(join(tmpdir(), 'drover-pack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'package.json');
  const write = (text: string): void => writeFileSync(path, text);
  const text = '{"name":"drover","dependencies":{"zod":"4"}}';
  write(text);
  const hasKept = (): boolean => existsSync(join(folder, 'dist/package.source.json'));
  return { folder, text, write, read: () => readFileSync(path, 'utf8'), hasKept };
}

describe('the manifest of the checkout', () => {
  it('comes back after a pack, and after one that was interrupted', async () => {
    const { folder, text, read } = createCheckout();
    await swapManifest(folder);
    expect(read()).not.toContain('zod');
    await restoreManifest(folder);
    expect(read()).toBe(text);
  });

  it('that was brought back by hand after an interrupted pack stays, and can be changed and packed', async () => {
    const { folder, text, write, read, hasKept } = createCheckout();
    await swapManifest(folder);
    write(text);
    await restoreManifest(folder);
    expect([read(), hasKept()]).toEqual([text, false]);
  });

  it('that was changed after an interrupted pack is not overwritten', async () => {
    const { folder, write, read } = createCheckout();
    await swapManifest(folder);
    write('{"name":"drover","version":"2"}');
    await expect(restoreManifest(folder)).rejects.toThrow('has changed since a pack was interrupted');
    expect(read()).toBe('{"name":"drover","version":"2"}');
  });

  it('is not lost by a second pack at the same time', async () => {
    const { folder, text, read } = createCheckout();
    await swapManifest(folder);
    await expect(swapManifest(folder)).rejects.toMatchObject({ code: 'EEXIST' });
    await restoreManifest(folder);
    expect(read()).toBe(text);
  });
});
