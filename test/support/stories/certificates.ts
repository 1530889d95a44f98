import { nodeUser } from '../../../local/world/certificates/requests.ts';
import { createDroverWorld, withWorkers } from '../../../local/world/drover-world.ts';
import { askForCertificate } from '../certificates/kubelet.ts';
import { nodeNameOf } from '../observed-instance.ts';
import { complaints, type Story } from './story.ts';

/** A node renews its certificate. */
export const certificates: Story = async (options) => {
  const world = createDroverWorld(options);
  const [instanceId = ''] = await withWorkers(world, { size: 1 });
  const name = nodeNameOf(world, instanceId);
  const verdict = await askForCertificate(world, {
    name: 'renewal',
    user: nodeUser(name),
    signer: 'client',
    subject: `O=system:nodes,CN=system:node:${name}`,
  });
  await world.timeline.pass(61);
  return verdict() === 'Approved' ? [] : [verdict(), ...complaints(world)];
};
