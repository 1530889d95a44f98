import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { thisMachine } from '../../../cli/context.ts';
import { runCli } from '../../../cli/program.ts';
import { startFakeAws } from './fake-aws.ts';

let home: string;
let aws: Awaited<ReturnType<typeof startFakeAws>>;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'drover-roles-'));
  mkdirSync(join(home, '.aws/sso/cache'), { recursive: true });
  aws = await startFakeAws();
  for (const name of [
    'AWS_PROFILE',
    'AWS_REGION',
    'AWS_DEFAULT_REGION',
    'AWS_ACCESS_KEY_ID',
    'XDG_CACHE_HOME',
  ])
    vi.stubEnv(name, undefined);
  vi.stubEnv('HOME', home);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('AWS_ENDPOINT_URL', aws.url);
});
afterEach(() => {
  aws.stop();
  vi.unstubAllEnvs();
  chmodSync(home, 0o700);
  rmSync(home, { recursive: true });
});

const role = 'arn:aws:iam::123456789012:role/dev';

/** A sign-in changes the same files. The SDK reads them once in a process, but each session that it gets has new keys. */
function signInWith(config: string, credentials = ''): void {
  writeFileSync(join(home, '.aws/config'), config);
  writeFileSync(join(home, '.aws/credentials'), credentials);
}

const keysOf = (id: string): string => `[base]\naws_access_key_id = ${id}\naws_secret_access_key = x\n`;
const roleProfile = (more = ''): string =>
  `[profile dev]\nregion = eu-central-1\nrole_arn = ${role}\nsource_profile = base\n${more}`;

async function get(...flags: readonly string[]) {
  const seen = { out: '', err: '' };
  const machine = thisMachine();
  const code = await runCli(['token', 'get', '--cluster', 'prod', ...flags], {
    ...machine,
    environment: { ...process.env },
    homeDirectory: home,
    stdout: { write: (text) => void (seen.out += text), isTerminal: false },
    stderr: { write: (text) => void (seen.err += text), isTerminal: false },
  });
  const status = code === 0 && !flags.includes('--raw') ? JSON.parse(seen.out).status : undefined;
  return {
    code,
    ...seen,
    token: status?.token as string,
    lastsMs: Date.parse(status?.expirationTimestamp) - Date.now(),
  };
}

const urlOf = (token: string): string => Buffer.from(token.slice(11), 'base64url').toString();
const signerOf = (token: string): string | undefined => /X-Amz-Credential=(\w+)/.exec(urlOf(token))?.[1];
const tokens = (): string => join(home, '.cache/drover/tokens');

describe('the cache of tokens of a role that a profile assumes', () => {
  it('needs one call of STS for many tokens, and reads the region of the profile', async () => {
    signInWith(roleProfile(), keysOf('AKIAFIRST'));
    const first = await get('--profile', 'dev');
    const again = await get('--profile', 'dev');
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(again.token).toBe(first.token);
    expect(urlOf(first.token)).toContain('sts.eu-central-1.amazonaws.com');
    expect(aws.asked).toHaveLength(1);
  });

  it.each([
    ['another sign-in', () => signInWith(roleProfile(), keysOf('AKIASECOND'))],
    ['another role', () => signInWith(roleProfile().replace('role/dev', 'role/ops'), keysOf('AKIAFIRST'))],
    ['another external id', () => signInWith(roleProfile('external_id = 42\n'), keysOf('AKIAFIRST'))],
    ['another session name', () => signInWith(roleProfile('role_session_name = ann\n'), keysOf('AKIAFIRST'))],
  ])('gives no token of the role to %s', async (_, change) => {
    signInWith(roleProfile(), keysOf('AKIAFIRST'));
    const { token } = await get('--profile', 'dev', '--region', 'eu-west-1');
    change();
    const other = await get('--profile', 'dev', '--region', 'eu-west-1');
    expect(signerOf(other.token)).not.toBe(signerOf(token));
  });
});

