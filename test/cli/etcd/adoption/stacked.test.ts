import { describe, expect, it } from 'vitest';
import { stackedOn } from '../../../../cli/etcd/adoption/kubernetes-view.ts';
import { refusalsOf } from '../../../../cli/etcd/adoption/refusals.ts';
import { observed } from './observed.ts';

const id = 'i-0aaaaaaaaaaaaaaaa';
const instances = [{ instanceId: id, address: '10.0.0.7' }];
const node = (address: string | undefined, providerID?: string) => ({
  metadata: { name: 'master-1' },
  spec: { ...(providerID !== undefined && { providerID }) },
  status: { addresses: address === undefined ? [] : [{ type: 'InternalIP', address }] },
});
const member = (hostIP?: string) => ({
  spec: { nodeName: 'master-1', containers: [] },
  status: { ...(hostIP !== undefined && { hostIP }) },
});

describe('the instance of a Node that runs a member as a static pod', () => {
  it.each([
    ['its providerID', node(undefined, `aws:///eu-central-1a/${id}`), member()],
    ['an address of the Node, without a providerID', node('10.0.0.7'), member()],
    ['the address of its pod, without a providerID', node(undefined), member('10.0.0.7')],
    ['the address, with a providerID of another cloud', node('10.0.0.7', 'metal://rack/7'), member()],
  ])('is known by %s', (_, one, pod) => {
    expect([...stackedOn([pod], { nodes: [one], instances })]).toEqual([['master-1', id]]);
  });

  it('is none of the groups if its addresses are those of no instance', () => {
    expect(stackedOn([member()], { nodes: [node('10.9.9.9')], instances }).size).toBe(0);
  });

  it('is unknown without a providerID and an address, and the adoption is refused', () => {
    for (const nodes of [[node(undefined)], []]) {
      const stacked = stackedOn([member()], { nodes, instances });
      expect([...stacked]).toEqual([['master-1', undefined]]);
      const kubernetes = {
        kind: 'read' as const,
        stacked,
        etcdServers: new Map(),
        server: 'https://api.test',
        stored: 'same' as const,
      };
      expect(refusalsOf(observed([{}, {}, {}], { kubernetes }))).toMatchObject([
        { subject: 'master-1', reason: expect.stringContaining('neither a providerID nor an address') },
      ]);
    }
  });
});
