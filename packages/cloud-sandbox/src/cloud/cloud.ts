import { SQSClient } from '@aws-sdk/client-sqs';
import type { AwsRequestHandler } from '../aws/front/request-handler.ts';
import { createKubernetes, type KubernetesOptions } from '../kubernetes/kubernetes.ts';
import { createCertificateAuthority } from '../kubernetes/wire/certificates.ts';
import type { CreateHandler, FunctionHost } from '../lambda/function-host.ts';
import { createInProcessRuntime } from '../lambda/in-process-runtime.ts';
import type { InvocationReport } from '../lambda/invocation.ts';
import { createLambda } from '../lambda/lambda.ts';
import type { FunctionRuntime } from '../lambda/runtime.ts';
import type { SendHttp } from '../net/http.ts';
import type { SimulationClock } from '../simulation/clock.ts';
import { skewedClock } from '../simulation/skewed-clock.ts';
import { type Account, type AccountOptions, createAccount } from './account.ts';
import { watchAlarms } from './alarms.ts';
import { applyWiring } from './apply.ts';
import { type AskingKubeletsOptions, createAskingKubelets } from './asking-kubelets.ts';
import { createDoors } from './doors.ts';
import { type EtcdMembersOptions, runEtcdMembers } from './etcd-members.ts';
import { createEventSourceQueues } from './event-source-queues.ts';
import { type KubeletsOptions, runKubelets } from './kubelets.ts';
import { keepLogs } from './logs.ts';
import { sdkOptions } from './sdk-options.ts';
import type { Weather } from './strike.ts';
import type { FunctionWiring, Wiring } from './wiring.ts';

export interface CloudOptions extends AccountOptions {
  readonly wiring: Wiring;
  readonly clusterName: string;
  readonly weather?: Weather;
  readonly kubelets?: Pick<KubeletsOptions, 'joinSeconds' | 'configure'> &
    Partial<Pick<KubeletsOptions, 'startKubelet'>> & {
      /** Kubelets ask for their certificates, and have no other rights; absent: they register their Nodes at once. */
      readonly ask?: AskingKubeletsOptions;
    };
  /** Carries requests to another API server than the simulated one: that of a real cluster. */
  readonly sendToKubernetes?: SendHttp;
  readonly kubernetes?: Omit<KubernetesOptions, 'clock' | 'random'>;
  readonly etcd?: Pick<EtcdMembersOptions, 'userData' | 'certificates' | 'bootSeconds' | 'machines'>;
  /** Functions that run in this process, by their names in the wiring. */
  readonly functions?: Readonly<Record<string, CreateHandler>>;
  /** How functions run; absent: in this process, on the simulated clock. */
  readonly runtime?: (cloud: CloudParts) => FunctionRuntime;
  /** How much faster simulated time passes than that of functions in threads; 1 by default. */
  readonly speed?: number;
  readonly onLine?: (functionName: string, line: string) => void;
  readonly onInvocation?: (report: InvocationReport) => void;
}

export interface CloudParts {
  /** Where a runtime hands on what functions write. */
  readonly onLine: (functionName: string, line: string) => void;
  readonly account: Account;
  readonly kubernetes: ReturnType<typeof createKubernetes>;
  /** The machine of a function that runs in this process: without sockets, on the simulated clock. */
  readonly hostFor: (wiring: FunctionWiring) => FunctionHost;
}

