import { createVirtualClock } from '@drover/cloud-sandbox/simulation';
import { describe, expect, it } from 'vitest';
import type { Host } from '../../../shared/runtime/host.ts';
import { composePodsReader } from '../../../shared/runtime/pods-reader.ts';

/** The environment that every prewarm has: nothing that the reader needs is missing. */
const hostWith = (podHolds: string | undefined): Host => ({
  environment: {
    AWS_REGION: 'eu-west-1',
    DROVER_CLUSTER: 'drover',
    DROVER_KUBECONFIG_PARAMETER: '/drover/drover/kubeconfig',
    DROVER_JOIN_TIMEOUT: '720',
    DROVER_POD_HOLDS: podHolds,
  },
  clock: createVirtualClock(),
  randomBytes: (size) => new Uint8Array(size),
  sendHttp: () => Promise.reject(new Error('nothing is read yet')),
  writeLine: () => undefined,
});

describe('what the pods of holds are read with', () => {
  it('is there once the deployment has opted in, and asks nothing yet', () => {
    expect(composePodsReader(hostWith('on'))).toMatchObject({ joinTimeoutSeconds: 720 });
  });

  it.each([['off'], [undefined]])(
    'is not there with podHolds %s, although everything else is',
    (podHolds) => {
      expect(composePodsReader(hostWith(podHolds))).toBeUndefined();
    },
  );

  it('is refused for another value: a mistyped opt-in must not be one', () => {
    expect(() => composePodsReader(hostWith('yes'))).toThrow(/DROVER_POD_HOLDS/);
  });
});
