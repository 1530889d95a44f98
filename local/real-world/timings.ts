import type { CloudOptions } from '@drover/cloud-sandbox';

/** Shorter times for EC2 and Auto Scaling, for tests that do not depend on them. */
export const quickTimings = {
  ec2: { bootSeconds: 0.5, terminateSeconds: 1 },
  autoScaling: { reconcileSeconds: 0.2, stepSeconds: 0.2, healthCheckSeconds: 5 },
} satisfies CloudOptions['timings'];
