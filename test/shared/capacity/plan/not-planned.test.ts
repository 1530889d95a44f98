import type { PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { expect, it } from 'vitest';
import { whyNotPlanned } from '../../../../shared/capacity/plan/not-planned.ts';
import { podOf } from './fixtures.ts';

it.each([
  ['another scheduler', { schedulerName: 'volcano' }, 'the scheduler volcano decides about it'],
  ['scheduling gates', { schedulingGates: [{ name: 'quota' }, { name: 'image' }] }, 'gate quota, image'],
  [
    'ResourceClaims',
    { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'gpus' }] },
    'ResourceClaims',
  ],
  ['ResourceClaims of a kind that is not known', { resourceClaims: [{ name: 'gpu' }] }, 'ResourceClaims'],
] as const)('no plan is made for a pod with %s, and it says so', (_, spec, reason) => {
  expect(whyNotPlanned(podOf('web', { spec: spec as unknown as Partial<PodSpec> }))).toContain(reason);
});

it('a plan is made for a pod that names the default scheduler or none', () => {
  expect(whyNotPlanned(podOf('web'))).toBeUndefined();
  expect(
    whyNotPlanned(podOf('web', { spec: { schedulerName: 'default-scheduler', schedulingGates: [] } })),
  ).toBeUndefined();
});
