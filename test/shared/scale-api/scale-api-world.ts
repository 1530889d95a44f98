import {
  type Authorize,
  type CallDescription,
  createEks,
  createScheduler,
  createSqs,
  createSsm,
  type Fault,
} from '@drover/cloud-sandbox/aws';
import { createRandom } from '@drover/cloud-sandbox/simulation';
import { createCloud, createGroup, groupOf } from '@drover/cloud-sandbox/test/aws/support/cloud.ts';
import { createTestFront, credentials } from '@drover/cloud-sandbox/test/aws/support/test-front.ts';
import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { create } from '../../../functions/scale-api.ts';
import { httpEvent } from '../../../local/world/http-event.ts';
import type { HttpResult } from '../../../shared/scale-api/http-call.ts';

export const workerTags = (role = 'worker', cluster = 'drover') =>
  Object.entries({ [`kubernetes.io/cluster/${cluster}`]: 'owned', 'drover.dev/role': role }).map(
    ([Key, Value]) => ({ Key, Value, PropagateAtLaunch: true }),
  );

export const rollQueueName = 'drover-dev-RollQueue.fifo';

/** As a deployment with rolls=on sets it. */
export const rollsOn = {
  DROVER_ROLL_QUEUE_URL: `https://sqs.eu-west-1.amazonaws.com/123456789012/${rollQueueName}`,
};

const userArn = (name: string): string => `arn:aws:iam::123456789012:user/${name}`;

/** The scale API over the simulated Auto Scaling, with a cluster whose nodes the test keeps. */
export function createScaleApiWorld(
  options: {
    readonly authorize?: Authorize;
    readonly principals?: string;
    readonly environment?: Readonly<Record<string, string>>;
    /** False: the stack that makes it is not there. */
    readonly hasScheduleGroup?: boolean;
  } = {},
) {
  const cloud = createCloud();
  const faults: ((call: CallDescription) => Fault)[] = [];
  const lines: string[] = [];
  const cluster = { nodes: new Map<string, Node>(), failure: undefined as Error | undefined };
  const parts = { clock: cloud.clock, accountId: '123456789012', region: 'eu-west-1' };
  const ssm = createSsm({ ...parts, putAwsEvent: () => undefined });
  const eks = createEks({ ...parts, random: createRandom(8), autoScaling: cloud.autoScaling });
  const scheduler = createScheduler({ ...parts, random: createRandom(9), deliver: () => undefined });
  const sqs = createSqs({ ...parts, random: createRandom(7) });
  sqs.operations.CreateQueue({ QueueName: rollQueueName, Attributes: { FifoQueue: 'true' } });
  if (options.hasScheduleGroup ?? true) scheduler.operations.CreateScheduleGroup({ Name: 'drover-drover' });
  const { clientOptions } = createTestFront({
    services: [cloud.autoScaling, cloud.ec2, eks, ssm, scheduler, sqs],
    clock: cloud.clock,
    ...options,
    onCall: (call) => faults.map((fault) => fault(call)).find((fault) => fault !== undefined),
  });
  const host = {
    environment: {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      DROVER_CLUSTER: 'drover',
      DROVER_ETCD_MEMBER_PARAMETERS: '/drover/drover/etcd/members',
      DROVER_SCALE_API_PRINCIPALS: options.principals ?? `admin=${userArn('operator')}`,
      ...options.environment,
    },
    clock: cloud.clock,
    randomBytes: (size: number) => new Uint8Array(size),
    awsRequestHandler: clientOptions.requestHandler,
    sendHttp: () => Promise.reject(new Error('no test here sends to an API server')),
    writeLine: (line: string) => {
      lines.push(line);
    },
  };
  const handler = create(host, {
    listNodes: async () => {
      if (cluster.failure) throw cluster.failure;
      return [...cluster.nodes.values()];
    },
  });
  const send = async (...request: Parameters<typeof httpEvent>) =>
    read(await handler(httpEvent(...request), context));
  createGroup(cloud, { MinSize: 1, MaxSize: 5, DesiredCapacity: 2, Tags: workerTags() });
  return {
    cloud,
    ssm,
    sqs,
    scheduler,
    eks,
    cluster,
    faults,
    lines,
    handler,
    send,
    group: () => groupOf(cloud),
  };
}

export const context = {
  awsRequestId: 'invocation-1',
  functionName: 'scale-api',
  getRemainingTimeInMillis: () => 29_000,
};

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly [field: string]: unknown };
}

const read = ({ statusCode, headers, body }: HttpResult): Answer => ({
  status: statusCode,
  headers,
  body: body === '' ? {} : JSON.parse(body),
});

/** A Ready Node for the instance. */
export const readyNode = (instanceId: string): Node => ({
  metadata: { name: `node-of-${instanceId}` },
  spec: { providerID: `aws:///eu-west-1a/${instanceId}` },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});
