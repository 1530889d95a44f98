import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';

interface Options {
  readonly region?: string;
  readonly 'aws-profile'?: string;
}
const regionOf = createRequire(import.meta.url)('../../deploy/region.cjs') as (asked: {
  readonly options: Options;
}) => Promise<string | null>;

const folder = mkdtempSync(join(tmpdir(), 'drover-region-'));
writeFileSync(join(folder, 'config'), '[profile a]\nregion = eu-south-1\n[profile b]\nregion = eu-south-2\n');
afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(() => {
  for (const name of ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'));
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test('the region is that of --region, AWS_REGION, AWS_DEFAULT_REGION and the profile, in this order', async () => {
  vi.stubEnv('AWS_PROFILE', 'a');
  expect(await regionOf({ options: {} })).toBe('eu-south-1');
  expect(await regionOf({ options: { 'aws-profile': 'b' } })).toBe('eu-south-2');
  vi.stubEnv('AWS_DEFAULT_REGION', 'eu-west-2');
  expect(await regionOf({ options: {} })).toBe('eu-west-2');
  vi.stubEnv('AWS_REGION', 'eu-west-3');
  expect(await regionOf({ options: {} })).toBe('eu-west-3');
  expect(await regionOf({ options: { region: 'eu-north-1' } })).toBe('eu-north-1');
});

test('without any of these there is none, whatever the region of the instance', async () => {
  expect(await regionOf({ options: {} })).toBeNull();
});
