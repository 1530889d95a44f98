import { describe, expect, it } from 'vitest';
import { runCli } from '../../cli/program.ts';
import { kubeconfigFor } from './support.ts';

/** As `sendHttp` rejects after its time: Node's own errors are the causes. */
const tooLate = Object.assign(new Error('no answer within 35000 ms'), {
  name: 'TimeoutError',
  cause: Object.assign(new Error('The operation was aborted'), {
    code: 'ABORT_ERR',
    cause: new Error('The operation was aborted due to timeout'),
  }),
});

const refused: Error = Object.assign(new Error('no connection to 127.0.0.1:1 (ECONNREFUSED)'), {
  code: 'ECONNREFUSED',
  cause: Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' }),
});

/** A machine on which nothing listens: neither AWS, nor the cluster, nor the scale API. */
async function drover(line: string, environment: Readonly<Record<string, string>> = {}, failure = refused) {
  const words = { out: '', err: '' };
  const code = await runCli(line.split(' '), {
    environment: {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      DROVER_CLUSTER: 'prod',
      DROVER_API_URL: 'http://127.0.0.1:1',
      DROVER_ETCD_DOMAIN: 'etcd.internal',
      DROVER_ETCD_ZONE_ID: 'Z0123456789',
      ...environment,
    },
    homeDirectory: '/home/ana',
    clock: { now: () => Date.now(), after: () => ({ cancel: () => undefined }) },
    pause: () => Promise.resolve(),
    stdout: { write: (text) => void (words.out += text), isTerminal: false },
    stderr: { write: (text) => void (words.err += text), isTerminal: false },
    readFile: () => Promise.resolve(kubeconfigFor('secret')),
    runProgram: () => Promise.reject(new Error('no program here')),
    sendHttp: () => Promise.reject(failure),
    awsRequestHandler: { handle: () => Promise.reject(failure) },
  });
  return { code, ...words };
}

const remedy = '(check AWS_ENDPOINT_URL, and that something listens there)';

describe('if nothing answers', () => {
  it.each([
    ['hooks', 'Auto Scaling does not answer DescribeAutoScalingGroups'],
    ['pause workers', 'Auto Scaling does not answer DescribeAutoScalingGroups'],
    ['schedule list', 'Scheduler does not answer GET /schedules'],
    ['hold list', 'SSM does not answer GetParametersByPath'],
    ['rotate --dry-run', 'SSM does not answer GetParameter'],
    ['token list', 'SSM does not answer GetParameter'],
    ['redrive --dry-run', 'EventBridge does not answer ListRules'],
    ['events --stage dev', 'CloudWatch Logs does not answer FilterLogEvents'],
    ['csr list', 'STS does not answer GetCallerIdentity'],
    ['etcd status', 'Auto Scaling does not answer DescribeAutoScalingGroups'],
    ['etcd snapshots --bucket backups', 'S3 does not answer GET /backups/'],
  ])('drover %s names service, operation, host and remedy', async (line, asked) => {
    const { code, err } = await drover(line);
    expect(code).toBe(1);
    expect(err).toMatch(/^drover: .*\n$/);
    expect(err).toContain(`${asked} at 127.0.0.1:1 ${remedy}: no connection to 127.0.0.1:1 (ECONNREFUSED)\n`);
  });

  it('drover status names both services', async () => {
    const { code, out } = await drover('status');
    expect(code).toBe(5);
    expect(out).toContain(
      `cannot read Auto Scaling: Auto Scaling does not answer DescribeAutoScalingGroups at 127.0.0.1:1 ${remedy}`,
    );
    expect(out).toMatch(
      /cannot read the cluster: GET \/api\/v1\/nodes: no answer from api\.test:6443 \(check/,
    );
  });

  it.each(['groups', 'nodes', 'scale workers 3', 'hold list --api', 'schedule list --api'])(
    'drover %s names the request to the scale API and the flag',
    async (line) => {
      const { code, err } = await drover(line);
      expect(code).toBe(1);
      expect(err).toMatch(
        /^drover: the scale API at 127\.0\.0\.1:1 does not answer (?:GET|PUT) \/\S+ \(check --endpoint or DROVER_API_URL\): no connection to 127\.0\.0\.1:1 \(ECONNREFUSED\)\n$/,
      );
    },
  );

  it.each([
    ['groups', 'GET /groups', ''],
    [
      'scale workers 3',
      'PUT /groups/workers/capacity',
      '; a change may have been made, and the same command may be given again',
    ],
  ])('drover %s says after a silence whether a change may have been made', async (line, request, change) => {
    const { code, err } = await drover(line, {}, tooLate);
    expect(code).toBe(1);
    expect(err).toBe(
      `drover: the scale API at 127.0.0.1:1 does not answer ${request} (check --endpoint or DROVER_API_URL${change}): no answer within 35000 ms\n`,
    );
  });

  it('drover drain names the API server', async () => {
    const { code, err } = await drover('drain node-1');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^drover: GET \/api\/v1\/nodes\/node-1: no answer from api\.test:6443 \(check .*ECONNREFUSED\)\n$/,
    );
  });

  it.each([
    ['hooks', 'AWS_REGION', '--region'],
    ['status', 'DROVER_CLUSTER', undefined],
    ['etcd status', 'DROVER_ETCD_DOMAIN', '--domain'],
    ['etcd status', 'DROVER_ETCD_ZONE_ID', '--zone'],
    ['scale workers 2', 'DROVER_API_URL', '--endpoint'],
    ['hold list', 'DROVER_CLUSTER', '--cluster'],
  ])('drover %s without %s is a wrong command line, and names %s', async (line, variable, flag) => {
    const { code, err } = await drover(line, { [variable]: '' });
    // `drover status` shows what it can read without the setting.
    expect(code).toBe(flag === undefined ? 5 : 2);
    if (flag !== undefined) expect(err).toContain(flag);
  });
});
