import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cloud } from '@drover/cloud-sandbox';
import type { EtcdVersion } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import {
  openRealEtcdMachines,
  type RealEtcdMachines,
} from '@drover/cloud-sandbox/real/etcd/etcd-machines.ts';
import type { RealMembers } from '@drover/cloud-sandbox/real/etcd/real-members.ts';
import { createRandom, createRealClock } from '@drover/cloud-sandbox/simulation';
import { createDroverCloud } from '../../../local/cloud/drover-cloud.ts';
import { publishKubeconfig } from '../../../local/cloud/furnish.ts';
import { readDeployment } from '../../../local/deployment/read-deployment.ts';
import { withEtcd } from '../../../local/deployment/with-etcd.ts';
import { domain, zoneId } from '../../../local/world/etcd/etcd-world.ts';
import { grantRights, rbacManifests } from '../../../local/world/rbac.ts';
import { encodeEtcdClientCredentials } from '../../../shared/etcd/client-credentials.ts';

/** The simulated account and Drover deployed into it, on the machine's time, with etcd itself on the instances. */
export interface RealDroverWorld extends Cloud {
  readonly members: RealMembers;
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  readonly problems: readonly unknown[];
  /** The loopback address that stands for a private one. */
  readonly addressOf: (privateIpAddress: string) => string;
  /** The credentials of Drover, for a client of the test's own. */
  readonly credentials: RealEtcdMachines['credentials'];
  until(
    condition: () => boolean,
    options: { readonly withinSeconds: number; readonly what: string },
  ): Promise<void>;
  close(): Promise<void>;
}

const clusterName = 'drover';
/** Simulated time passes so much faster: waits of Drover and EC2 shorten, etcd's own do not. */
const speed = 4;

const packaged = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../.serverless/${file}`, import.meta.url), 'utf8'));

/** Needs root, for a name server on port 53 and a resolv.conf of the members' own. */
export async function createRealDroverWorld(etcd: EtcdVersion): Promise<RealDroverWorld> {
  const problems: unknown[] = [];
  const lines: Readonly<Record<string, unknown>>[] = [];
  const note = (problem: unknown): void => void problems.push(problem);
  const real = await openRealEtcdMachines({
    etcd,
    onProblem: note,
    zones: () => cloud.account.route53.controls.served(),
  });
  const { machines, members, addressOf, credentials } = real;
  const clock = createRealClock({ speed });
  const wiring = withEtcd(
    readDeployment({
      template: packaged('cloudformation-template-update-stack.json'),
      state: packaged('serverless-state.json'),
      accountId: '123456789012',
      region: 'eu-west-1',
    }),
    { domain, zoneId },
  );
  const cloud = createDroverCloud({
    clock,
    random: createRandom(1),
    accountId: '123456789012',
    region: 'eu-west-1',
    clusterName,
    wiring,
    timings: { route53: { inSyncSeconds: 2 } },
    etcd: { bootSeconds: 2, machines },
    onLine: (functionName, line) => void lines.push({ functionName, ...(JSON.parse(line) as object) }),
    onProblem: note,
  });
  furnish(cloud, credentials);
  cloud.lambda.start();
  clock.start();
  return {
    ...cloud,
    members,
    lines,
    problems,
    addressOf,
    credentials,
    until: async (condition, { withinSeconds, what }) => {
      const end = Date.now() + withinSeconds * 1000;
      while (!condition()) {
        if (Date.now() > end) throw new Error(`${what} did not happen within ${withinSeconds} s`);
        await sleep(50);
      }
    },
    close: async () => {
      clock.stop();
      await real.close();
    },
  };
}

function furnish(cloud: Cloud, credentials: RealDroverWorld['credentials']): void {
  const { account } = cloud;
  grantRights(cloud, rbacManifests());
  publishKubeconfig(cloud, {
    parameterName: cloud.lambda.functionOf('node-leaving').environment['DROVER_KUBECONFIG_PARAMETER'] ?? '',
    server: 'https://kubernetes.sandbox',
    certificateAuthority: credentials.certificateAuthority,
    token: cloud.kubernetes.addToken({ username: 'drover', groups: ['drover', 'system:authenticated'] }),
  });
  account.route53.controls.addZone(zoneId, {
    Name: 'example.internal',
    CallerReference: 'test',
    VPC: { VPCId: 'vpc-0123456789abcdef0', VPCRegion: 'eu-west-1' },
  });
  account.ssm.operations.PutParameter(
    {
      Name: `/drover/${clusterName}/etcd-client`,
      Value: encodeEtcdClientCredentials(credentials),
      Type: 'SecureString',
    },
    { principal: account.operator, requestId: 'test' },
  );
}
