import { visibleInstances } from './lifecycle.ts';
import type { Ec2World } from './model.ts';

/** The instances with their tags as they are now, so that they can be shown later. */
export const pastWorld = (world: Ec2World): Ec2World => ({
  ...world,
  instances: new Map(
    visibleInstances(world).map((instance) => [
      instance.instanceId,
      {
        ...instance,
        tags: new Map(instance.tags),
        interfaces: instance.interfaces.map((one) => ({ ...one, addresses: [...one.addresses] })),
      },
    ]),
  ),
});
