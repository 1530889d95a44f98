import { describe, expect, test } from 'vitest';
import { signers } from '../../shared/certificates/certificate-request.ts';
import { isNodeReady } from '../../shared/draining/node-condition.ts';
import { createDroverWorld, type DroverWorld, nodesOf, withWorkers } from '../support/drover-world.ts';

/** Kubelets that join with the credential that Drover publishes. */
async function worldOfAskingKubelets(): Promise<DroverWorld> {
  const world = createDroverWorld({
    kubelets: { ask: { bootstrapParameter: () => '/drover/drover/bootstrap-kubeconfig' } },
  });
  await world.lambda.invoke('bootstrap-credential', {});
  return world;
}

const readyNodes = ({ kubernetes }: DroverWorld): number =>
  kubernetes.store
    .of('nodes')
    .list()
    .filter((node) => isNodeReady(node)).length;

/** How many requests of the signer have a certificate. */
const issued = ({ kubernetes }: DroverWorld, signerName: string): number =>
  kubernetes.store
    .of('certificatesigningrequests.certificates.k8s.io')
    .list()
    .filter(({ spec, status }) => spec?.signerName === signerName && status?.certificate !== undefined)
    .length;

describe('kubelets that ask for their certificates', () => {
  test('join with the published credential, each approved within a minute for both signers', async () => {
    const world = await worldOfAskingKubelets();
    await withWorkers(world, { size: 5 });
    await world.timeline.until(() => readyNodes(world) === 5, {
      withinSeconds: 180,
      what: 'five Ready nodes',
    });
    await world.timeline.until(() => issued(world, signers.serving) === 5, {
      withinSeconds: 180,
      what: 'five serving certificates',
    });
    expect(issued(world, signers.client)).toBe(5);
    expect(world.problems).toEqual([]);
  });

  test('do not join while certificate-requests is stopped: nothing else approves', async () => {
    const world = await worldOfAskingKubelets();
    world.account.events.operations.DisableRule({ Name: 'drover-dev-certificate-requests' });
    await withWorkers(world, { size: 2 });
    await world.timeline.pass(1800);
    expect(nodesOf(world)).toEqual([]);
    expect(issued(world, signers.client)).toBe(0);
  });
});
