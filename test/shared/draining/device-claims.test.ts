import type { Pod, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { planWarnings } from '../../../cli/drain/plan-warnings.ts';
import { claimsOfDevices } from '../../../shared/draining/device-claims.ts';
import { describeWaitingPod, drainProgress } from '../../../shared/draining/drain-progress.ts';
import type { ActionAnswer } from '../../../shared/draining/evict-pods.ts';
import { type DrainPlanInput, planDrain } from '../../../shared/draining/plan-drain.ts';
import { automatedDefaults } from '../../../shared/draining/pod-filters.ts';
import { emptyDir, type PodParts, pod } from '../../support/pods.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

/** The fields of resource.k8s.io since Kubernetes 1.31, which the types of 1.30 do not have. */
interface ClaimingParts extends PodParts {
  readonly claims?: readonly object[];
  readonly statuses?: readonly object[];
  readonly extended?: object;
}

function claiming({ claims, statuses, extended, ...parts }: ClaimingParts): Pod {
  const made = pod({
    ...parts,
    spec: { ...parts.spec, ...(claims && { resourceClaims: claims }) } as PodSpec,
  });
  const more = {
    ...(statuses && { resourceClaimStatuses: statuses }),
    ...(extended && { extendedResourceClaimStatus: extended }),
  };
  return { ...made, status: { ...made.status, ...more } } as Pod;
}

const shared = { claims: [{ name: 'gpu', resourceClaimName: 'one-gpu' }] };
const ofTemplate = {
  claims: [{ name: 'gpu', resourceClaimTemplateName: 'a-gpu' }],
  statuses: [{ name: 'gpu', resourceClaimName: 'web-1-gpu-x7k2p' }],
};

const planOf = (pods: readonly Pod[], rest: Partial<DrainPlanInput> = {}) =>
  planDrain({ now, pods, options: automatedDefaults, daemonSets: new Map(), ...rest });

const reasonOf = (made: Pod): string | undefined => planOf([made]).pods[0]?.reason;

function waitsFor(made: Pod, answers: readonly ActionAnswer[] = [], at = now): readonly string[] {
  const plan = planOf([made], { now: at });
  const byUid = new Map(answers.map((answer) => [plan.pods[0]?.uid ?? '', answer]));
  return drainProgress(plan, byUid, { now: at }).waitingFor.map(describeWaitingPod);
}

const held: ActionAnswer = { kind: 'held', message: 'The disruption budget web needs 2 healthy pods' };

describe('the devices of a pod', () => {
  it.each<readonly [string, ClaimingParts, readonly object[]]>([
    ['has none without claims', {}, []],
    ['are of a ResourceClaim that outlives it', shared, [{ name: 'one-gpu', isShared: true }]],
    [
      'are of the ResourceClaim that was made from a template',
      ofTemplate,
      [{ name: 'web-1-gpu-x7k2p', isShared: false }],
    ],
    [
      'are named by the template while its ResourceClaim is not made yet',
      { claims: ofTemplate.claims },
      [{ name: 'a-gpu', isShared: false }],
    ],
    // The template asked for nothing: the API server then leaves the name out.
    ['has none if no ResourceClaim was necessary', { ...ofTemplate, statuses: [{ name: 'gpu' }] }, []],
    // https://github.com/kubernetes/kubernetes/issues/141290: such a claim is only in the status.
    [
      'are of the ResourceClaim of an extended resource',
      { extended: { resourceClaimName: 'web-1-extended-resources-9x8zq', requestMappings: [] } },
      [{ name: 'web-1-extended-resources-9x8zq', isShared: false }],
    ],
  ])('%s', (_, parts, claims) => {
    expect(claimsOfDevices(claiming(parts))).toEqual(claims);
  });

  it.each([
    {},
    { spec: null },
    { spec: { resourceClaims: null } },
    { status: { resourceClaimStatuses: null } },
  ])('has none in %j', (odd) => {
    expect(claimsOfDevices(odd as Pod)).toEqual([]);
  });
});

describe('the plan of a drain', () => {
  it('says that a shared ResourceClaim keeps its pods on the node', () => {
    expect(reasonOf(claiming(shared))).toBe(
      'ResourceClaim one-gpu keeps its pods on this node until the last of them has gone',
    );
  });

  it('says that a pod with devices of its own needs such devices elsewhere', () => {
    expect(reasonOf(claiming(ofTemplate))).toBe(
      'needs devices like those of ResourceClaim web-1-gpu-x7k2p on another node',
    );
  });

  it('says so beside its other notes, and warns of each kind', () => {
    const pods = [
      claiming({ ...shared, name: 'a', owner: null, spec: emptyDir() }),
      claiming({ ...ofTemplate, name: 'b' }),
    ];
    const plan = planOf(pods);
    expect(plan.pods[0]?.reason).toMatch(
      /^its emptyDir data is lost; no controller recreates it; ResourceClaim /,
    );
    expect(planWarnings(plan)).toEqual([
      'no controller recreates shop/a',
      'emptyDir data is lost of shop/a',
      'devices of ResourceClaims are needed on other nodes for shop/a, shop/b',
    ]);
  });

  it('says nothing of the devices of a pod that has finished, which are free already', () => {
    expect(reasonOf(claiming({ ...shared, phase: 'Succeeded' }))).toBe('has finished (Succeeded)');
  });

  it('changes no verdict: a pod with claims is evicted like any other', () => {
    expect(planOf([claiming(shared)]).actions).toEqual(planOf([pod()]).actions);
  });

  // https://github.com/kubernetes/kubernetes/issues/141471: without grace the device is given to another pod while this one still uses it.
  it('gives a pod with devices at least a second of grace at the deadline', () => {
    const plan = planOf([claiming({ ...ofTemplate, graceSeconds: 0 })], { deadline: now, limit: now });
    expect(plan.actions).toMatchObject([{ kind: 'delete', gracePeriodSeconds: 1 }]);
  });
});

describe('a drain that waits for a pod with devices', () => {
  it('names the ResourceClaim by which the replacement cannot start while a budget waits for it', () => {
    expect(waitsFor(claiming(shared), [held])).toEqual([
      'shop/web-1 (budget web; ResourceClaim one-gpu keeps its pods on this node until the last of them has gone)',
    ]);
    expect(waitsFor(claiming(ofTemplate), [held])).toEqual([
      'shop/web-1 (budget web; needs devices like those of ResourceClaim web-1-gpu-x7k2p on another node)',
    ]);
  });

  // https://github.com/kubernetes/kubernetes/issues/129402, kubernetes-sigs/kernel-module-management#1332: the driver went first.
  it('names the ResourceClaim that a kubelet cannot release once the grace is over', () => {
    const late = claiming({ ...ofTemplate, terminatesAt: now - 60_000 });
    expect(waitsFor(late)).toEqual([
      'shop/web-1 (terminating; its kubelet needs the driver of ResourceClaim web-1-gpu-x7k2p to release the devices)',
    ]);
    expect(waitsFor(pod({ terminatesAt: now - 60_000 }))).toEqual(['shop/web-1 (terminating)']);
  });

  // https://github.com/kubernetes/kubernetes/issues/127188: it takes some seconds longer than without devices.
  it('does not suspect the driver within the grace, nor in the seconds after it', () => {
    for (const terminatesAt of [now + 5000, now - 9000])
      expect(waitsFor(claiming({ ...ofTemplate, terminatesAt }))).toEqual(['shop/web-1 (terminating)']);
  });
});
