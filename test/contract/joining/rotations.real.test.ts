import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SSMClient } from '@aws-sdk/client-ssm';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import {
  kubeletClient,
  requests,
} from '@drover/cloud-sandbox/test/contract/kubernetes/access/certificate-requests.ts';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addGroup } from '../../../local/cloud/furnish.ts';
import { clusterName, joiningHookName } from '../../../local/names.ts';
import { quickTimings } from '../../../local/real-world/timings.ts';
import { createRealWorld, type RealWorld } from '../../../local/real-world/world.ts';
import { createParameterStore } from '../../../shared/aws/parameters.ts';
import { type RotationContext, type RotationSettings, rotate } from '../../../shared/credentials/rotate.ts';
import { createTokenCluster } from '../../../shared/kubernetes/bootstrap-tokens.ts';

/** In waves, and until tokens are retired; `REAL_JOINS=100` for a whole stream. */
const joins = Number(process.env.REAL_JOINS ?? 12);
const wave = 4;

/** Much shorter than a deployment may have it: tokens are retired while others join. */
const timing = { rotationSeconds: 20, overlapSeconds: 16 };

const problems: unknown[] = [];
const opened: { world?: RealWorld } = {};
const isMissing = kubernetes.missing !== undefined;

beforeAll(async () => {
  if (isMissing) return;
  opened.world = await createRealWorld({
    nodes: 'kubelet',
    approver: 'drover',
    withScheduler: false,
    signingDuration: '2m',
    timings: quickTimings,
    onProblem: (problem) => problems.push(problem),
  });
  addHeldGroup('kept', 1);
});

afterAll(async () => {
  await opened.world?.close();
  expect(problems).toEqual([]);
});

function worldNow(): RealWorld {
  if (opened.world === undefined) throw new Error('the world has not started');
  return opened.world;
}

function addHeldGroup(autoScalingGroupName: string, size: number): void {
  addGroup(worldNow().cloud, {
    autoScalingGroupName,
    clusterName,
    size,
    settings: {
      MaxSize: wave,
      LifecycleHookSpecificationList: [
        {
          LifecycleHookName: joiningHookName,
          LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
          HeartbeatTimeout: 300,
          DefaultResult: 'ABANDON',
        },
      ],
    },
  });
}

const membersOf = (name: string) =>
  worldNow().cloud.account.autoScaling.operations.DescribeAutoScalingGroups({
    AutoScalingGroupNames: [name],
  }).AutoScalingGroups[0]?.Instances ?? [];

const inService = (name: string): readonly string[] =>
  membersOf(name)
    .filter(({ LifecycleState }) => LifecycleState === 'InService')
    .map(({ InstanceId = '' }) => InstanceId);

const resize = (name: string, size: number): void =>
  void worldNow().cloud.account.autoScaling.operations.SetDesiredCapacity({
    AutoScalingGroupName: name,
    DesiredCapacity: size,
  });

async function listRequests(): Promise<readonly CertificateSigningRequest[]> {
  const { sendHttp, server, token } = worldNow().admin;
  const { body } = await sendHttp({
    method: 'GET',
    url: `${server}${requests}`,
    headers: { authorization: `Bearer ${token}` },
    timeoutMilliseconds: 10_000,
  });
  return (JSON.parse(body) as { readonly items: readonly CertificateSigningRequest[] }).items;
}

/** Rotates as the function does, with its role and Drover's own credential. */
function rotation(): { readonly context: RotationContext; readonly settings: RotationSettings } {
  const { cloud, aws, admin, controlPlane, clock } = worldNow();
  const { account, lambda } = cloud;
  const { roleArn, environment } = lambda.functionOf('bootstrap-credential');
  const session = { roleArn, sessionName: 'rotations', durationSeconds: 3600 };
  const { accessKeyId, secretAccessKey, sessionToken = '' } = account.iam.issueCredentials(session);
  const credentials = { accessKeyId, secretAccessKey, sessionToken };
  const certificateAuthority = controlPlane.files.authority.certificate;
  const connection = {
    server: controlPlane.url,
    tls: { certificateAuthority },
    bearerToken: controlPlane.droverToken,
  };
  return {
    context: {
      parameters: createParameterStore(
        new SSMClient({ endpoint: aws.url, region: account.region, credentials }),
      ),
      tokens: createTokenCluster({
        connections: { connect: async () => connection, invalidate: () => {} },
        sendHttp: admin.sendHttp,
      }),
      clock,
      randomBytes,
      recordAge: () => {},
    },
    settings: {
      owner: { clusterName, role: 'worker' },
      parameterName: environment.DROVER_BOOTSTRAP_PARAMETER ?? '',
      groups: (environment.DROVER_BOOTSTRAP_GROUPS ?? '').split(','),
      timing,
      address: {
        server: controlPlane.url,
        certificateAuthorityData: Buffer.from(certificateAuthority).toString('base64'),
      },
    },
  };
}

describe.skipIf(isMissing)('real kubelets in a stream of rotations', () => {
  test(
    'join, and none is locked out while tokens are replaced and retired',
    async () => {
      const { context, settings } = rotation();
      const stream = { isOver: false, made: 0, retired: 0 };
      const rotating = (async () => {
        while (!stream.isOver) {
          const report = await rotate(context, settings);
          stream.made += report.plan.action === 'make' ? 1 : 0;
          stream.retired += report.retiredIds.length;
          await sleep(2_000);
        }
      })();
      const joined = new Set<string>();
      addHeldGroup('workers', 0);
      while (joined.size < joins || stream.retired === 0) {
        resize('workers', wave);
        await expect.poll(() => inService('workers').length, { timeout: 90_000 }).toBe(wave);
        for (const instanceId of inService('workers')) joined.add(instanceId);
        resize('workers', 0);
        await expect.poll(() => membersOf('workers').length).toBe(0);
      }
      stream.isOver = true;
      await rotating;
      expect(joined.size).toBeGreaterThanOrEqual(joins);
      expect(stream.made).toBeGreaterThanOrEqual(2);
      console.log(`${joined.size} joined; ${stream.made} tokens were made, ${stream.retired} retired`);
    },
    120_000 + joins * 15_000,
  );

  test('renew their client certificates, which Drover approves', async () => {
    // It was launched before the first token was published, and asks again at random moments.
    await expect.poll(() => inService('kept'), { timeout: 120_000 }).toHaveLength(1);
    const [kept = ''] = inService('kept');
    const { PrivateDnsName: name } =
      worldNow().cloud.account.ec2.operations.DescribeInstances({ InstanceIds: [kept] }).Reservations?.[0]
        ?.Instances?.[0] ?? {};
    const renewed = async () =>
      (await listRequests()).filter(
        ({ spec, status }) =>
          spec.signerName === kubeletClient.signerName &&
          spec.username === `system:node:${name}` &&
          status?.certificate !== undefined,
      ).length;
    await expect.poll(renewed, { timeout: 240_000, interval: 2_000 }).toBeGreaterThanOrEqual(1);
  }, 400_000);
});
