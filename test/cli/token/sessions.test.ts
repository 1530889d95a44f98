import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createManualClock } from '@drover/cloud-sandbox/test/aws/support/manual-clock.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCliWorld } from '../support.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'drover-sessions-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

const minutes = 60_000;

function createWorld() {
  const clock = createManualClock();
  /** `drover token get` with the keys of a session that lasts so long; undefined: of a user. */
  const getWith = async (
    key: string,
    { endsIn, flags = [] }: { readonly endsIn?: number; readonly flags?: readonly string[] } = {},
  ) => {
    const { run } = createCliWorld({
      environment: {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: key,
        AWS_SECRET_ACCESS_KEY: `secret-of-${key}`,
        AWS_SESSION_TOKEN: `session-of-${key}`,
        ...(endsIn !== undefined && {
          AWS_CREDENTIAL_EXPIRATION: new Date(clock.now() + endsIn).toISOString(),
        }),
      },
      context: { clock, homeDirectory: home, readFile: (path) => readFile(path, 'utf8') },
    });
    const { code, out, err } = await run('token', 'get', '--cluster', 'prod', ...flags);
    const { status = {} } = code === 0 ? JSON.parse(out) : {};
    return {
      code,
      err,
      token: status.token as string,
      lasts: Date.parse(status.expirationTimestamp) - clock.now(),
    };
  };
  return { clock, getWith };
}

const signerOf = (token: string): string | undefined =>
  /X-Amz-Credential=(\w+)/.exec(Buffer.from(token.slice('k8s-aws-v1.'.length), 'base64url').toString())?.[1];

const kept = (): readonly string[] => readdirSync(join(home, '.cache/drover/tokens'));

describe('drover token get with credentials of a session', () => {
  it.each([
    ['that ends in 3 minutes', 3 * minutes, 3 * minutes],
    ['that ends in an hour', 60 * minutes, 14 * minutes],
    ['that does not say when it ends', undefined, 14 * minutes],
  ])('%s says how long the token is valid', async (_, endsIn, lasts) => {
    expect(await createWorld().getWith('ASIAFIRST', { ...(endsIn && { endsIn }) })).toMatchObject({
      code: 0,
      lasts,
    });
  });

  it('refuses those that have expired, and says what to do', async () => {
    const { clock, getWith } = createWorld();
    await getWith('ASIAFIRST', { endsIn: 5 * minutes });
    clock.advance(5 * 60);
    for (const flags of [[], ['--no-cache']])
      expect(await getWith('ASIAFIRST', { endsIn: 0, flags })).toMatchObject({
        code: 1,
        err: `drover: the AWS credentials expired at ${new Date(clock.now()).toISOString().slice(0, 19)}Z: sign in again\n`,
      });
  });

  it('makes a new token in the last minute of a session, and keeps serving one before', async () => {
    const { clock, getWith } = createWorld();
    const first = await getWith('ASIAFIRST', { endsIn: 3 * minutes });
    clock.advance(119);
    const again = await getWith('ASIAFIRST', { endsIn: 61_000 });
    expect([again.token, again.lasts]).toEqual([first.token, 61_000]);
    clock.advance(1);
    const last = await getWith('ASIAFIRST', { endsIn: 60_000 });
    expect(last.token).not.toBe(first.token);
    expect(last.lasts).toBe(60_000);
  });

  it('says the end that the credentials have now, if a cached token was made before that was known', async () => {
    const { getWith } = createWorld();
    const first = await getWith('ASIAFIRST');
    const again = await getWith('ASIAFIRST', { endsIn: 4 * minutes });
    expect([again.token, again.lasts]).toEqual([first.token, 4 * minutes]);
  });

  it('serves no token of the sign-in before, also where a profile names the keys', async () => {
    const { getWith, clock } = createWorld();
    const first = await getWith('ASIAFIRST', { endsIn: 10 * minutes });
    clock.advance(60);
    const second = await getWith('ASIASECOND', { endsIn: 10 * minutes });
    expect([signerOf(first.token), signerOf(second.token)]).toEqual(['ASIAFIRST', 'ASIASECOND']);

    const signInto = (name: string, key: string) => {
      const file = join(home, name);
      writeFileSync(file, `[dev]\naws_access_key_id = ${key}\naws_secret_access_key = x\n`);
      return file;
    };
    const byProfile = async (file: string) => {
      vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', file);
      vi.stubEnv('AWS_CONFIG_FILE', join(home, 'none'));
      return signerOf((await getWith('ASIAFIRST', { flags: ['--profile', 'dev'] })).token);
    };
    // The SDK reads a file once in a process: another sign-in is another file here.
    expect(await byProfile(signInto('before', 'ASIATHIRD'))).toBe('ASIATHIRD');
    expect(await byProfile(signInto('after', 'ASIAFOURTH'))).toBe('ASIAFOURTH');
  });

  it('removes tokens that have expired, keeps the others, and writes no secret', async () => {
    const { getWith, clock } = createWorld();
    await getWith('ASIAFIRST', { endsIn: 2 * minutes });
    await getWith('ASIASECOND', { endsIn: 10 * minutes });
    writeFileSync(join(home, '.cache/drover/tokens/broken.key'), '{"token":');
    writeFileSync(join(home, '.cache/drover/tokens/note.txt'), '{"token":"x","expiresAt":0}');
    expect(kept()).toHaveLength(4);
    clock.advance(181);
    await getWith('ASIATHIRD', { endsIn: 10 * minutes });
    const now = kept();
    expect(now).toHaveLength(4);
    const content = now.map((name) => readFileSync(join(home, '.cache/drover/tokens', name), 'utf8'));
    const signers = content.map((text) => /"token":"(k8s[^"]+)/.exec(text)?.[1]).filter(Boolean);
    expect(new Set(signers.map((token = '') => signerOf(token)))).toEqual(
      new Set(['ASIASECOND', 'ASIATHIRD']),
    );
    expect([...now, ...content].join(' ')).not.toContain('secret-of');
  });
});

describe('the time at which keys of the environment expire', () => {
  it('is unknown if the text is not a time', async () => {
    vi.stubEnv('AWS_CREDENTIAL_EXPIRATION', undefined);
    const { awsCredentials } = await import('../../../cli/aws-credentials.ts');
    const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_SESSION_TOKEN: 'c' };
    for (const text of ['', 'soon'])
      expect(await awsCredentials({ ...keys, AWS_CREDENTIAL_EXPIRATION: text })()).toEqual({
        accessKeyId: 'a',
        secretAccessKey: 'b',
        sessionToken: 'c',
      });
  });

  it('does not concern keys without a session, so a time that an earlier sign-in left does not block them', async () => {
    const { run } = createCliWorld({
      environment: {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'AKIAOFAUSER000000000',
        AWS_SECRET_ACCESS_KEY: 'b',
        AWS_CREDENTIAL_EXPIRATION: '2020-01-01T00:00:00Z',
      },
      context: { clock: createManualClock(), homeDirectory: home },
    });
    expect(await run('token', 'get', '--cluster', 'prod', '--raw', '--no-cache')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^k8s-aws-v1\./),
    });
  });
});
