import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { adminOf, type ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { type ControlPlane, startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import {
  type RealKubelet,
  startRealKubelet,
} from '@drover/cloud-sandbox/real/kubernetes/nodes/real-kubelet.ts';
import { requestOf } from '@drover/cloud-sandbox/real/kubernetes/objects.ts';
import { clients, kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import { openSandbox, type WireSandbox } from '@drover/cloud-sandbox/wire';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createCliWorld } from '../../cli/support.ts';
import { serveIssuer } from '../../support/issuer-server.ts';
import { decideFor, grantBootstrap, nameOf } from './approver.ts';

const claim = (behaviour: string) =>
  [
    behaviour,
    { meta: { claim: { area: 'Web identity tokens', behaviour, world: `kubelet ${kubernetes.version}` } } },
  ] as const;

const isMissing = kubernetes.missing !== undefined || !chosenEtcd.isInstalled;
// Short: the sockets of kubelets are below it.
const directory = mkdtempSync(join(tmpdir(), 'wi-'));
const root = join(import.meta.dirname, '../../..');
const [own, other] = ['i-0aaaaaaaaaaaaaaa1', 'i-0bbbbbbbbbbbbbbb2'];

let sandbox: WireSandbox;
let issuer: Awaited<ReturnType<typeof serveIssuer>>;
let controlPlane: ControlPlane;
let admin: ClusterAdmin;
let approver: string;
const kubelets: RealKubelet[] = [];

/** The role of workers, as docs/identity.md has it. */
const putWorkerRole = () =>
  sandbox.cloud.account.iam.putRole({
    roleName: 'worker',
    policies: [
      {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: 'sts:GetWebIdentityToken',
            Resource: '*',
            Condition: {
              'ForAllValues:StringEquals': { 'sts:IdentityTokenAudience': 'drover:prod' },
              NumericLessThanEquals: { 'sts:DurationSeconds': 900 },
            },
          },
        ],
      },
    ],
    trustPolicy: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'ec2.amazonaws.com' } }],
    },
  });

/** What the metadata service of the instance would give its processes. */
function environmentOf(instanceId: string): Readonly<Record<string, string>> {
  const {
    accessKeyId,
    secretAccessKey,
    sessionToken = '',
  } = sandbox.cloud.account.iam.issueCredentials({
    roleArn: putWorkerRole().arn,
    sessionName: instanceId,
    durationSeconds: 21_600,
    instance: { arn: `arn:aws:ec2:eu-west-1:123456789012:instance/${instanceId}` },
  });
  return {
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL_STS: sandbox.doors.aws.url,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
    HOME: directory,
  };
}

interface Plugin {
  readonly command: string;
  readonly args: readonly string[];
}

const drover: Plugin = {
  command: process.execPath,
  args: [join(root, 'cli/drover.ts'), ...'token get --web-identity --no-cache --cluster prod'.split(' ')],
};
const awsCli: Plugin = { command: join(root, 'examples/drover-web-identity'), args: ['prod'] };

/** The kubeconfig of docs/bootstrap-credentials.md: no secret is in it. */
function bootstrapKubeconfig(
  { command, args }: Plugin,
  environment: Readonly<Record<string, string>>,
): string {
  const env = Object.entries(environment).map(([name, value]) => ({ name, value }));
  const exec = {
    apiVersion: 'client.authentication.k8s.io/v1',
    interactiveMode: 'Never',
    command,
    args,
    env,
  };
  const cluster = {
    server: controlPlane.url,
    'certificate-authority': controlPlane.files.certificateAuthority,
  };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'prod', cluster }],
    users: [{ name: 'instance', user: { exec } }],
    contexts: [{ name: 'bootstrap', context: { cluster: 'prod', user: 'instance' } }],
    'current-context': 'bootstrap',
  });
}

async function startKubelet(
  instanceId: string,
  nodeName: string,
  plugin: Plugin,
  more: object = {},
): Promise<void> {
  kubelets.push(
    await startRealKubelet({
      node: { nodeName, providerID: `aws:///eu-west-1a/${instanceId}` },
      directory: join(directory, String(kubelets.length)),
      hasCloudProvider: false,
      bootstrapKubeconfig: bootstrapKubeconfig(plugin, { ...environmentOf(instanceId), ...more }),
      clientCertificateAuthority: controlPlane.files.certificateAuthority,
    }),
  );
}