/** A simulated AWS account with a Kubernetes cluster on its instances and what the wiring deploys beside it. */
export function createCloud(options: CloudOptions) {
  const { clock, random, wiring, clusterName, weather = {} } = options;
  const keepsPast = weather.staleSeconds !== undefined;
  const account = createAccount({ ...options, keepsPast });
  const clockOf = (part: string): SimulationClock => {
    const { clockOffsetMilliseconds } = weather;
    return clockOffsetMilliseconds ? skewedClock(clock, () => clockOffsetMilliseconds(part)) : clock;
  };
  const kubernetes = createKubernetes({
    ...(options.kubelets?.ask && authorityOf(options)),
    ...options.kubernetes,
    clock: clockOf('kubernetes'),
    random,
    keepsPast,
  });
  const { sendToKubernetes = kubernetes.sendHttp } = options;
  applyWiring(account, wiring);
  const etcd = runEtcdMembers({ ...options.etcd, account });
  const alarms = watchAlarms(account, wiring.alarms);
  const logs = keepLogs(account, wiring.functions);
  const onLine = (functionName: string, line: string): void => {
    alarms.onLine(line);
    logs.onLine(functionName, line);
    options.onLine?.(functionName, line);
  };
  let calls = 0;
  const doors = createDoors({
    front: account.front,
    sendToKubernetes,
    sendToEtcd: etcd.send,
    clock,
    weather: {
      ...weather,
      onCall: (call) => {
        calls += 1;
        weather.onCall?.(call);
      },
    },
  });
  const pollerDoor = createDoors({
    front: account.front,
    sendToKubernetes,
    sendToEtcd: etcd.send,
    clock,
    weather: {
      onCall: () => {
        calls += 1;
      },
      ...(weather.pollerStrike && { strike: weather.pollerStrike }),
    },
  })('lambda');
  const credentialsOf = createCredentials(account);
  const hostFor = (wiring: FunctionWiring): FunctionHost => {
    const timers = stoppableClock(clockOf(wiring.name));
    return {
      environment: { ...wiring.environment, ...credentialsOf.environment(wiring.roleArn, account.region) },
      clock: timers.clock,
      randomBytes: random.secretBytes,
      ...doors(wiring.name, timers.stop),
      streamHttp: etcd.stream,
      writeLine: (line) => onLine(wiring.name, line),
    };
  };
  const { functions = {} } = options;
  const { unawaitedWork } = weather;
  const inProcess = createInProcessRuntime({ functions, hostFor, clock, unawaitedWork });
  const lambda = createLambda({
    wiring,
    clock,
    random,
    queues: createEventSourceQueues(account, credentialsOf.client(pollerDoor.awsRequestHandler)),
    deliver: account.delivery.deliver,
    runtime: options.runtime?.({ account, kubernetes, hostFor, onLine }) ?? inProcess,
    ...(options.speed !== undefined && { speed: options.speed }),
    ...(options.accountConcurrency !== undefined && { accountConcurrency: options.accountConcurrency }),
    onInvocation: (report) => {
      alarms.onInvocation(report);
      options.onInvocation?.(report);
    },
    ...(options.onProblem && { onProblem: options.onProblem }),
  });
  account.delivery.route({
    lambda: (functionArn, body, { sender }) => lambda.accept({ functionArn, body, sender }),
  });
  const kubelets = runKubelets({
    ec2: account.ec2,
    clock,
    clusterName,
    startKubelet: startKubeletOf({ options, account, kubernetes }),
    ...options.kubelets,
  });
  return {
    account,
    kubernetes,
    etcd,
    lambda,
    /** Nothing is evaluated before they are started. */
    alarms,
    kubelets,
    doors,
    activity: { count: () => calls, isBusy: () => lambda.underWay() > 0 },
  };
}

/** An authority for certificates, with a key from the seed. */
function authorityOf({ clock, random }: CloudOptions): Partial<KubernetesOptions> {
  const authority = createCertificateAuthority(clock.now(), random.secretBytes);
  return { certificateAuthority: authority.certificate, signCertificate: authority.sign };
}

type Parts = Pick<CloudParts, 'account' | 'kubernetes'> & { readonly options: CloudOptions };

function startKubeletOf({ options, account, kubernetes }: Parts): KubeletsOptions['startKubelet'] {
  const { handle, startKubelet } = kubernetes;
  const ask = options.kubelets?.ask;
  if (ask === undefined) return startKubelet;
  const { ec2, ssm, autoScaling, clock, random } = account;
  const isOld = options.kubernetes?.release === '1.11';
  const parts = {
    clock,
    random,
    handle,
    startKubelet,
    ...(isOld && { certificatesVersion: 'v1beta1' as const }),
  };
  const machines = { parts, ec2, autoScaling, ssm };
  const startAsking = createAskingKubelets(machines, ask);
  return (node, instance) =>
    ask.asks?.(instance) === false ? startKubelet(node) : startAsking(instance, node);
}

export type Cloud = ReturnType<typeof createCloud>;

/** The clock of a machine whose timers end when a fault stops it. */
function stoppableClock(clock: SimulationClock): {
  readonly clock: SimulationClock;
  readonly stop: () => void;
} {
  let isStopped = false;
  const unlessStopped = (task: () => void) => (): void => {
    if (!isStopped) task();
  };
  return {
    clock: {
      now: () => clock.now(),
      after: (milliseconds, task) => clock.after(milliseconds, unlessStopped(task)),
    },
    stop: () => {
      isStopped = true;
    },
  };
}

/** Credentials of the roles that functions run with, as Lambda puts them into a function's environment. */
function createCredentials({ iam, region, clock }: Account) {
  const sessionSeconds = 12 * 3600;
  const issue = (roleArn: string) =>
    iam.issueCredentials({
      roleArn,
      sessionName: roleArn.split('/').at(-1) ?? 'function',
      durationSeconds: sessionSeconds,
    });
  const clients = new Map<string, { readonly client: SQSClient; readonly renewAt: number }>();
  return {
    environment: (roleArn: string, awsRegion: string) => {
      const credentials = issue(roleArn);
      return {
        AWS_REGION: awsRegion,
        AWS_ACCESS_KEY_ID: credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
        AWS_SESSION_TOKEN: credentials.sessionToken ?? '',
      };
    },
    client: (requestHandler: AwsRequestHandler) => (roleArn: string) => {
      const known = clients.get(roleArn);
      if (known && clock.now() < known.renewAt) return known.client;
      known?.client.destroy();
      const { accessKeyId, secretAccessKey, sessionToken } = issue(roleArn);
      const client = new SQSClient({
        ...sdkOptions({
          region,
          credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
          requestHandler,
        }),
        // It has one connection, whatever address a queue's URL names.
        useQueueUrlAsEndpoint: false,
      });
      clients.set(roleArn, { client, renewAt: clock.now() + sessionSeconds * 500 });
      return client;
    },
  };
}
