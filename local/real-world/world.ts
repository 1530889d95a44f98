import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cloud, type CloudOptions, type KubeletsOptions, type Wiring } from '@drover/cloud-sandbox';
import type { AwsHttpRequest, SimulatedInstance } from '@drover/cloud-sandbox/aws';
import { createHttpApi, createIamAuthorizer, type FunctionRuntime } from '@drover/cloud-sandbox/lambda';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { openRealEtcdMachines } from '@drover/cloud-sandbox/real/etcd/etcd-machines.ts';
import { adminOf, type ClusterAdmin } from '@drover/cloud-sandbox/real/kubernetes/admin.ts';
import { type ControlPlane, startControlPlane } from '@drover/cloud-sandbox/real/kubernetes/control-plane.ts';
import { startKwok } from '@drover/cloud-sandbox/real/kubernetes/nodes/kwok.ts';
import { createRealNodes, type RealNodes } from '@drover/cloud-sandbox/real/kubernetes/nodes/real-nodes.ts';
import { createRandom, createRealClock, type RealClock } from '@drover/cloud-sandbox/simulation';
import { answerHttpApi, type HttpDoor, openHttpDoor, startAwsServer } from '@drover/cloud-sandbox/wire';
import { ensurePackaged } from '../../scripts/build/ensure-packaged.ts';
import { createDroverCloud } from '../cloud/drover-cloud.ts';
import { loadDeployment } from '../deployment/load-deployment.ts';
import { withEtcd } from '../deployment/with-etcd.ts';
import { clusterName } from '../names.ts';
import { etcdZone } from '../wire/etcd-zone.ts';
import { functionsOverTheWire } from '../wire/functions.ts';
import { furnishEtcd } from '../wire/furnish-etcd.ts';
import { furnishCluster, publishKubeconfigs } from './furnish-cluster.ts';
import { createUserData } from './user-data.ts';

export interface RealWorldOptions extends Pick<CloudOptions, 'onLine' | 'onInvocation' | 'timings'> {
  /** What simulates the nodes: real kubelets, or kwok for hundreds of nodes. */
  readonly nodes: 'kubelet' | 'kwok';
  /** Default true. */
  readonly withScheduler?: boolean;
  readonly editWiring?: (wiring: Wiring) => Wiring;
  /** Every request that reaches the simulated AWS over the wire: those of the functions and of other clients. */
  readonly onAwsRequest?: (request: AwsHttpRequest, front: Cloud['account']['front']) => void;
  /** Wraps the functions that Lambda invokes, for example to kill some of them. */
  readonly aroundRuntime?: (runtime: FunctionRuntime) => FunctionRuntime;
  /** How the node of an instance differs from the ordinary ones; undefined: it never joins. */
  readonly configureNode?: KubeletsOptions['configure'];
  /** Real etcd on the instances of groups with the role etcd, managed by Drover. Needs root. */
  readonly withEtcd?: boolean;
  /**
   * What approves the client certificates of kubelets: kube-controller-manager by itself (default), or only Drover. With
   * Drover their Nodes have the addresses of their instances, and kubelets get serving certificates.
   */
  readonly approver?: 'controller-manager' | 'drover';
  /** How long a signed certificate is valid, as a flag of kube-controller-manager: `2m`. Default: a year. */
  readonly signingDuration?: string;
  /** Manifests instead of deploy/rbac.yaml, as YAML. */
  readonly rbac?: string;
  /** How many times as fast as this machine's the account's time passes; that of the cluster does not. Default 1. */
  readonly speed?: number;
  readonly onProblem: (problem: unknown) => void;
}

/** A simulated AWS account, with everything in it real: the cluster, its nodes, and the packaged functions, each in a thread. */
export interface RealWorld {
  readonly cloud: Cloud;
  readonly clock: RealClock;
  readonly controlPlane: ControlPlane;
  readonly admin: ClusterAdmin;
  /** The simulated AWS, for clients of any kind. */
  readonly aws: HttpDoor;
  readonly scaleApi: HttpDoor;
  /** Gives the real kubelet of a node the manifest of a pod, as a file on its machine. */
  readonly runStaticPod: RealNodes['runStaticPod'];
  close(): Promise<void>;
}

