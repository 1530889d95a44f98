import type { PodRequest } from '../../../../shared/capacity/pod-holds/pod-request.ts';

/** Forty pods of a Deployment. */
export const web = (changes: Partial<PodRequest> = {}): PodRequest => ({
  namespace: 'shop',
  total: 40,
  template: {
    labels: { app: 'web' },
    spec: { containers: [{ name: 'web', resources: { requests: { cpu: '500m', memory: '1Gi' } } }] },
  },
  selector: { matchLabels: { app: 'web' } },
  ...changes,
});

/** So much room at all times. */
export const headroom = (changes: Partial<PodRequest> = {}): PodRequest => {
  const { selector: _, ...rest } = web(changes);
  return rest;
};
