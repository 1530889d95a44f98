import type { CloudOptions } from '@drover/cloud-sandbox';

/** EC2 and Auto Scaling take their time; where nobody asks how long, they take less. */
export const quickTimings = {
  ec2: { bootSeconds: 0.5, terminateSeconds: 1 },
  autoScaling: { reconcileSeconds: 0.2, stepSeconds: 0.2, healthCheckSeconds: 5 },
} satisfies CloudOptions['timings'];