const accountId = '123456789012';
const region = 'eu-west-1';

/** @throws Error with the last words of a component that does not come up */
export async function createRealWorld(options: RealWorldOptions): Promise<RealWorld> {
  const { nodes: kind, speed = 1, onProblem } = options;
  await ensurePackaged({ bundles: 'fresh' });
  const directory = mkdtempSync(join(tmpdir(), 'world-'));
  const controlPlane = await startControlPlane({
    directory,
    ...(options.withScheduler !== undefined && { withScheduler: options.withScheduler }),
    ...(options.signingDuration && {
      controllerManagerFlags: [`--cluster-signing-duration=${options.signingDuration}`],
    }),
  });
  const admin = adminOf(controlPlane);
  const player =
    kind === 'kwok' ? await startKwok({ directory, kubeconfig: controlPlane.kubeconfig }) : undefined;
  const clock = createRealClock({ speed });
  const { door: aws, leadTo } = await openDoor(options);
  const wiring = await wiringOf(options, aws);
  const etcd = options.withEtcd
    ? await openRealEtcdMachines({
        etcd: chosenEtcd,
        onProblem,
        zones: () => cloud.account.route53.controls.served(),
      })
    : undefined;
  const nodes = createRealNodes({
    controlPlane,
    admin,
    onProblem,
    hasCloudProvider: options.approver === 'drover',
    bootstrapKubeconfig: () => userData(),
  });
  const functions = functionsOverTheWire({ clock, endpoint: aws.url });
  const { aroundRuntime = (one: FunctionRuntime) => one } = options;
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
    sendToKubernetes: admin.sendHttp,
    kubelets: {
      joinSeconds: 0,
      startKubelet: kind === 'kwok' ? nodes.registerForKwok : nodes.startKubelet,
      configure: options.configureNode ?? ((instance) => (isMachineOfEtcd(instance) ? undefined : {})),
    },
    ...(etcd && { etcd: { bootSeconds: 1, machines: etcd.machines } }),
    runtime: (parts) => aroundRuntime(functions(parts)),
    ...(options.timings && { timings: options.timings }),
    ...(options.onLine && { onLine: options.onLine }),
    ...(options.onInvocation && { onInvocation: options.onInvocation }),
  });
  leadTo(cloud);
  const userData = createUserData({ cloud, endpoint: aws.url });
  await furnishCluster(admin, options);
  publishKubeconfigs(cloud, { wiring, controlPlane });
  if (etcd) furnishEtcd(cloud, etcd.credentials);
  const scaleApi = await openScaleApi({ cloud, clock, speed, wiring, onFault: onProblem });
  clock.start();
  cloud.lambda.start();
  void cloud.lambda.invoke('bootstrap-credential', {});
  return {
    cloud,
    clock,
    controlPlane,
    admin,
    aws,
    scaleApi,
    runStaticPod: nodes.runStaticPod,
    close: async () => {
      cloud.lambda.stop();
      clock.stop();
      cloud.lambda.recycle();
      await Promise.all([nodes.close(), player?.kill(), etcd?.close()]);
      await controlPlane.stop();
      await Promise.all([aws.close(), scaleApi.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The cloud needs its own address before it exists. Requests that come earlier wait. */
async function openDoor({
  onAwsRequest,
  onProblem,
}: RealWorldOptions): Promise<{ readonly door: HttpDoor; readonly leadTo: (cloud: Cloud) => void }> {
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
  { withEtcd: wantsEtcd, editWiring = (one) => one }: RealWorldOptions,
  aws: HttpDoor,
): Promise<Wiring> {
  const packaged = await loadDeployment({ accountId, region, sqsEndpoint: aws.url });
  return editWiring(wantsEtcd ? withEtcd(packaged, etcdZone) : packaged);
}

/** Instances of etcd only have no kubelet. */
const isMachineOfEtcd = ({ tags }: SimulatedInstance): boolean => tags.get('drover.dev/role') === 'etcd';
