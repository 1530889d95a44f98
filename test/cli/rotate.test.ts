import { describe, expect, it } from 'vitest';
import type { Machine } from '../../cli/context.ts';
import { bootstrapParameter, kubeconfigParameter, server } from '../support/credentials/rotation-sandbox.ts';
import { createCredentialsBench } from './credentials-bench.ts';
import { createKeyboard } from './keyboard.ts';

const createBench = (environment = {}, machine: Partial<Machine> = {}) =>
  createCredentialsBench('rotate', environment, machine);

describe('drover rotate', () => {
  it('names at Ctrl-C each parameter in which it has published nothing', async () => {
    const { onInterrupt, pressCtrlC } = createKeyboard();
    const readFile = async (): Promise<string> => {
      pressCtrlC();
      return await new Promise(() => undefined);
    };
    const roles = { DROVER_BOOTSTRAP_ROLES: 'worker,control-plane' };
    const { run, published } = createBench(roles, { onInterrupt, readFile });
    const { exitCode, stderr } = await run('--cluster', 'drover', '--kubeconfig', '/there');
    expect(exitCode).toBe(130);
    expect(stderr).toContain(`interrupted: nothing was published in ${bootstrapParameter}`);
    expect(stderr).toContain(`interrupted: nothing was published in ${bootstrapParameter}-control-plane`);
    expect(published()).toBeUndefined();
  });

  it('says what to do where AWS does not accept the credentials, in one sentence', async () => {
    const { run } = createBench({ AWS_ACCESS_KEY_ID: 'AKIANOBODY' });
    const { exitCode, stderr } = await run('--cluster', 'drover');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^drover: bootstrap credential, step read: [^.]*\. [^.]* answers: [^.]*: check the AWS credentials: aws sts get-caller-identity\n$/,
    );
  });

  it('does not publish over the credential of another cluster, and says what to check', async () => {
    const { run, published } = createBench();
    await run('--cluster', 'drover');
    const before = published();
    const { exitCode, stderr } = await run('--cluster', 'other', '--parameter', bootstrapParameter);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'it is for another cluster than other. Check the names of the cluster and of the parameter. ',
    );
    expect(published()).toEqual(before);
  });

  it('takes the region from the flag', async () => {
    const { run } = createBench({ AWS_REGION: '' });
    expect(await run('--cluster', 'drover', '--dry-run')).toMatchObject({ exitCode: 2 });
    expect(await run('--cluster', 'drover', '--dry-run', '--region', 'eu-west-1')).toMatchObject({
      exitCode: 0,
    });
  });

  it('prints with --dry-run what it would do and why, and changes nothing', async () => {
    const { run, published, secrets } = createBench();
    expect(await run('--cluster', 'drover', '--dry-run')).toEqual({
      exitCode: 0,
      stdout: `worker: would publish a new credential for ${server} in ${bootstrapParameter}: nothing is published\n`,
      stderr: '',
    });
    expect(published()).toBeUndefined();
    expect(secrets()).toEqual([]);
  });

  it('publishes a new credential before it is due, and keeps the old one for the overlap', async () => {
    const { run, clock, published, secrets } = createBench();
    await run('--cluster', 'drover');
    const first = published();
    clock.advance(60);
    const { stdout } = await run('--cluster', 'drover');
    expect(stdout).toMatch(/^worker: published token \w{6}, good until .* asked for\n$/);
    expect(published()).not.toBe(first);
    expect(secrets()).toHaveLength(2);
  });

  it('acts with --if-due like the schedule, and prints no secret with --json', async () => {
    const { run, clock, secrets } = createBench();
    await run('--cluster', 'drover');
    clock.advance(3600);
    const { stdout } = await run('--cluster', 'drover', '--if-due', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      {
        role: 'worker',
        parameterName: bootstrapParameter,
        dryRun: false,
        action: 'keep',
        retain: [{ reason: 'it is published' }],
      },
    ]);
    const secret = Buffer.from(secrets()[0]?.data?.['token-secret'] ?? '', 'base64').toString();
    expect(stdout).not.toContain(secret);
  });

  it('publishes a credential for each role in a parameter of its own, or for the role that is named', async () => {
    const { run, ssm, secrets } = createBench({ DROVER_BOOTSTRAP_ROLES: 'worker,control-plane' });
    expect((await run('--cluster', 'drover')).stdout).toMatch(
      /^worker: published .*\ncontrol-plane: published /,
    );
    const labels = () =>
      secrets()
        .map(({ metadata }) => String(metadata.labels?.['drover.dev/bootstrap']))
        .toSorted();
    expect(labels()).toEqual(['control-plane', 'worker']);
    const ofControlPlane = () => ssm.controls.value(`${bootstrapParameter}-control-plane`);
    expect(ofControlPlane()).toContain('drover-bootstrap-control-plane');
    const before = ofControlPlane();
    await run('--cluster', 'drover', '--role', 'worker');
    expect(labels()).toEqual(['control-plane', 'worker', 'worker']);
    expect(ofControlPlane()).toBe(before);
  });

  it('says what it published for one role when the rotation for another fails', async () => {
    const { run, ssm, put } = createBench({ DROVER_BOOTSTRAP_ROLES: 'worker,control-plane' });
    put(`${bootstrapParameter}-control-plane`, 'something else');
    const { exitCode, stdout, stderr } = await run('--cluster', 'drover');
    expect([exitCode, stdout]).toEqual([1, expect.stringMatching(/^worker: published token/)]);
    expect(stderr).toContain('holds something that Drover did not publish');
    expect(ssm.controls.value(`${bootstrapParameter}-control-plane`)).toBe('something else');
  });

  it('uses the address of its kubeconfig, and does not publish the address of a tunnel to nodes', async () => {
    const { run, published } = createBench();
    await run('--cluster', 'drover');
    const before = published();
    const dry = await run('--cluster', 'drover', '--kubeconfig', 'tunnel', '--dry-run');
    expect(dry.stdout).toContain('https://127.0.0.1:6443');
    const { exitCode, stderr } = await run('--cluster', 'drover', '--kubeconfig', 'tunnel');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('because of --kubeconfig')]);
    expect(published()).toBe(before);
  });

  it('reaches the cluster by the kubeconfig of bootstrap-credential, if it has one of its own', async () => {
    const { run, published } = createBench({
      DROVER_KUBECONFIG_PARAMETER: '/drover/drover/none',
      DROVER_CREDENTIALS_KUBECONFIG_PARAMETER: kubeconfigParameter,
    });
    expect(await run('--cluster', 'drover')).toMatchObject({ exitCode: 0 });
    expect(published()).toBeDefined();
  });

  it('asks for the cluster name if it is missing', async () => {
    const { run } = createBench();
    expect(await run('--dry-run')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/DROVER_CLUSTER is not set.*: give --cluster\n$/),
    });
  });

  it('fails if the rotation fails, and says what to check', async () => {
    const { run, kubernetes } = createBench();
    kubernetes.setBeforeRequest(() => ({ status: 403, headers: {}, body: '{"message":"no"}' }));
    const { exitCode, stderr } = await run('--cluster', 'drover');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('step make')]);
  });
});
