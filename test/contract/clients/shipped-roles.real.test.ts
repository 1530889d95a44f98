import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubernetes } from '@drover/cloud-sandbox/real/programs.ts';
import {
  type KubectlWorld,
  kubectlWorld,
} from '@drover/cloud-sandbox/test/contract/clients/kubectl/kubectl.ts';
import { type Cases, contract } from '@drover/cloud-sandbox/truth/contract.ts';
import { afterAll, beforeAll, expect } from 'vitest';
import { interrupt, type StartedSandbox, startSandbox } from '../../local/wire/support/started-sandbox.ts';

const home = mkdtempSync(join(tmpdir(), 'kubectl-home-'));
let sandbox: StartedSandbox | undefined;

beforeAll(async () => {
  if (kubernetes.missing === undefined) sandbox = await startSandbox('--no-story');
});

afterAll(async () => {
  if (sandbox !== undefined) await interrupt(sandbox);
  rmSync(home, { recursive: true, force: true });
});

/** The other cases of kubectl are those of the sandbox's package; these need the roles that Drover ships. */
const cases: Cases<KubectlWorld> = {
  'what deploy/rbac.yaml gives is what Drover may, and no more': async ({ anywhere, tried }) => {
    const drover = '--as drover --as-group drover';
    for (const may of [
      'delete nodes',
      'create pods --subresource=eviction -n any',
      'patch nodes',
      'list pods -A',
    ])
      expect(await anywhere(`auth can-i ${may} ${drover}`)).toMatch(/^yes$/m);
    for (const mayNot of [
      'delete namespaces',
      'get secrets -A',
      'create pods -n any',
      'update nodes --subresource=status',
    ])
      expect((await tried(`auth can-i ${mayNot} ${drover}`)).stdout).toMatch(/^no$/m);
    const rules = await anywhere(`auth can-i --list ${drover}`);
    expect(rules).toMatch(/^pods\/eviction +\[\] +\[\] +\[create\]$/m);
  },

  'auth reconcile finds the shipped roles as they are': async ({ anywhere }) => {
    expect(await anywhere('auth reconcile -f deploy/rbac.yaml')).toMatch(
      /^clusterrole\.rbac\.authorization\.k8s\.io\/drover reconciled$/m,
    );
    expect(await anywhere('diff -f deploy/rbac.yaml')).toBe('');
  },
};

contract({
  area: 'kubectl',
  world: `kubectl ${kubernetes.version}`,
  cases,
  open: () => {
    if (sandbox === undefined) throw new Error('the sandbox does not run');
    return kubectlWorld({ KUBECONFIG: sandbox.ready.kubeconfig, HOME: home }, 'default');
  },
  missing: kubernetes.missing,
});
