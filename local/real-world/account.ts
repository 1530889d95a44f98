import { randomBytes } from 'node:crypto';
import type { Cloud, CloudOptions, Wiring } from '@drover/cloud-sandbox';
import type { AwsHttpRequest } from '@drover/cloud-sandbox/aws';
import { createHttpApi, createIamAuthorizer, type FunctionRuntime } from '@drover/cloud-sandbox/lambda';
import { createRandom, createRealClock, type RealClock } from '@drover/cloud-sandbox/simulation';
import { answerHttpApi, type HttpDoor, openHttpDoor, startAwsServer } from '@drover/cloud-sandbox/wire';
import { createDroverCloud } from '../cloud/drover-cloud.ts';
import { loadDeployment } from '../deployment/load-deployment.ts';
import { withEtcd } from '../deployment/with-etcd.ts';
import { clusterName } from '../names.ts';
import { etcdZone } from '../wire/etcd-zone.ts';
import { functionsOverTheWire } from '../wire/functions.ts';

/** What the account is given, beside what runs on its instances. */
export interface AccountOptions extends Pick<CloudOptions, 'onLine' | 'onInvocation' | 'timings'> {
  readonly editWiring?: (wiring: Wiring) => Wiring;
  /** Every request that reaches the simulated AWS over the wire: those of the functions and of other clients. */
  readonly onAwsRequest?: (request: AwsHttpRequest, front: Cloud['account']['front']) => void;
  /** Wraps the functions that Lambda invokes, for example to kill some of them. */
  readonly aroundRuntime?: (runtime: FunctionRuntime) => FunctionRuntime;
  /** How many times as fast as this machine's the account's time passes; that of the cluster does not. Default 1. */
  readonly speed?: number;
  readonly onProblem: (problem: unknown) => void;
}

/** Where its functions reach Kubernetes, and what its instances run. */
export type Machines = Required<Pick<CloudOptions, 'sendToKubernetes' | 'kubelets'>> &
  Pick<CloudOptions, 'etcd'>;

/** A simulated AWS account on the wire with the packaged functions, each in a thread. */
export interface Account {
  readonly cloud: Cloud;
  readonly clock: RealClock;
  readonly wiring: Wiring;
  /** The simulated AWS, for clients of any kind. */
  readonly aws: HttpDoor;
  readonly scaleApi: HttpDoor;
  /** Lets its time pass. */
  start(): void;
  /** Ends the functions. */
  stop(): void;
  close(): Promise<void>;
}

const accountId = '123456789012';
const region = 'eu-west-1';

/** @throws TemplateError if nothing is packaged */
export async function openAccount(options: AccountOptions, machines: Machines): Promise<Account> {
  const { speed = 1, onProblem, aroundRuntime = (one: FunctionRuntime) => one } = options;
  const clock = createRealClock({ speed });
  const { door: aws, leadTo } = await openDoor(options);
  const wiring = await wiringOf(options, { aws, wantsEtcd: machines.etcd !== undefined });
  const functions = functionsOverTheWire({ clock, endpoint: aws.url });
  const cloud = createDroverCloud({
    clock,
    wiring,
    accountId,
    region,
    clusterName,
    onProblem,
    random: createRandom(1, { secretBytes: randomBytes }),
    longPolling: true,
    // Clients sign with the machine's time, or with the account's: where these differ, the time of a signature is not judged.
    ...(speed === 1 && { signingClock: clock }),
    queueUrlBase: () => aws.url,
    ...machines,
    runtime: (parts) => aroundRuntime(functions(parts)),
    ...(options.timings && { timings: options.timings }),
    ...(options.onLine && { onLine: options.onLine }),
    ...(options.onInvocation && { onInvocation: options.onInvocation }),
  });
  leadTo(cloud);
  const scaleApi = await openScaleApi({ cloud, clock, speed, wiring, onFault: onProblem });
  return {
    cloud,
    clock,
    wiring,
    aws,
    scaleApi,
    start: () => {
      clock.start();
      cloud.lambda.start();
    },
    stop: () => {
      cloud.lambda.stop();
      clock.stop();
      cloud.lambda.recycle();
    },
    close: async () => {
      await Promise.all([aws.close(), scaleApi.close()]);
    },
  };
}

/** The cloud needs its own address before it exists. Requests that come earlier wait. */
async function openDoor({
  onAwsRequest,
  onProblem,
}: AccountOptions): Promise<{ readonly door: HttpDoor; readonly leadTo: (cloud: Cloud) => void }> {
  const behind = Promise.withResolvers<Cloud>();
  const handle = async (request: AwsHttpRequest): ReturnType<Cloud['account']['front']['handle']> => {
    const { front } = (await behind.promise).account;
    onAwsRequest?.(request, front);
    return await front.handle(request);
  };
  const door = await startAwsServer({ front: { handle }, port: 0, onFault: onProblem });
  return { door, leadTo: behind.resolve };
}

/** The HTTP API of the deployment on a port of this machine. */
function openScaleApi(parts: {
  readonly cloud: Cloud;
  readonly clock: RealClock;
  readonly speed: number;
  readonly wiring: Wiring;
  readonly onFault: (problem: unknown) => void;
}): Promise<HttpDoor> {
  const { cloud, clock, speed, wiring, onFault } = parts;
  const { iam, random } = cloud.account;
  const authorize = createIamAuthorizer({ iam, clock, ...(speed === 1 && { signingClock: clock }) });
  const api = createHttpApi({ wiring, lambda: cloud.lambda, clock, random, authorize });
  const answer: Parameters<typeof openHttpDoor>[0]['answer'] = (request, response) =>
    answerHttpApi(request, response, api);
  return openHttpDoor({ port: 0, onFault, answer });
}

async function wiringOf(
  { editWiring = (one) => one }: AccountOptions,
  { aws, wantsEtcd }: { readonly aws: HttpDoor; readonly wantsEtcd: boolean },
): Promise<Wiring> {
  const packaged = await loadDeployment({ accountId, region, sqsEndpoint: aws.url });
  return editWiring(wantsEtcd ? withEtcd(packaged, etcdZone) : packaged);
}
