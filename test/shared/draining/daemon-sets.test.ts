import { describe, expect, it } from 'vitest';
import { daemonSetsToLookUp, lookUpDaemonSets } from '../../../shared/draining/daemon-sets.ts';
import { controller, pod } from '../../support/pods.ts';

const agent = controller('DaemonSet', 'agent');

describe('the look-up of DaemonSets', () => {
  it('reads each DaemonSet once, and none for finished pods or other controllers', () => {
    const pods = [
      pod({ name: 'a', owner: agent }),
      pod({ name: 'b', owner: agent }),
      pod({ name: 'c', owner: agent, namespace: 'kube-system' }),
      pod({ name: 'd', owner: controller('DaemonSet', 'done'), phase: 'Succeeded' }),
      pod({ name: 'e' }),
    ];
    expect(daemonSetsToLookUp(pods)).toEqual([
      { namespace: 'shop', name: 'agent' },
      { namespace: 'kube-system', name: 'agent' },
    ]);
  });

  it('gathers the answers by namespace and name', async () => {
    const lookUp = (namespace: string) =>
      Promise.resolve(namespace === 'shop' ? 'found' : 'gone') as Promise<'found'>;
    const answers = await lookUpDaemonSets([pod({ owner: agent })], lookUp);
    expect([...answers]).toEqual([['shop/agent', 'found']]);
  });
});
