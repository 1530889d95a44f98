import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import type { Ec2Instance } from '../../../shared/groups/ec2.ts';
import { whyInstanceIsGone } from '../../../shared/leaving/end-if-instance-gone.ts';
import { createNodeContext } from '../../support/leaving-context.ts';

const instanceId = 'i-0a1b2c3d4e5f60718';

const nodeThat = (ready: 'True' | 'False' | 'Unknown'): Node => ({
  metadata: { name: 'node-1', uid: 'uid-1' },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});

const inState = (state: Ec2Instance['state']): Ec2Instance => ({ instanceId, state, spot: false, tags: {} });

/** Whether the instance counts as gone, and how often EC2 was asked for it. */
async function look(
  ready: 'True' | 'False' | 'Unknown',
  { now, seen }: { readonly now?: Ec2Instance['state']; readonly seen?: Ec2Instance['state'] },
) {
  const node = nodeThat(ready);
  const { context } = createNodeContext(0, node);
  let asked = 0;
  const ec2 = {
    describeInstance: () => {
      asked += 1;
      return Promise.resolve(now && inState(now));
    },
  };
  const gone = await whyInstanceIsGone({ ...context, ec2 }, { instanceId, node, ec2: seen && inState(seen) });
  return { gone: gone !== undefined, asked };
}

describe('an instance that still waits on a hook', () => {
  it('is not looked up in EC2 while its kubelet reports, ready or not', async () => {
    expect(await look('True', { now: 'terminated' })).toEqual({ gone: false, asked: 0 });
    expect(await look('False', { now: 'terminated' })).toEqual({ gone: false, asked: 0 });
  });

  it.each([
    ['terminated', true],
    ['shutting-down', true],
    ['running', false],
    ['stopping', false],
    ['stopped', false],
  ] as const)('is asked about once its kubelet is silent; %s: gone is %s', async (now, gone) => {
    expect(await look('Unknown', { now })).toEqual({ gone, asked: 1 });
  });

  it('is not gone because EC2 does not know it: EC2 may know it a minute later', async () => {
    expect(await look('Unknown', {})).toEqual({ gone: false, asked: 1 });
  });

  it('is gone once EC2 reports it terminated, whatever its Node says, but not while it shuts down', async () => {
    expect(await look('True', { seen: 'terminated' })).toEqual({ gone: true, asked: 0 });
    expect(await look('True', { seen: 'shutting-down' })).toEqual({ gone: false, asked: 0 });
    expect(await look('Unknown', { seen: 'shutting-down' })).toEqual({ gone: true, asked: 0 });
  });
});
