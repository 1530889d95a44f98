import { describe, expect, test } from 'vitest';
import { gkeClient, kubernetesClient } from './client-cases.ts';
import { machineApproverClient } from './machine-cases.ts';
import { type PeerCase, verdictOf } from './peer-case.ts';
import { gkeServing, kubeletCsrApprover, machineApproverServing } from './serving-cases.ts';

/** The cases of other approvers' suites, in our words, and what Drover does with each. */
const suites: Readonly<Record<string, readonly PeerCase[]>> = {
  'kubernetes, client certificates': kubernetesClient,
  "GKE's approver, client certificates": gkeClient,
  "GKE's approver, serving certificates": gkeServing,
  'cluster-machine-approver, client certificates': machineApproverClient,
  'cluster-machine-approver, serving certificates': machineApproverServing,
  'kubelet-csr-approver': kubeletCsrApprover,
};

describe.each(Object.entries(suites))('what %s tries', (_, cases) => {
  for (const [what, peer, asked, expected] of cases)
    test(`${what}: the peer ${peer}`, async () => {
      const { kind, check, reason } = await verdictOf(asked);
      expect(`${kind} ${check}`, reason).toBe(expected);
    });
});

describe('the table of peers', () => {
  const all = Object.values(suites).flat();

  test('says why Drover approves what a peer does not, or the reverse, and only there', () => {
    for (const [what, peer, , expected, why] of all)
      expect(why !== undefined, `${what}: ${peer}, ${expected}`).toBe(
        (peer === 'approves') !== expected.startsWith('approve'),
      );
  });

  test('has every case of a suite once', () => {
    for (const cases of Object.values(suites))
      expect(new Set(cases.map(([what]) => what)).size).toBe(cases.length);
    expect(all.length).toBeGreaterThanOrEqual(150);
  });
});
