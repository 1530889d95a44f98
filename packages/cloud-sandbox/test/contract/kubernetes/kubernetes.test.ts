import { afterAll, beforeAll } from 'vitest';
import { contract } from '../../../truth/contract.ts';
import { kubernetesCases } from './cases.ts';
import { type SandboxServer, startSandboxServer } from './sandbox-server.ts';
import { kubernetesWorld } from './world.ts';

let server: SandboxServer | undefined;
beforeAll(async () => {
  server = await startSandboxServer();
});
afterAll(() => server?.close());

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
    return kubernetesWorld(server.address);
  },
});
