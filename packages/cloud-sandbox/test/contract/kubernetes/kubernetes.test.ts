import { afterAll, beforeAll } from 'vitest';
import { createKubernetes } from '../../../src/kubernetes/kubernetes.ts';
import { createCertificateAuthority } from '../../../src/kubernetes/wire/certificates.ts';
import { type KubernetesServer, serveKubernetes } from '../../../src/kubernetes/wire/server.ts';
import { createRandom } from '../../../src/simulation/random.ts';
import { createRealClock } from '../../../src/simulation/real-clock.ts';
import { contract } from '../../../truth/contract.ts';
import { kubernetesCases } from './cases.ts';
import { kubernetesWorld } from './world.ts';

const clock = createRealClock({ speed: 1 });
const authority = await createCertificateAuthority(clock.now());
const cluster = createKubernetes({
  clock,
  random: createRandom(5),
  certificateAuthority: authority.certificate,
  signCertificate: authority.sign,
});
let server: KubernetesServer | undefined;
beforeAll(async () => {
  server = await serveKubernetes({ handle: cluster.handle, authority, port: 0 });
  clock.start();
});
afterAll(async () => {
  await server?.close();
  clock.stop();
});

/** What the sandbox leaves out, and what it does instead. */
const differs: ReadonlyMap<string, string> = new Map([
  [
    'strictly, an unknown field of a spec is refused',
    'it has no schemas: unknown fields are found in metadata and beside it, those of a spec are kept',
  ],
  ['strictly, a field that is said twice is refused', 'the last one counts'],
  ['who manages a field is written down', 'that is written down of who applies, not of other writers'],
  [
    'a field that was written by a request is a conflict for who applies it',
    'only who applies is in conflict with others who apply',
  ],
  ['a ServiceAccount that is not there is forbidden', 'a pod may name any, and gets no token of it'],
  ['a pod mounts the token of its ServiceAccount, unless it says otherwise', 'no token is mounted'],
  ['quantities are written in their shortest form', 'they are kept as they were sent'],
  [
    'a bootstrap token that was used is known for some seconds after it is deleted',
    'it is unknown at once: nothing is cached',
  ],
  ['the token of a ServiceAccount is a JSON Web Token', 'it is opaque'],
  ['OpenAPI has schemas', 'it has paths and their parameters'],
  ['OpenAPI v2 is there too', 'it is not found'],
  ['an answer says by which flow it came', 'there is no API priority and fairness'],
  ['protobuf is answered to who asks for it', 'it is read, and answered with JSON'],
]);

/** On the wire, as others meet it. */
contract({
  area: 'Kubernetes API',
  world: 'sandbox',
  cases: kubernetesCases,
  differs,
  open: () => {
    if (!server) throw new Error('the server is not up');
    const { adminToken: token } = cluster;
    return kubernetesWorld({ url: server.url, token, certificateAuthority: authority.certificate });
  },
});