const list = async <Item>(path: string): Promise<readonly Item[]> =>
  (JSON.parse((await requestOf(admin, { method: 'GET', path })).body) as { items: readonly Item[] }).items;

const requestsOf = async (username: string) =>
  (await list<CertificateSigningRequest>('/apis/certificates.k8s.io/v1/certificatesigningrequests')).filter(
    ({ spec }) => spec.username === username,
  );

async function isReady(nodeName: string): Promise<boolean> {
  const nodes = await list<{
    metadata: { name: string };
    status: { conditions?: { type: string; status: string }[] };
  }>('/api/v1/nodes');
  return nodes.some(
    ({ metadata, status }) =>
      metadata.name === nodeName &&
      status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True'),
  );
}

const decide = () => decideFor({ controlPlane, admin, approver }, [own, other]);

describe.skipIf(isMissing)('real kubelets with the web identity tokens of their instances', () => {
  beforeAll(async () => {
    const faults: unknown[] = [];
    sandbox = await openSandbox({ onFault: (fault) => faults.push(fault) });
    const { tokenIssuer } = sandbox.cloud.account.iam;
    tokenIssuer.enable();
    issuer = await serveIssuer(tokenIssuer);
    const { run } = createCliWorld({ context: { readFile: async () => issuer.certificateAuthority } });
    const { out } = await run(
      ...`auth-config --cluster prod --issuer ${tokenIssuer.url()} --discovery-url ${issuer.discoveryUrl} --certificate-authority ca.crt
        --node-role worker=${putWorkerRole().arn}`.split(/\s+/),
    );
    const file = join(directory, 'authentication.yaml');
    writeFileSync(file, out);
    controlPlane = await startControlPlane({
      directory: join(directory, 'cluster'),
      withScheduler: false,
      controllers: ['csrsigning'],
      apiServerFlags: [`--authentication-config=${file}`],
    });
    admin = adminOf(controlPlane);
    approver = await grantBootstrap(admin);
  });

  afterAll(async () => {
    for (const kubelet of kubelets) kubelet.stop();
    await Promise.all(kubelets.map(({ ended }) => ended));
    await controlPlane?.stop();
    issuer?.close();
    await sandbox?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  test(
    ...claim('a kubelet joins with only its instance’s IAM role: drover token get is its credential plugin'),
    async () => {
      await startKubelet(own, nameOf(own), drover);
      await expect
        .poll(async () => (await requestsOf(`drover:instance:${own}`)).length, { timeout: 60_000 })
        .toBe(1);
      expect(await isReady(nameOf(own))).toBe(false);
      await decide();
      await expect.poll(() => isReady(nameOf(own)), { timeout: 60_000, interval: 500 }).toBe(true);
      const [request] = await requestsOf(`drover:instance:${own}`);
      expect(request?.spec).toMatchObject({
        groups: ['system:bootstrappers:drover:worker', 'system:authenticated'],
        extra: { 'drover.dev/instance-id': [own] },
      });
      expect(request?.status?.conditions).toMatchObject([{ type: 'Approved', reason: 'DroverApproved' }]);
    },
  );

  test(
    ...claim('a kubelet that asks for the name of another instance’s node is denied, and does not join'),
    async () => {
      await startKubelet(other, 'ip-10-0-0-1.eu-west-1.compute.internal', drover);
      await expect
        .poll(async () => (await requestsOf(`drover:instance:${other}`)).length, { timeout: 60_000 })
        .toBe(1);
      await decide();
      const [request] = await requestsOf(`drover:instance:${other}`);
      expect(request?.status?.conditions).toMatchObject([
        { type: 'Denied', message: expect.stringContaining(`credential is that of instance ${other}`) },
      ]);
      kubelets.at(-1)?.stop();
      await kubelets.at(-1)?.ended;
    },
  );

  test.skipIf(clients.missing !== undefined)(
    ...claim(
      'a kubelet joins if its machine has only the AWS CLI: examples/drover-web-identity is its credential plugin',
    ),
    async () => {
      const path = `${join(program(clients, 'aws'), '..')}:${process.env['PATH']}`;
      await startKubelet(other, nameOf(other), awsCli, { PATH: path });
      await expect
        .poll(
          async () => {
            await decide();
            return await isReady(nameOf(other));
          },
          { timeout: 90_000, interval: 1000 },
        )
        .toBe(true);
    },
  );
});
