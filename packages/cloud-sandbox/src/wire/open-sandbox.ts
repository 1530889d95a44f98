import { randomBytes } from 'node:crypto';
import { administratorAccess } from '../aws/iam/iam.ts';
import { type Cloud, type CloudOptions, createCloud } from '../cloud/cloud.ts';
import { noWiring } from '../cloud/no-wiring.ts';
import type { Wiring } from '../cloud/wiring.ts';
import type { EtcdServerOptions } from '../etcd/wire/server.ts';
import { type CertificateAuthority, createCertificateAuthority } from '../kubernetes/wire/certificates.ts';
import { kubeconfigText } from '../kubernetes/wire/kubeconfig.ts';
import { createHttpApi, type HttpApi } from '../lambda/http-api/http-api.ts';
import { createIamAuthorizer } from '../lambda/http-api/iam-authorizer.ts';
import { deferred } from '../simulation/deferred.ts';
import { createRandom } from '../simulation/random.ts';
import { createRealClock, type RealClock } from '../simulation/real-clock.ts';
import { createTimeline } from '../simulation/timeline.ts';
import { type Behind, openDoors, type WireDoors, type WirePorts } from './doors.ts';
import { writePrivateFiles } from './private-files.ts';

export interface WireSandboxOptions<FileName extends string = never>
  extends Partial<Pick<CloudOptions, 'accountId' | 'region' | 'clusterName'>>,
    Pick<
      CloudOptions,
      | 'timings'
      | 'requestLimits'
      | 'kubelets'
      | 'etcd'
      | 'functions'
      | 'onLine'
      | 'onInvocation'
      | 'onProblem'
    > {
  /** Simulated seconds in one of the machine's; 1 by default. */
  readonly speed?: number;
  readonly seed?: number;
  readonly ports?: WirePorts;
  readonly kubernetes?: Pick<NonNullable<CloudOptions['kubernetes']>, 'release'>;
  readonly etcdTls?: EtcdServerOptions['tls'];
  /** What is deployed, for an account whose AWS endpoint is at `url`. */
  readonly deploy?: (aws: Place & { readonly url: string }) => Promise<Wiring>;
  readonly runtime?: (parts: {
    readonly clock: RealClock;
    readonly endpoint: string;
  }) => NonNullable<CloudOptions['runtime']>;
  /** Puts groups and workloads in, before any request is answered. */
  readonly furnish?: (sandbox: FurnishedSandbox) => Promise<void>;
  /** Simulated seconds that pass at once after `furnish`: for what it put in to boot, join and start. */
  readonly warmUpSeconds?: number;
  /** Texts for files that only their owner can read, besides the kubeconfig. */
  readonly privateFiles?: Readonly<Record<FileName, string>>;
  /** The sandbox itself has failed. */
  readonly onFault: (error: unknown) => void;
}

type Place = Pick<Wiring, 'accountId' | 'region'>;

export interface FurnishedSandbox {
  readonly cloud: Cloud;
  readonly wiring: Wiring;
  readonly kubernetesUrl: string;
  /** PEM of the API server's authority. */
  readonly certificateAuthority: string;
}

/** A sandbox whose ports are open and whose functions run. */
export interface WireSandbox<FileName extends string = never> {
  readonly cloud: Cloud;
  readonly clock: RealClock;
  readonly doors: WireDoors;
  readonly region: string;
  /** The keys of a user with all rights. */
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Paths of the private files. */
  readonly files: Readonly<Record<FileName | 'kubeconfig', string>>;
  /** Removes the private files: all that outlives the process. */
  forget(): void;
  /** Closes the ports, ends the functions and removes the files. */
  close(): Promise<void>;
}

/**
 * Opens a sandbox on real ports and real time. A request that comes before it is furnished waits.
 *
 * @throws what `deploy` and `furnish` throw; Error when the machine refuses a port
 */
