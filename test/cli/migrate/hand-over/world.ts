import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { addGroup, type Cloud } from '@drover/cloud-sandbox';
import type { ExecutionEnvironment, FunctionRuntime } from '@drover/cloud-sandbox/lambda';
import {
  makeTerminationHandlerQueue,
  terminationHandlerHook,
} from '@drover/cloud-sandbox/real/node-termination-handler/queue.ts';
import {
  type RunningTerminationHandler,
  startTerminationHandler,
} from '@drover/cloud-sandbox/real/node-termination-handler/start.ts';
import { parse } from 'yaml';
import { clusterName } from '../../../../local/names.ts';
import { openSandbox, type Sandbox } from '../../../../local/wire/sandbox.ts';
import { account, handlerObjects, managedTag, settings, workload, yamlOf } from './manifests.ts';

export { managedTag, terminationHandlerHook };

/** The last one is of Spot instances. */
export const groupNames = ['blue', 'green', 'spot'] as const;
export const groupSize = 8;
const speed = 10;

/** A cluster of three groups that the real AWS Node Termination Handler drains, with Drover deployed beside it. */
export interface NthWorld {
  readonly sandbox: Sandbox;
  readonly cloud: Cloud;
  readonly queueUrl: string;
  /** What went wrong in the sandbox or in a function that was not killed. */
  readonly problems: readonly unknown[];
  /** Lets simulated seconds pass. */
  readonly pass: (seconds: number) => Promise<void>;
  /** SIGKILL, and a new process a few simulated seconds later, as a kubelet starts it. */
  readonly killHandler: () => Promise<void>;
  readonly handlerSays: () => string;
  /** Kills so many of the next passes over leaving nodes in the middle of their work. */
  readonly killPasses: (count: number) => void;
  readonly passesKilled: () => number;
  readonly close: () => Promise<void>;
}

export async function openNthWorld(): Promise<NthWorld> {
  const problems: unknown[] = [];
  const killer = createPassKiller();
  let queueUrl = '';
  const sandbox = await openSandbox({
    speed,
    seed: 1,
    basePort: 0,
    nodesAsk: false,
    aroundRuntime: killer.around,
    recent: () => ({ passes: [], news: [] }),
    onLine: () => {},
    onInvocation: ({ functionName, outcome }) => {
      if (outcome.kind !== 'succeeded' && !/killed|exit/i.test(JSON.stringify(outcome)))
        problems.push({ functionName, outcome });
    },
    onProblem: (problem) => problems.push(problem),
    furnish: async ({ cloud, apply }) => {
      queueUrl = makeTerminationHandlerQueue(cloud);
      bringSpotWarnings(cloud);
      for (const autoScalingGroupName of groupNames) addNthGroup(cloud, autoScalingGroupName);
      await apply(yamlOf([...handlerObjects(queueUrl), ...workload]));
    },
  });
  const start = (): Promise<RunningTerminationHandler> => startHandler(sandbox, queueUrl);
  let handler = await start().catch(async (error: unknown) => {
    await sandbox.close();
    throw error;
  });
  const pass = (seconds: number): Promise<void> => sleep((seconds * 1000) / speed);
  return {
    sandbox,
    cloud: sandbox.cloud,
    queueUrl,
    problems,
    pass,
    killHandler: async () => {
      await handler.stop();
      await pass(10);
      handler = await start();
    },
    handlerSays: () => handler.lastWords(),
    killPasses: killer.killNext,
    passesKilled: killer.killed,
    close: async () => {
      await handler.stop();
      await sandbox.close();
    },
  };
}

function addNthGroup({ account: aws }: Pick<Cloud, 'account'>, autoScalingGroupName: string): void {
  addGroup(aws, {
    autoScalingGroupName,
    clusterName,
    size: groupSize,
    spot: autoScalingGroupName === 'spot',
    tags: { [managedTag]: 'true' },
    hook: { name: terminationHandlerHook, heartbeatTimeoutSeconds: 3600 },
  });
}

function bringSpotWarnings({ account: { events, region, accountId } }: Pick<Cloud, 'account'>): void {
  const Rule = 'node-termination-handler-spot';
  events.operations.PutRule({
    Name: Rule,
    EventPattern: JSON.stringify({
      source: ['aws.ec2'],
      'detail-type': ['EC2 Spot Instance Interruption Warning'],
    }),
  });
  const Arn = `arn:aws:sqs:${region}:${accountId}:node-termination-handler`;
  events.operations.PutTargets({ Rule, Targets: [{ Id: '1', Arn }] });
}

function startHandler(
  { cloud, doors, kubeconfig, region, accessKeyId, secretAccessKey }: Sandbox,
  queueUrl: string,
): Promise<RunningTerminationHandler> {
  const [{ cluster }] = parse(readFileSync(kubeconfig, 'utf8')).clusters;
  return startTerminationHandler({
    aws: { endpoint: doors.aws.url, region, accessKeyId, secretAccessKey },
    queueUrl,
    kubernetes: {
      server: cluster.server,
      token: cloud.kubernetes.addToken({
        username: `system:serviceaccount:kube-system:${account}`,
        groups: ['system:serviceaccounts', 'system:authenticated'],
      }),
      certificateAuthority: Buffer.from(cluster['certificate-authority-data'], 'base64').toString(),
    },
    environment: settings,
  });
}

/** Ends environments of node-leaving a moment after they have begun. */
function createPassKiller() {
  let left = 0;
  let killed = 0;
  const mortal = (environment: ExecutionEnvironment): ExecutionEnvironment => ({
    ...environment,
    invoke: async (invocation) => {
      if (left === 0) return await environment.invoke(invocation);
      left -= 1;
      const timer = setTimeout(
        () => {
          killed += 1;
          environment.kill();
        },
        20 + ((left * 37) % 80),
      );
      try {
        return await environment.invoke(invocation);
      } finally {
        clearTimeout(timer);
      }
    },
  });
  return {
    killNext: (count: number): void => {
      left = count;
    },
    killed: (): number => killed,
    around: (runtime: FunctionRuntime): FunctionRuntime => ({
      start: async (wiring) => {
        const environment = await runtime.start(wiring);
        return wiring.name === 'node-leaving' ? mortal(environment) : environment;
      },
    }),
  };
}
