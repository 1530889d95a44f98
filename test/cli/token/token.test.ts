import { describe, expect, it } from 'vitest';
import type { Machine } from '../../../cli/context.ts';
import { bootstrapParameter } from '../../support/credentials/rotation-sandbox.ts';
import { createCredentialsBench } from '../credentials-bench.ts';
import { createKeyboard } from '../keyboard.ts';

interface Listed {
  readonly id: string;
  readonly role: string;
  readonly published: boolean;
}

/** A cluster with two tokens of workers, of which the younger is published. */
async function createBench(
  environment: Readonly<Record<string, string>> = {},
  machine: Partial<Machine> = {},
) {
  const { run: drover, ...bench } = createCredentialsBench(
    '',
    { DROVER_CLUSTER: 'drover', ...environment },
    machine,
  );
  const run = (line: string) => drover(...line.split(' '));
  await run('rotate');
  bench.clock.advance(60);
  await run('rotate');
  const list = async (): Promise<readonly Listed[]> => JSON.parse((await run('token list --json')).stdout);
  const secretOf = (id: string) =>
    bench.secrets().find(({ metadata }) => metadata.name === `bootstrap-token-${id}`);
  const [old, published] = [
    (await list()).find((one) => !one.published)?.id ?? '',
    (await list()).find((one) => one.published)?.id ?? '',
  ];
  return { ...bench, run, list, secretOf, old, published };
}

describe('drover token list', () => {
  it('names the tokens with their age and end, which is published, and why the others are kept', async () => {
    const { run, old, published, clock } = await createBench();
    clock.advance(60);
    const { stdout } = await run('token list');
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((row) => row.split(/ {2,}/));
    expect(rows[0]).toEqual(['TOKEN', 'ROLE', 'AGE', 'EXPIRES IN', 'PUBLISHED', 'WHY IT IS KEPT OR RETIRED']);
    expect(new Map(rows.slice(1).map(([id, ...row]) => [id, row]))).toEqual(
      new Map([
        [old, ['worker', '2m', '24h58m', '-', 'a node may still hold it for 3540 s']],
        [published, ['worker', '1m', '24h59m', 'yes', 'it is published']],
      ]),
    );
  });

  it('lists the tokens of each role, or of the role that is named, and no secret', async () => {
    const both = await createBench({ DROVER_BOOTSTRAP_ROLES: 'worker,control-plane' });
    expect((await both.list()).map(({ role }) => role)).toEqual([
      'worker',
      'worker',
      'control-plane',
      'control-plane',
    ]);
    const { stdout } = await both.run('token list --json --role control-plane');
    expect((JSON.parse(stdout) as Listed[]).map(({ role }) => role)).toEqual([
      'control-plane',
      'control-plane',
    ]);
    for (const { data = {} } of both.secrets())
      expect(stdout).not.toContain(Buffer.from(data['token-secret'] ?? '', 'base64').toString());
  });

  it('says so if Drover has made none', async () => {
    const { run } = createCredentialsBench('token list', { DROVER_CLUSTER: 'drover' });
    expect(await run()).toEqual({
      exitCode: 0,
      stdout: `Drover has made no token for ${bootstrapParameter}\n`,
      stderr: '',
    });
  });
});

describe('drover token revoke', () => {
  it('says without --yes what it would do, and does nothing', async () => {
    const { run, list, old } = await createBench();
    expect(await run(`token revoke ${old}`)).toMatchObject({
      exitCode: 0,
      stdout: `would revoke token ${old} of worker nodes: give --yes to do it\n`,
    });
    expect(await list()).toHaveLength(2);
  });

  it('deletes a token that is not published, also from the ledger', async () => {
    const { run, list, old, published, secretOf } = await createBench();
    expect(await run(`token revoke ${old} --yes`)).toMatchObject({
      exitCode: 0,
      stdout: `revoked token ${old}\n`,
    });
    expect(secretOf(old)).toBeUndefined();
    expect((await list()).map(({ id }) => id)).toEqual([published]);
  });

  it('refuses one that is published, and with --rotate publishes another one first', async () => {
    const { run, list, published, secretOf, published: before } = await createBench();
    const refused = await run(`token revoke ${published} --yes`);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Give --rotate') });
    expect(secretOf(published)).toBeDefined();
    const { stdout } = await run(`token revoke ${published} --yes --rotate`);
    expect(stdout).toBe(`published another token in ${bootstrapParameter}, and revoked token ${published}\n`);
    const now = (await list()).find((one) => one.published);
    expect(now?.id).not.toBe(before);
    expect(secretOf(now?.id ?? '')).toBeDefined();
    expect(secretOf(published)).toBeUndefined();
  });

  it('says that another token is published if the revocation after it fails, and what is left to do', async () => {
    const { run, published, secretOf, kubernetes } = await createBench();
    kubernetes.setBeforeRequest(({ method }) =>
      method === 'DELETE' ? { status: 403, headers: {}, body: '{"message":"no"}' } : undefined,
    );
    const { exitCode, stdout, stderr } = await run(`token revoke ${published} --yes --rotate`);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      `drover: another token was published in ${bootstrapParameter}, and token ${published} is not revoked: drover token revoke ${published} --yes: `,
    );
    expect(secretOf(published)).toBeDefined();
    kubernetes.setBeforeRequest(() => undefined);
    expect(await run(`token revoke ${published} --yes`)).toMatchObject({ exitCode: 0 });
  });

  it('ends at Ctrl-C between the publication of another token and the revocation, and says so', async () => {
    const { onInterrupt, pressCtrlC } = createKeyboard();
    const { run, published, secretOf, kubernetes } = await createBench({}, { onInterrupt });
    kubernetes.setBeforeRequest(({ method, path }) => {
      if (method === 'POST' && path.endsWith('/secrets')) pressCtrlC();
      return undefined;
    });
    const { exitCode, stderr } = await run(`token revoke ${published} --yes --rotate`);
    expect(exitCode).toBe(130);
    expect(stderr).toContain(
      `drover: interrupted: another token was published in ${bootstrapParameter}, and token ${published} is not revoked: drover token revoke ${published} --yes\n`,
    );
    expect(secretOf(published)).toBeDefined();
  });

  it('keeps a published one if no other can be published', async () => {
    const { run, published, secretOf, kubernetes } = await createBench();
    kubernetes.setBeforeRequest(({ method, path }) =>
      method === 'POST' && path.endsWith('/secrets')
        ? { status: 403, headers: {}, body: '{"message":"no"}' }
        : undefined,
    );
    const { exitCode, stderr } = await run(`token revoke ${published} --yes --rotate`);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('step make')]);
    expect(secretOf(published)).toBeDefined();
  });

  it('knows no token that Drover did not make, and repeats none that is given with its secret', async () => {
    const { run } = await createBench();
    expect(await run('token revoke abcdef --yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('has no token abcdef'),
    });
    const { stderr } = await run('token revoke abcdef.0123456789abcdef --yes');
    expect(stderr).toContain('has no token of that id');
    expect(stderr).not.toContain('0123456789abcdef');
  });
});
