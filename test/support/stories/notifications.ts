import { nodeUser } from '../../../local/world/certificates/requests.ts';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { putHold } from '../../../local/world/holds.ts';
import { askForCertificate } from '../certificates/kubelet.ts';
import { nodeNameOf } from '../observed-instance.ts';
import { complaints, type Story } from './story.ts';

/** A node asks for a certificate with an address that no instance of its has. */
export const refusedCertificate: Story = async (options) => {
  const world = createDroverWorld(options);
  const [instanceId = ''] = await withWorkers(world, { size: 1 });
  const node = nodeNameOf(world, instanceId);
  const verdict = await askForCertificate(world, {
    name: 'stolen',
    user: nodeUser(node),
    signer: 'serving',
    subject: `O=system:nodes,CN=system:node:${node}`,
    ipAddresses: ['192.0.2.1'],
  });
  await world.timeline.pass(61);
  return [...(verdict().startsWith('Denied') ? [] : [verdict()]), ...complaints(world)];
};

/** A hold asks for more nodes than its group may have. */
export const shortHold: Story = async (options) => {
  const world = createDroverWorld(options);
  await withWorkers(world, { size: 1, settings: { MaxSize: 1 } });
  putHold(world, { nodes: 2, minutes: 60 });
  await world.timeline.pass(20 * 60);
  return complaints(world);
};
