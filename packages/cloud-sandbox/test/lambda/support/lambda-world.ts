import type { Message } from '@aws-sdk/client-sqs';
import { createSqs, type SimulatedSqs } from '../../../src/aws/sqs/sqs.ts';
import type { EventSourceMappingWiring, FunctionWiring } from '../../../src/cloud/wiring.ts';
import type { EventSourceQueues } from '../../../src/lambda/event-source-queues.ts';
import type { CreateHandler, FunctionHost } from '../../../src/lambda/function-host.ts';
import { createInProcessRuntime } from '../../../src/lambda/in-process-runtime.ts';
import type { InvocationReport } from '../../../src/lambda/invocation.ts';
import { createLambda } from '../../../src/lambda/lambda.ts';
import type { UnawaitedWork } from '../../../src/lambda/life.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createVirtualClock, type VirtualClock } from '../../../src/simulation/virtual-clock.ts';
import { silentHost } from './silent-host.ts';

export const accountId = '123456789012';
export const region = 'eu-west-1';
export const functionArn = `arn:aws:lambda:${region}:${accountId}:function:drover-worker`;
export const queueArnOf = (name: string): string => `arn:aws:sqs:${region}:${accountId}:${name}`;
const queueUrlOf = (name: string): string => `https://sqs.${region}.amazonaws.com/${accountId}/${name}`;

/** Lets everything that is under way at this instant come to rest. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await new Promise((resume) => setImmediate(resume));
}

/** Lets simulated seconds pass, with all that functions do in them. */
export async function elapse(clock: VirtualClock, seconds: number): Promise<void> {
  const end = clock.now() + seconds * 1000;
  await settle();
  while (clock.step(end)) await settle();
  clock.moveTo(end);
}

export const workerWiring: FunctionWiring = {
  name: 'worker',
  functionName: 'drover-worker',
  functionArn,
  roleArn: `arn:aws:iam::${accountId}:role/drover-worker`,
  artifact: 'dist/functions/worker.zip',
  handler: 'index.handler',
  environment: {},
  timeoutSeconds: 10,
  memoryMegabytes: 512,
  recursiveLoop: 'Terminate',
  asynchronous: {
    maximumRetryAttempts: 2,
    maximumEventAgeSeconds: 21_600,
    onFailureArn: queueArnOf('failures'),
  },
};

interface LambdaWorldOptions {
  readonly create: CreateHandler;
  readonly queueName?: string;
  readonly queueAttributes?: Readonly<Record<string, string>>;
  readonly mapping?: Partial<EventSourceMappingWiring>;
  readonly function?: Partial<FunctionWiring>;
  /** Other functions of the account, which do what the first one does. */
  readonly functions?: readonly FunctionWiring[];
  readonly host?: (world: {
    readonly sqs: SimulatedSqs;
    readonly clock: VirtualClock;
  }) => Partial<FunctionHost>;
  readonly accountConcurrency?: number;
  readonly speed?: number;
  readonly unawaitedWork?: UnawaitedWork;
}

/** A queue, a dead-letter queue and a function that is mapped to it, on virtual time and with the simulated SQS. */
export function createLambdaWorld(options: LambdaWorldOptions) {
  const clock = createVirtualClock();
  const random = createRandom(3);
  const sqs = createSqs({ clock, random, accountId, region });
  const queueName = options.queueName ?? 'work';
  const fifo = queueName.endsWith('.fifo');
  const deadLetters = `dead-letters${fifo ? '.fifo' : ''}`;
  sqs.operations.CreateQueue({ QueueName: 'failures' });
  sqs.operations.CreateQueue({ QueueName: deadLetters, Attributes: fifo ? { FifoQueue: 'true' } : {} });
  sqs.operations.CreateQueue({
    QueueName: queueName,
    Attributes: {
      VisibilityTimeout: '60',
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: queueArnOf(deadLetters), maxReceiveCount: 50 }),
      ...(fifo && { FifoQueue: 'true' }),
      ...options.queueAttributes,
    },
  });

  const queues: EventSourceQueues = {
    receive: async ({ queueArn, maximumMessages }): Promise<readonly Message[]> => {
      const { Messages = [] } = await sqs.operations.ReceiveMessage({
        QueueUrl: sqs.controls.queueUrl(queueArn),
        MaxNumberOfMessages: maximumMessages,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      });
      return Messages;
    },
    deleteMessages: async ({ queueArn, receiptHandles }) => {
      sqs.operations.DeleteMessageBatch({
        QueueUrl: sqs.controls.queueUrl(queueArn),
        Entries: receiptHandles.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle })),
      });
    },
    onVisible: (queueArn, callback) => sqs.controls.onVisible(queueArn, callback),
  };

  const host: FunctionHost = { ...silentHost(clock), ...options.host?.({ sqs, clock }) };
  const reports: InvocationReport[] = [];
  const wiring = { ...workerWiring, ...options.function };
  const others = options.functions ?? [];
  const mapping: EventSourceMappingWiring = {
    eventSourceArn: queueArnOf(queueName),
    functionArn,
    enabled: true,
    batchSize: 10,
    maximumBatchingWindowSeconds: 0,
    maximumConcurrency: 2,
    reportBatchItemFailures: true,
    ...options.mapping,
  };
  const problems: unknown[] = [];
  const lambda = createLambda({
    clock,
    random,
    wiring: {
      functions: [wiring, ...others],
      eventSourceMappings: [mapping],
      permissions: [{ functionArn, principal: 'events.amazonaws.com' }],
    },
    runtime: createInProcessRuntime({
      functions: Object.fromEntries([wiring, ...others].map(({ name }) => [name, options.create])),
      hostFor: () => host,
      clock,
      unawaitedWork: () => options.unawaitedWork ?? 'goes-on',
    }),
    queues,
    deliver: (targetArn, body) => sqs.controls.send(targetArn, { MessageBody: body }),
    onInvocation: (report) => reports.push(report),
    onProblem: (error) => problems.push(error),
    ...(options.speed !== undefined && { speed: options.speed }),
    ...(options.accountConcurrency !== undefined && { accountConcurrency: options.accountConcurrency }),
  });

  const send = (body: string, group?: string): void => {
    sqs.controls.send(queueArnOf(queueName), {
      MessageBody: body,
      ...(group && { MessageGroupId: group, MessageDeduplicationId: random.uuid() }),
    });
  };
  const bodiesIn = (name: string): readonly string[] =>
    sqs.controls.peek(queueArnOf(name)).map(({ body }) => body);
  return {
    clock,
    sqs,
    lambda,
    send,
    reports,
    problems,
    queueUrl: queueUrlOf(queueName),
    waiting: () => bodiesIn(queueName),
    deadLetters: () => bodiesIn(deadLetters),
    failures: () => bodiesIn('failures').map((body) => JSON.parse(body) as Record<string, unknown>),
    outcomes: () => reports.map(({ outcome }) => outcome.kind),
  };
}
