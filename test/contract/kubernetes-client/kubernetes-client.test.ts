import { testNamespace } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/namespace.ts';
import { sandboxApi } from '@drover/cloud-sandbox/test/contract/kubernetes/eviction/sandbox-api.ts';
import {
  type SandboxServer,
  startSandboxServer,
} from '@drover/cloud-sandbox/test/contract/kubernetes/sandbox-server.ts';
import { kubernetesWorld } from '@drover/cloud-sandbox/test/contract/kubernetes/world.ts';
import { contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { afterAll, beforeAll } from 'vitest';
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
