import { createCertificateRequest, createKey } from '@drover/cloud-sandbox/kubernetes';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { addGroup } from '../../local/cloud/furnish.ts';
import { clusterName } from '../../local/names.ts';
import { createDroverWorld, type DroverWorld } from '../../local/world/drover-world.ts';
import { measureBesideHostile } from '../../scripts/bench/hostile-requests.ts';

const requestsPath = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const requestsResource = 'certificatesigningrequests.certificates.k8s.io';

/** So many instances that run and have no kubelet of their own: the test asks in their place. */
async function startWorld(size: number) {
  const calls: string[] = [];
  const world: DroverWorld = createDroverWorld({
    kubelets: { ask: { bootstrapParameter: () => '' }, configure: () => undefined },
    weather: {
      onCall: ({ caller, to, what }) => {
        if (caller === 'certificate-requests' && to === 'aws') calls.push(what);
      },
    },
  });
  await world.lambda.invoke('bootstrap-credential', {});
  addGroup(world, {
    autoScalingGroupName: 'workers',
    clusterName,
    size,
    settings: { MaxSize: size },
  });
  await world.timeline.pass(90);
  const { DROVER_BOOTSTRAP_PARAMETER: parameter = '' } =
    world.lambda.functionOf('bootstrap-credential').environment;
  const token = parse(world.account.ssm.controls.value(parameter) ?? '').users[0].user.token;
  const { Reservations = [] } = world.account.ec2.operations.DescribeInstances({});
  const names = Reservations.flatMap(({ Instances = [] }) =>
    Instances.map(({ PrivateDnsName = '' }) => PrivateDnsName),
  );
  return { world, calls, names, token };
}

/** With a key of its own. */
async function ask({ kubernetes, account }: DroverWorld, token: string, nodeName: string): Promise<void> {
  const pem = createCertificateRequest({
    key: createKey(account.random.secretBytes),
    subject: { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] },
  });
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
}

const decisions = ({ kubernetes }: DroverWorld): readonly string[] =>
  kubernetes.store
    .of(requestsResource)
    .list()
    .map(({ status }) => status?.conditions?.[0]?.type ?? 'pending');

test('a thousand nodes that ask at once are decided within two minutes, with at most thirty calls to AWS', async () => {
  const { world, calls, names, token } = await startWorld(1000);
  expect(names).toHaveLength(1000);
  for (const name of names) await ask(world, token, name);
  calls.length = 0;
  await world.timeline.pass(120);
  expect(new Set(decisions(world))).toEqual(new Set(['Approved']));
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.length).toBeLessThanOrEqual(30);
  expect(world.problems).toEqual([]);
});

test('a thousand keys that ask for one name delay another name by no more than a minute, and none of them is approved', async () => {
  const { world, names, token } = await startWorld(2);
  const [attacked = '', other = ''] = names;
  for (let count = 0; count < 1000; count += 1) await ask(world, token, attacked);
  await ask(world, token, other);
  await world.timeline.pass(61);
  const all = decisions(world);
  expect(all.filter((decision) => decision === 'Approved')).toHaveLength(1);
  expect(all.filter((decision) => decision === 'pending')).toHaveLength(1000);
  expect(world.problems).toEqual([]);
});

test('a genuine request is approved within a minute beside 1,000 hostile ones of 27 KB each minute', async () => {
  const { seconds } = await measureBesideHostile();
  expect(seconds).toBeLessThanOrEqual(60);
});
