import type { Pod } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import { apiServersIn, whyNoApiServer } from '../../../shared/roll/api-servers.ts';
import { apiServerOn, newMember } from './fixture.ts';

const fresh = newMember(1);
const name = fresh.node?.metadata?.name ?? '';
const why = (pods: readonly Pod[], member = fresh) => whyNoApiServer(member, apiServersIn(pods));
const other = apiServerOn('another');

describe('the API server of a node', () => {
  it('answers once its mirror pod is Ready', () => {
    expect(why([other, apiServerOn(name)])).toBeUndefined();
    expect(why([other, apiServerOn(name, { ready: false })])).toBe(`the API server of ${name} is not Ready`);
  });

  it('is waited for before its mirror pod exists, if another node has one', () => {
    expect(why([other])).toBe(`the API server of ${name} is not Ready`);
  });

  it('does not answer any more while its mirror pod is being deleted', () => {
    const pod = apiServerOn(name);
    const deletionTimestamp = '2026-11-29T08:00:00Z';
    expect(why([{ ...pod, metadata: { ...pod.metadata, deletionTimestamp } }])).toContain('is not Ready');
  });

  it('is not asked for if none has a mirror pod, and not without a Node', () => {
    expect(why([])).toBeUndefined();
    const { node: _node, ...unjoined } = fresh;
    expect(why([other], unjoined)).toBeUndefined();
  });

  it.each<[string, Pod['metadata']]>([
    ['in another namespace', { namespace: 'shop' }],
    ['that no kubelet mirrors', { annotations: {} }],
    ['of another name', { name: `kube-scheduler-${name}` }],
  ])('is not shown by a pod %s', (_, metadata) => {
    const pod = apiServerOn(name);
    expect(apiServersIn([{ ...pod, metadata: { ...pod.metadata, ...metadata } }]).size).toBe(0);
  });
});
