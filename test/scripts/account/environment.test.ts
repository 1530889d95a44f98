import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { expirationIn, profileProblemIn, redirectIn } from '../../../scripts/account/environment.ts';

let folder: string;

/** The AWS CLI has a profile for an emulator, and one for AWS. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'account-'));
  const config = join(folder, 'config');
  writeFileSync(
    config,
    '[profile emulator]\nendpoint_url = http://localhost:4566\n[profile sandbox]\nregion = eu-west-1\n',
  );
  vi.stubEnv('AWS_CONFIG_FILE', config);
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(folder, 'credentials'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('an endpoint in the environment or in a profile is named', async () => {
  expect(await redirectIn({ AWS_ENDPOINT_URL_SQS: 'http://localhost:4566' }, undefined)).toMatch(
    /^AWS_ENDPOINT_URL_SQS would lead/,
  );
  expect(await redirectIn({}, 'emulator')).toMatch(/of profile emulator would lead/);
  expect(await redirectIn({ AWS_PROFILE: 'emulator' }, 'sandbox')).toMatch(/of profile emulator would lead/);
  expect(await redirectIn({ AWS_PROFILE: 'sandbox', AWS_ENDPOINT_URL: '' }, undefined)).toBeUndefined();
});

test('a mistyped profile is named, of the flag and of the environment', async () => {
  expect(await profileProblemIn({ AWS_PROFILE: 'sanbdox' }, undefined)).toMatch(
    /^profile sanbdox is in neither file/,
  );
  expect(await profileProblemIn({ AWS_PROFILE: 'sandbox' }, 'sanbdox')).toMatch(
    /^profile sanbdox is in neither file/,
  );
  expect(await profileProblemIn({ AWS_PROFILE: 'sanbdox' }, 'sandbox')).toBeUndefined();
  expect(await profileProblemIn({ AWS_PROFILE: '' }, undefined)).toBeUndefined();
});

test('only keys of a session expire that nothing renews', () => {
  const keys = {
    AWS_ACCESS_KEY_ID: 'ASIAFIRST',
    AWS_SESSION_TOKEN: 'token',
    AWS_CREDENTIAL_EXPIRATION: '2030-01-01T00:00:00Z',
  };
  expect(expirationIn(keys, undefined)).toEqual(new Date('2030-01-01T00:00:00Z'));
  expect(expirationIn(keys, 'sandbox')).toBeUndefined();
  expect(expirationIn({ ...keys, AWS_PROFILE: 'sandbox' }, undefined)).toBeUndefined();
  expect(expirationIn({ ...keys, AWS_SESSION_TOKEN: undefined }, undefined)).toBeUndefined();
  expect(expirationIn({ ...keys, AWS_CREDENTIAL_EXPIRATION: undefined }, undefined)).toBeUndefined();
});
