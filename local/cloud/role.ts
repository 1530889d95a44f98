import type { SimulatedInstance } from '@drover/cloud-sandbox/aws';

/** The role that the tags of an instance's group give it. */
export const roleOf = ({ tags }: SimulatedInstance): string => tags.get('drover.dev/role') ?? 'worker';
