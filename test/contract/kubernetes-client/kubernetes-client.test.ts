import { afterAll, beforeAll } from 'vitest';
import { testNamespace } from '../../../packages/cloud-sandbox/test/contract/kubernetes/eviction/namespace.ts';
import { sandboxApi } from '../../../packages/cloud-sandbox/test/contract/kubernetes/eviction/sandbox-api.ts';
import {
  type SandboxServer,
  startSandboxServer,
} from '../../../packages/cloud-sandbox/test/contract/kubernetes/sandbox-server.ts';
import { kubernetesWorld } from '../../../packages/cloud-sandbox/test/contract/kubernetes/world.ts';
import { contract } from '../../../packages/cloud-sandbox/truth/contract.ts';
import { kubernetesClientCases } from './cases.ts';
import { evictionAnswerCases } from './eviction-cases.ts';

const claim = { area: "Drover's Kubernetes client", world: 'sandbox' };

let server: SandboxServer | undefined;
beforeAll(async () => {
  server = await startSandboxServer();
});
afterAll(() => server?.close());

contract({
  ...claim,
  cases: kubernetesClientCases,
  open: () => {
    if (!server) throw new Error('the server is not up');
    return kubernetesWorld(server.address);
  },
});

contract({ ...claim, cases: evictionAnswerCases, open: () => testNamespace(sandboxApi(), 'shop') });