describe('the cache of tokens of --role-arn', () => {
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAFIRST');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'x');
    vi.stubEnv('AWS_REGION', 'eu-west-1');
  });

  it('needs one call for many tokens', async () => {
    const first = await get('--role-arn', role, '--session-name', 'ann', '--external-id', '42');
    const again = await get('--role-arn', role, '--session-name', 'ann', '--external-id', '42');
    expect(again.token).toBe(first.token);
    expect(aws.asked).toEqual([`AssumeRole ${role} ann 42`]);
  });

  it('has a token for each role, session, external id and source key', async () => {
    const seen = new Set<string | undefined>();
    const take = async (...flags: readonly string[]) => seen.add((await get('--role-arn', ...flags)).token);
    await take(role);
    await take(`${role}s`);
    await take(role, '--session-name', 'ann');
    await take(role, '--external-id', '42');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIASECOND');
    await take(role);
    expect([seen.size, aws.asked.length]).toEqual([5, 5]);
  });

  it('ends with the session of the role', async () => {
    aws.state.aheadMilliseconds = -57 * 60_000;
    const { lastsMs, err } = await get('--role-arn', role);
    expect(lastsMs / 60_000).toBeCloseTo(3, 0);
    expect(err).toContain('the clock of this machine is 57 minutes ahead');
  });

  it.each([
    ['AccessDenied', /^drover: you may not assume arn:aws:iam::123456789012:role\/dev: the role must trust/],
    ['ExpiredToken', /^drover: the AWS credentials have expired: sign in again/],
    ['RegionDisabledException', /^drover: STS is not active in this region: give another --region/],
  ])('says what to do about %s, and caches nothing', async (refusal, message) => {
    aws.state.refusal = refusal;
    expect(await get('--role-arn', role)).toMatchObject({ code: 1, err: expect.stringMatching(message) });
    aws.state.refusal = undefined;
    expect(await get('--role-arn', role)).toMatchObject({ code: 0, err: '' });
  });

  it.each([
    [
      'a session of it',
      ['--role-arn', 'arn:aws:sts::123456789012:assumed-role/dev/ann'],
      '--role-arn is not',
    ],
    ['a user', ['--role-arn', 'arn:aws:iam::123456789012:user/ann'], '--role-arn is not'],
    ['only its name', ['--role-arn', 'dev'], '--role-arn is not'],
    ['a name of a session with a space', ['--role-arn', role, '--session-name', 'a b'], '--session-name has'],
    ['an empty external id', ['--role-arn', role, '--external-id', ''], '--external-id has'],
    ['a name of a session without a role', ['--session-name', 'ann'], '--session-name is for --role-arn'],
    ['an external id without a role', ['--external-id', '42'], '--external-id is for --role-arn'],
  ])('refuses %s', async (_, flags, message) => {
    expect(await get(...flags)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
    expect(aws.asked).toEqual([]);
  });
});

describe('the cache of tokens of other sign-ins', () => {
  const sso = `[profile sso]\nsso_session = corp\nsso_account_id = 123456789012\nsso_role_name = dev\nregion = eu-west-1
[sso-session corp]\nsso_start_url = https://corp.awsapps.com/start\nsso_region = eu-west-1\n`;
  const signInAs = (accessToken: string): void =>
    writeFileSync(
      join(home, '.aws/sso/cache', `${createHash('sha1').update('corp').digest('hex')}.json`),
      JSON.stringify({ accessToken, expiresAt: new Date(Date.now() + 8 * 3_600_000).toISOString() }),
    );

  it('needs one call for many tokens of SSO, and makes a new one after another sign-in', async () => {
    signInWith(sso);
    signInAs('ann');
    const ann = await get('--profile', 'sso');
    expect(ann).toMatchObject({ code: 0, err: '' });
    expect((await get('--profile', 'sso')).token).toBe(ann.token);
    signInAs('bob');
    expect((await get('--profile', 'sso')).token).not.toBe(ann.token);
    expect(aws.asked).toHaveLength(2);
    rmSync(join(home, '.aws/sso'), { recursive: true });
    expect(await get('--profile', 'sso')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the sign-in of profile sso has ended: aws sso login --profile sso'),
    });
  });

  it('makes a new token when the file of a web identity is renewed', async () => {
    signInWith('');
    const file = join(home, 'web-token');
    writeFileSync(file, 'first');
    vi.stubEnv('AWS_REGION', 'eu-west-1');
    vi.stubEnv('AWS_ROLE_ARN', role);
    vi.stubEnv('AWS_WEB_IDENTITY_TOKEN_FILE', file);
    const first = await get();
    expect((await get()).token).toBe(first.token);
    writeFileSync(file, 'second');
    expect((await get()).token).not.toBe(first.token);
    expect(aws.asked.map((one) => one.split(' ')[0])).toEqual(Array(2).fill('AssumeRoleWithWebIdentity'));
  });

  it.each([
    ['a profile that is not there', ['--profile', 'nope'], 'profile nope is in neither file of AWS profiles'],
    [
      'a source that is not there',
      ['--profile', 'lost'],
      'source_profile absent of profile lost is in neither',
    ],
    ['profiles in a circle', ['--profile', 'one'], 'the profiles one, two, one name each other'],
    ['a source of a wrong name', ['--profile', 'odd'], 'profile odd: credential_source is not Environment'],
    [
      'a profile with MFA',
      ['--profile', 'mfa'],
      'eval "$(aws configure export-credentials --profile mfa --format env)"',
    ],
    ['a process that fails', ['--profile', 'proc'], 'run its credential_process, /bin/false'],
    ['a web identity without its file', ['--profile', 'web'], 'check /none/token'],
    ['no profile at all', [], 'no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID'],
  ])('says what to do about %s', async (_, flags, message) => {
    const assumed = `role_arn = ${role}\nsource_profile =`;
    signInWith(
      `[default]\nregion = eu-west-1\n[profile lost]\n${assumed} absent\n[profile one]\n${assumed} two\n[profile two]\n${assumed} one
[profile odd]\nrole_arn = ${role}\ncredential_source = Cloud\n[profile proc]\ncredential_process = /bin/false
[profile mfa]\n${assumed} base\nmfa_serial = arn:aws:iam::123456789012:mfa/ann\n[profile web]\nrole_arn = ${role}\nweb_identity_token_file = /none/token\n`,
      keysOf('AKIAFIRST'),
    );
    const regional = flags.length === 0 ? [] : ['--region', 'eu-west-1'];
    expect(await get(...flags, ...regional)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining(message),
    });
    expect(aws.asked).toEqual([]);
  });
});

