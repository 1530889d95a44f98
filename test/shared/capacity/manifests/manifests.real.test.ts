import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubernetes, program } from '@drover/cloud-sandbox/real/programs.ts';
import { runClient } from '@drover/cloud-sandbox/real/run-client.ts';
import {
  type BareCluster,
  startBareCluster,
} from '@drover/cloud-sandbox/test/contract/kubernetes/bare-cluster.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifestCases } from './cases.ts';

let cluster: BareCluster | undefined;
const home = mkdtempSync(join(tmpdir(), 'kubectl-home-'));

beforeAll(async () => {
  if (!kubernetes.isInstalled) return;
  cluster = await startBareCluster();
  for (const name of ['default', 'shop'])
    await cluster.api.send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } });
});
afterAll(async () => {
  await cluster?.close();
  rmSync(home, { recursive: true, force: true });
});

/** What kubectl and a real API server say about a manifest, without keeping it; undefined if they accept it. */
async function refusalOf(text: string): Promise<string | undefined> {
  const { code, stderr } = await runClient({
    command: program(kubernetes, 'kubectl'),
    options: ['create', '--dry-run=server', '--validate=strict', '-f', '-'],
    environment: { KUBECONFIG: cluster?.controlPlane.kubeconfig ?? '', HOME: home },
    input: text,
  });
  return code === 0 ? undefined : stderr;
}

/** The last name of a path, because messages of the server write paths in other ways. A quantity that it cannot read has no path there. */
function expectRefusal(refusal: string, field: string): void {
  const lastName = /(\w+)(?:\[\d+\])?$/.exec(field)?.[1] ?? field;
  if (!/quantities must match|unmarshal/.test(refusal)) expect(refusal).toContain(lastName);
}

describe.skipIf(!kubernetes.isInstalled)(
  `the manifests whose problems are known, at kube-apiserver ${kubernetes.version}`,
  { concurrent: true },
  () => {
    for (const [title, { text, wrong, stricter }] of Object.entries(manifestCases)) {
      const isAccepted = wrong === undefined || stricter === true;
      test(`${title} is ${isAccepted ? 'accepted' : 'refused'} there`, async () => {
        const refusal = await refusalOf(text);
        if (isAccepted) return expect(refusal).toBeUndefined();
        expect(refusal).toBeDefined();
        return expectRefusal(refusal ?? '', wrong);
      });
    }
  },
);
