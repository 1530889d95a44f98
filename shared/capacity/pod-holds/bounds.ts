/** Of one hold or schedule. */
export const mostHeldPods = 10_000;
