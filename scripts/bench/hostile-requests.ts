import { createCertificateRequest, createKey } from '@drover/cloud-sandbox/kubernetes';
import { parse } from 'yaml';
import { addGroup } from '../../local/cloud/furnish.ts';
import { clusterName } from '../../local/names.ts';
import { createDroverWorld, type DroverWorld } from '../../local/world/drover-world.ts';

const requestsPath = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const requestsResource = 'certificatesigningrequests.certificates.k8s.io';
const hostileRequests = 1000;
const hostileBytes = 27_000;
/** A kubelet that is not answered gives up after this time. */
const longestSeconds = 900;

/** What a genuine request costs beside hostile ones. */
export interface BesideHostile {
  /** Simulated seconds until the genuine request is approved. */
  readonly seconds: number;
  /** CPU of this process meanwhile: the functions, and the simulated API server that lists the requests for them. */
  readonly cpuSeconds: number;
}

/**
 * A thief of a bootstrap token makes 1,000 requests of 27 KB each minute, all for the names of one instance. A minute later the kubelet of
 * another instance makes one.
 */
export async function measureBesideHostile(): Promise<BesideHostile> {
  const { world, token, names } = await startWorld();
  const [attacked = '', genuine = ''] = names;
  const hostile = requestOf(world, attacked, namesOfBytes(hostileBytes));
  const flood = async (): Promise<void> => {
    for (let count = 0; count < hostileRequests; count += 1) await ask(world, token, hostile);
  };
  await flood();
  await world.timeline.pass(60);
  await flood();
  const name = await ask(world, token, requestOf(world, genuine));
  let cpu = 0;
  for (let seconds = 1; seconds <= longestSeconds; seconds += 1) {
    const before = process.cpuUsage();
    await world.timeline.pass(1);
    const { user, system } = process.cpuUsage(before);
    cpu += user + system;
    if (isApproved(world, name)) return { seconds, cpuSeconds: cpu / 1e6 };
    if (seconds % 60 === 0) await flood();
  }
  throw new Error(`the genuine request was not approved within ${longestSeconds} s`);
}

/** Two instances whose kubelets make no requests of their own. */
async function startWorld() {
  const world = createDroverWorld({
    kubelets: { ask: { bootstrapParameter: () => '' }, configure: () => undefined },
  });
  await world.lambda.invoke('bootstrap-credential', {});
  addGroup(world, { autoScalingGroupName: 'workers', clusterName, size: 2, settings: { MaxSize: 2 } });
  await world.timeline.pass(90);
  const { DROVER_BOOTSTRAP_PARAMETER: parameter = '' } =
    world.lambda.functionOf('bootstrap-credential').environment;
  const token: string = parse(world.account.ssm.controls.value(parameter) ?? '').users[0].user.token;
  const { Reservations = [] } = world.account.ec2.operations.DescribeInstances({});
  const names = Reservations.flatMap(({ Instances = [] }) =>
    Instances.map(({ PrivateDnsName = '' }) => PrivateDnsName),
  );
  return { world, token, names };
}

/** Alternative names of so many bytes together, as many and as short as they can be. */
const namesOfBytes = (bytes: number): readonly string[] =>
  Array.from({ length: Math.floor(bytes / 8) }, (_, index) => index.toString(36).padStart(6, 'a'));

function requestOf(world: DroverWorld, nodeName: string, dnsNames: readonly string[] = []): string {
  const key = createKey(world.account.random.secretBytes);
  return createCertificateRequest({
    key,
    subject: { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] },
    dnsNames,
  });
}

async function ask({ kubernetes }: DroverWorld, token: string, pem: string): Promise<string> {
  const { status, body } = await kubernetes.sendHttp({
    method: 'POST',
    url: `https://kubernetes.sandbox${requestsPath}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    timeoutMilliseconds: 1000,
    body: JSON.stringify({
      metadata: { generateName: 'csr-' },
      spec: {
        request: Buffer.from(pem).toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        usages: ['digital signature', 'client auth'],
      },
    }),
  });
  if (status !== 201) throw new Error(`${status} ${body}`);
  return (JSON.parse(body) as { readonly metadata: { readonly name: string } }).metadata.name;
}

const isApproved = ({ kubernetes }: DroverWorld, name: string): boolean =>
  kubernetes.store
    .of(requestsResource)
    .list()
    .some(
      ({ metadata, status }) =>
        metadata?.name === name && status?.conditions?.some(({ type }) => type === 'Approved') === true,
    );
