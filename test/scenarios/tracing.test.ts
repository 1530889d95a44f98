import type { CreateHandler } from '@drover/cloud-sandbox/lambda';
import { describe, expect, it } from 'vitest';
import { functionsFromSource } from '../../local/cloud/functions.ts';
import {
  createDroverWorld,
  type DroverWorld,
  membersOf,
  nodesOf,
  terminate,
  withWorkers,
} from '../../local/world/drover-world.ts';
import { withTracing } from '../../shared/runtime/with-tracing.ts';
import { createDaemon, type SubsegmentDocument, tracedEnvironment } from '../support/xray.ts';

type SendDatagram = ReturnType<typeof createDaemon>['sendDatagram'];

/** Drover with tracing on, in invocations that are all sampled, and how many calls its functions made. */
function createTracedWorld(sendDatagram: SendDatagram) {
  const calls = { count: 0 };
  const counted = <Args extends readonly unknown[], Result>(send: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      calls.count += 1;
      return send(...args);
    };
  };
  const { DROVER_CLUSTER: _, ...variables } = tracedEnvironment;
  const functions = Object.fromEntries(
    Object.entries(functionsFromSource as Readonly<Record<string, CreateHandler>>).map(([name, create]) => {
      const createTraced: CreateHandler = (host) => {
        const handler = { handle: counted(host.awsRequestHandler.handle.bind(host.awsRequestHandler)) };
        const environment = { ...host.environment, ...variables };
        const sendHttp = counted(host.sendHttp);
        const own = { ...host, environment, sendHttp, awsRequestHandler: handler, sendDatagram };
        const traced = withTracing(own);
        const run = create(traced as never);
        return (event, context) => run(event, context).finally(() => traced.trace?.showOpenCalls());
      };
      return [name, createTraced];
    }),
  );
  return { world: createDroverWorld({ functions }), calls };
}

async function drainOne(world: DroverWorld) {
  const [leaving = '', ...staying] = await withWorkers(world, { size: 3 });
  terminate(world, leaving, { replace: false });
  await world.timeline.pass(300);
  return { leaving, staying };
}

const operations = (documents: readonly SubsegmentDocument[]): readonly string[] =>
  documents.map(({ name, aws, http }) =>
    aws ? `${name} ${aws.operation}` : `${name} ${http?.request?.method} ${http?.request?.url}`,
  );

describe('a drain with tracing', () => {
  it('is recorded with every call to AWS and to the API server, each once', async () => {
    const { documents, sendDatagram } = createDaemon();
    const { world, calls } = createTracedWorld(sendDatagram);
    await drainOne(world);
    const answered = documents.filter(({ in_progress }) => !in_progress);
    expect(answered).toHaveLength(calls.count);
    expect(new Set(answered.map(({ id }) => id)).size).toBe(answered.length);
    expect(operations(answered)).toEqual(
      expect.arrayContaining([
        'AutoScaling DescribeAutoScalingInstances',
        'AutoScaling CompleteLifecycleAction',
        'EC2 DescribeInstances',
        'SSM GetParameter',
        'SQS SendMessageBatch',
        'Kubernetes drover PATCH https://kubernetes.sandbox/api/v1/nodes/{name}',
        'Kubernetes drover DELETE https://kubernetes.sandbox/api/v1/nodes/{name}',
      ]),
    );
  });

  it('has no name, id, ARN or token in its documents', async () => {
    const { documents, sendDatagram } = createDaemon();
    const { world } = createTracedWorld(sendDatagram);
    const { leaving, staying } = await drainOne(world);
    const text = JSON.stringify(documents);
    for (const secret of [
      leaving,
      ...staying,
      ...nodesOf(world),
      'ip-',
      'arn:',
      'workers',
      '123456789012',
      '?',
    ])
      expect(text).not.toContain(secret);
    expect(text).not.toMatch(/Bearer|X-Amz-|k8s-aws-v1/);
  });

  it.each([
    [
      'takes nothing',
      (_: unknown, __: unknown, onLost: (error: Error) => void) => onLost(new Error('EPERM')),
    ],
    ['is silent', () => {}],
  ] as const)('ends as without it where the daemon %s', async (_, sendDatagram) => {
    const { world } = createTracedWorld(sendDatagram);
    const { leaving, staying } = await drainOne(world);
    const untraced = createDroverWorld();
    await drainOne(untraced);
    expect(world.problems).toEqual(untraced.problems);
    expect(nodesOf(world)).toHaveLength(nodesOf(untraced).length);
    expect(membersOf(world).map(({ InstanceId }) => InstanceId)).toEqual(staying);
    expect(membersOf(world).map(({ InstanceId }) => InstanceId)).not.toContain(leaving);
  });
});