describe('a cached token', () => {
  beforeEach(() => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIAFIRST');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'x');
    vi.stubEnv('AWS_REGION', 'eu-west-1');
  });
  const cached = (): string =>
    join(tokens(), readdirSync(tokens()).find((name) => name.endsWith('.key')) ?? '');
  const forged = (text: string): string =>
    JSON.stringify({ ...JSON.parse(text), token: 'k8s-aws-v1.forged' });

  it.each([
    ['broken', () => writeFileSync(cached(), '{"token":'), 'its content is not what drover wrote there'],
    [
      'of another subject',
      () =>
        writeFileSync(
          cached(),
          forged(readFileSync(cached(), 'utf8')).replace(/"subject":"./, '"subject":"x'),
        ),
      'its content is not what drover wrote there',
    ],
    [
      'open to others',
      () => {
        writeFileSync(cached(), forged(readFileSync(cached(), 'utf8')));
        chmodSync(cached(), 0o644);
      },
      'other users have access to it',
    ],
    [
      'a link',
      () => {
        const path = cached();
        writeFileSync(join(home, 'elsewhere'), forged(readFileSync(path, 'utf8')), { mode: 0o600 });
        rmSync(path);
        symlinkSync(join(home, 'elsewhere'), path);
      },
      'it is not a file',
    ],
  ])('that is %s is ignored, said, and replaced', async (_, spoil, reason) => {
    await get();
    const path = cached();
    spoil();
    const { err, token } = await get();
    expect(err).toBe(`warning: the cached token in ${path} is ignored: ${reason}\n`);
    expect(signerOf(token)).toBe('AKIAFIRST');
    expect((await get()).err).toBe('');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is whole, although many processes write it at once, and leaves nothing beside it', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => get()));
    expect(all.map(({ code, err }) => `${code}${err}`)).toEqual(Array(20).fill('0'));
    expect(readdirSync(tokens())).toHaveLength(1);
    expect((await get()).err).toBe('');
  });

  it('lies behind a link to a folder of the same user, but not in a folder of others', async () => {
    mkdirSync(join(home, 'disk'));
    symlinkSync(join(home, 'disk'), join(home, '.cache'));
    const first = await get();
    expect([first.err, (await get()).token]).toEqual(['', first.token]);
    chmodSync(join(home, 'disk/drover/tokens'), 0o777);
    const { code, err } = await get('--region', 'us-east-1');
    expect([code, err]).toEqual([0, expect.stringContaining('other users can write to')]);
    expect(readdirSync(tokens())).toHaveLength(1);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'is not made in the home of another user, as sudo with a kept HOME would',
    async () => {
      chownSync(home, 12345, 12345);
      const { code, err } = await get();
      expect([code, err]).toEqual([0, expect.stringContaining('would be in a folder of another user')]);
      expect(existsSync(join(home, '.cache'))).toBe(false);
    },
  );
});
