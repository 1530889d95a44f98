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
    'an unknown field of a spec is refused with strict validation',
    'it has no schemas: unknown fields are found in metadata and beside it, those of a spec are kept',
  ],
  ['a duplicate field is refused with strict validation', 'the last one counts'],
  [
    'managedFields records the manager of each field',
    'that is written down of who applies, not of other writers',
  ],
  [
    'an apply of a field that an update wrote is a conflict',
    'only who applies is in conflict with others who apply',
  ],
  ['a pod with a missing ServiceAccount is forbidden', 'a pod may name any, and gets no token of it'],
  ['a pod mounts the token of its ServiceAccount by default', 'no token is mounted'],
  ['quantities are stored in their shortest form', 'they are kept as they were sent'],
  [
    'a used bootstrap token is accepted for some seconds after its deletion',
    'it is unknown at once: nothing is cached',
  ],
  ['the token of a ServiceAccount is a JSON Web Token', 'it is opaque'],
  ['OpenAPI has schemas', 'it has paths and their parameters'],
  ['OpenAPI v2 exists', 'it is not found'],
  ['a response names its flow schema and priority level', 'there is no API priority and fairness'],
  ['a client that accepts protobuf gets protobuf', 'it is read, and answered with JSON'],
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
