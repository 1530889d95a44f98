import { fakeContext, namedInstance } from '../../../local/world/certificates/context.ts';
import { clientRequest, createPem } from '../../../local/world/certificates/requests.ts';
import { decideRequests } from '../../../shared/certificates/decide-requests.ts';
import type { Figure, Suite } from '../figure.ts';
import { measureBesideHostile } from '../hostile-requests.ts';

const requests = 1000;
const goalSeconds = 2;
const goalBesideHostileSeconds = 60;

const nameOf = (index: number): string =>
  `ip-10-0-${Math.floor(index / 256)}-${index % 256}.eu-west-1.compute.internal`;

/** As many launching instances, each of which asks with a key of its own. */
async function askingInstances() {
  const names = Array.from({ length: requests }, (_, index) => nameOf(index));
  const pems = await Promise.all(
    names.map((name) => createPem({ subject: `O=system:nodes,CN=system:node:${name}` })),
  );
  return fakeContext({
    requests: pems.map((pem) => clientRequest(pem)),
    instances: names.map((name, index) =>
      namedInstance({ instanceId: `i-${index.toString(16).padStart(17, '0')}`, nodeNames: [name] }),
    ),
  });
}

async function run(): Promise<readonly Figure[]> {
  const { context, written } = await askingInstances();
  const before = process.cpuUsage();
  await decideRequests(context);
  const { user, system } = process.cpuUsage(before);
  if (written.size !== requests) throw new Error(`${written.size} of ${requests} requests were decided`);
  const beside = await measureBesideHostile();
  return [
    {
      name: 'a genuine request beside 1,000 hostile ones of 27 KB each minute: simulated time until it is approved',
      value: beside.seconds,
      unit: 's',
      goal: goalBesideHostileSeconds,
    },
    {
      name: 'the same: all functions and the simulated API server meanwhile',
      value: beside.cpuSeconds,
      unit: 'CPU s',
    },
    {
      name: `${requests} requests, all at once: read, checked and decided`,
      value: (user + system) / 1e6,
      unit: 'CPU s',
      goal: goalSeconds,
    },
  ];
}

export const certificates: Suite = {
  name: 'certificates',
  about:
    'the first decisions of a process about certificate requests, without the calls to AWS and to the API server; a genuine request beside hostile ones',
  run,
};