export async function openSandbox<FileName extends string = never>(
  options: WireSandboxOptions<FileName>,
): Promise<WireSandbox<FileName>> {
  const { speed = 1, warmUpSeconds = 0, clusterName = 'sandbox', etcdTls, onFault } = options;
  const { accountId = '123456789012', region = 'eu-west-1' } = options;
  const clock = createRealClock({ speed, leadSeconds: warmUpSeconds });
  const authority = createCertificateAuthority(clock.now());
  const behind = deferred<Behind>();
  const doors = await openDoors({
    ports: options.ports ?? {},
    authority,
    etcdTls,
    behind: behind.promise,
    onFault,
  });
  const { url } = doors.aws;
  const place = { accountId, region };
  const wiring = (await options.deploy?.({ ...place, url })) ?? noWiring(place);
  const cloud = createWireCloud(options, { ...place, clusterName, clock, authority, url, wiring });
  await options.furnish?.({
    cloud,
    wiring,
    kubernetesUrl: doors.kubernetes.url,
    certificateAuthority: authority.certificate,
  });
  await createTimeline(clock, cloud.activity).pass(warmUpSeconds);
  const files = await writePrivateFiles({
    ...(options.privateFiles ?? ({} as Readonly<Record<FileName, string>>)),
    kubeconfig: await kubeconfigOf(authority, { clusterName, server: doors.kubernetes.url }),
  });
  clock.start();
  cloud.lambda.start();
  cloud.alarms.start();
  behind.resolve({ cloud, httpApi: httpApiOf(cloud, { clock, speed, wiring }) });
  const person = cloud.account.iam.putUser({ userName: 'you', policies: [administratorAccess] });
  return {
    cloud,
    clock,
    doors,
    region,
    files: files.paths,
    accessKeyId: person.accessKeyId,
    secretAccessKey: person.secretAccessKey,
    forget: () => files.remove(),
    close: async () => {
      cloud.lambda.stop();
      clock.stop();
      cloud.lambda.recycle();
      files.remove();
      await doors.close();
    },
  };
}

interface Parts extends Pick<CloudOptions, 'accountId' | 'region' | 'clusterName' | 'wiring'> {
  readonly clock: RealClock;
  readonly authority: CertificateAuthority;
  /** Where AWS listens. */
  readonly url: string;
}

function createWireCloud<FileName extends string>(
  options: WireSandboxOptions<FileName>,
  { authority, url, ...parts }: Parts,
): Cloud {
  const { speed = 1, seed = 1 } = options;
  const { clock } = parts;
  return createCloud({
    ...options,
    ...parts,
    speed,
    // The seed by itself would give the same keys on every machine.
    random: createRandom(seed, { secretBytes: randomBytes }),
    longPolling: true,
    queueUrlBase: () => url,
    kubernetes: {
      ...options.kubernetes,
      certificateAuthority: authority.certificate,
      heartbeats: 'written',
      signCertificate: (request) => authority.sign(request),
    },
    runtime: options.runtime?.({ clock, endpoint: url }),
    // At another speed than the machine's, people and functions sign by clocks that differ.
    signingClock: speed === 1 ? clock : undefined,
  });
}

async function kubeconfigOf(
  authority: CertificateAuthority,
  cluster: { readonly clusterName: string; readonly server: string },
): Promise<string> {
  const user = authority.issueClient({ username: 'you', groups: ['system:masters'] });
  return kubeconfigText({ ...cluster, certificateAuthority: authority.certificate, user });
}

function httpApiOf(
  { account, lambda }: Cloud,
  { clock, speed, wiring }: Pick<Parts, 'clock' | 'wiring'> & { readonly speed: number },
): HttpApi {
  const routes = wiring.routes.map((route) => ({
    ...route,
    timeoutMilliseconds: route.timeoutMilliseconds * speed,
  }));
  return createHttpApi({
    wiring: { ...wiring, routes },
    lambda,
    clock,
    random: account.random,
    authorize: createIamAuthorizer({
      iam: account.iam,
      clock,
      signingClock: speed === 1 ? clock : undefined,
    }),
  });
}
