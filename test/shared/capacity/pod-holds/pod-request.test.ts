import { describe, expect, it } from 'vitest';
import { whyTooLong } from '../../../../shared/capacity/holds/check-hold.ts';
import { formatHold, readHold } from '../../../../shared/capacity/holds/hold.ts';
import {
  openOf,
  type PodRequest,
  plannedPodsOf,
  selectionKey,
} from '../../../../shared/capacity/pod-holds/pod-request.ts';
import { hour, start } from '../holds/fixtures.ts';
import { headroom, web } from './fixtures.ts';

const place = { autoScalingGroupName: 'workers', name: 'sale' };
const holdFor = (pods: PodRequest) => ({
  ...place,
  nodes: 0,
  pods,
  until: start + hour,
  raiseMaxSize: false,
});
const read = (pods: unknown) =>
  readHold(JSON.stringify({ version: 2, pods, until: '2026-11-23T09:00:00.000Z' }), place);

describe('a hold for pods', () => {
  it.each([
    ['pods that a selector selects', web()],
    ['headroom', headroom()],
    ['pods of a Job', web({ endsOnceBound: true })],
    [
      'pods with claims of their own',
      web({ claims: [{ name: 'data', storageClassName: 'gp3', accessModes: ['ReadWriteOnce'] }] }),
    ],
  ])('is read as it was written: %s', (_, pods) => {
    expect(readHold(formatHold(holdFor(pods)), place)).toEqual({ kind: 'hold', hold: holdFor(pods) });
  });

  it('has version 2, which an older Drover cannot read, so that it lowers nothing', () => {
    expect(JSON.parse(formatHold(holdFor(web())))).toMatchObject({ version: 2, pods: { total: 40 } });
    expect(JSON.parse(formatHold(holdFor(headroom())))).toMatchObject({ pods: { headroom: true } });
    expect(JSON.parse(formatHold({ ...holdFor(web()), nodes: 7 }))).not.toHaveProperty('nodes');
  });

  const ofContainers = (...containers: readonly object[]) => ({
    ...web(),
    template: { labels: { app: 'web' }, spec: { containers } },
  });

  it.each([
    ['no pods', { ...web(), total: 0 }],
    ['more than 10,000 pods', { ...web(), total: 10_001 }],
    ['no template', { ...web(), template: undefined }],
    ['no containers', ofContainers()],
    ['neither selector nor headroom', headroom()],
    ['both selector and headroom', { ...web(), headroom: true }],
    ['a selector of everything', { ...web(), selector: {} }],
    ['an invalid selector', { ...web(), selector: { matchExpressions: [{ key: 'app', operator: 'In' }] } }],
    ['a selector that does not select the template', { ...web(), selector: { matchLabels: { app: 'db' } } }],
    ['headroom that ends once its pods are bound', { ...headroom(), headroom: true, endsOnceBound: true }],
    ['a request that is not a quantity', ofContainers({ resources: { requests: { cpu: 'much' } } })],
  ])('cannot be read with %s, and the reason names the field', (_, pods) => {
    expect(read(pods)).toEqual({ kind: 'unreadable', ...place, why: expect.stringContaining('pods') });
  });

  it('is too long for a parameter with too many rules, and the reason has its size and what helps', () => {
    const tolerations = Array.from({ length: 100 }, (_, index) => ({
      key: `example.com/team-and-role-${index}`,
    }));
    const { template } = web();
    const long = web({ template: { ...template, spec: { ...template.spec, tolerations } } });
    expect(whyTooLong(holdFor(web()))).toBeUndefined();
    expect(whyTooLong(holdFor(long))).toMatch(
      /takes \d{4} bytes, and a parameter has place for 4096: give a/,
    );
  });
});

describe('the open pods of a hold', () => {
  const pod = (changes: object = {}) => ({
    namespace: 'shop',
    labels: { app: 'web', 'pod-template-hash': 'x' },
    isTerminating: false,
    ...changes,
  });
  const pods = (count: number, changes: object = {}) => Array.from({ length: count }, () => pod(changes));

  it('are those that are not bound, on whichever node the others are', () => {
    expect(openOf(web(), [])).toBe(40);
    expect(openOf(web(), pods(38))).toBe(2);
    expect(openOf(web(), pods(40))).toBe(0);
  });

  it('are none during the surplus of a rollout', () => {
    expect(openOf(web(), pods(50))).toBe(0);
  });

  it.each([
    ['of another namespace', { namespace: 'other' }],
    ['with other labels', { labels: { app: 'db' } }],
    ['that are terminating', { isTerminating: true }],
  ])('include the room of pods %s', (_, changes) => {
    expect(openOf(web(), pods(40, changes))).toBe(40);
  });

  it('are all of them with headroom, whatever runs', () => {
    expect(openOf(headroom(), pods(40))).toBe(40);
  });
});

describe('two requests', () => {
  it('select the same if their requirements are the same in another order', () => {
    const selecting = (...values: readonly string[]) =>
      web({ selector: { matchExpressions: [{ key: 'app', operator: 'In', values: [...values] }] } });
    expect(selectionKey(selecting('web', 'api'))).toBe(selectionKey(selecting('api', 'web')));
    expect(selectionKey(selecting('web', 'api'))).not.toBe(selectionKey(web()));
    expect(selectionKey(headroom())).toBeUndefined();
  });
});

describe('the pods of a request', () => {
  it('have the namespace of the request, its labels, and a claim each', () => {
    const request = web({ claims: [{ name: 'data', storageClassName: 'gp3' }] });
    const { pods, claims } = plannedPodsOf(request, { name: 'sale', count: 2 });
    expect(pods.map(({ metadata }) => metadata)).toEqual([
      { namespace: 'shop', name: 'sale/1', labels: { app: 'web' } },
      { namespace: 'shop', name: 'sale/2', labels: { app: 'web' } },
    ]);
    expect([...claims.keys()]).toEqual(['shop/data-sale/1', 'shop/data-sale/2']);
    expect(pods[1]?.spec?.volumes).toEqual([
      { name: 'data', persistentVolumeClaim: { claimName: 'data-sale/2' } },
    ]);
  });
});
