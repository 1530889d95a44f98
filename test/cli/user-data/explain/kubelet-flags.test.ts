import { describe, expect, it } from 'vitest';
import { readKubeletFlags } from '../../../../cli/user-data/explain/kubelet-flags.ts';
import { isRemovedFlag } from '../../../../cli/user-data/nodes/removed-flags.ts';

describe('a flag that kubelets have no longer', () => {
  it.each([
    // Azure/AKS#4604
    ['--keep-terminated-pod-volumes=false', '1.31'],
    ['--pod-infra-container-image=registry.example.com/pause:3.10', '1.35'],
    ['--global-housekeeping-interval=1m', '1.37'],
  ])('is reported with its version: %s', (flag, version) => {
    const [name = ''] = flag.split('=');
    expect(readKubeletFlags([flag])).toMatchObject({
      faults: [`kubelets have no ${name} from Kubernetes ${version} on, and do not start with it`],
      unexplained: [],
    });
  });

  it('never shows a password', () => {
    const read = readKubeletFlags(['--storage-driver-password=hidden-value']);
    expect(JSON.stringify(read)).not.toContain('hidden-value');
  });

  it('is known by its own name only', () => {
    expect(readKubeletFlags(['--constructor=1', '--toString=2'])).toMatchObject({
      faults: [],
      unexplained: ['kubelet --constructor', 'kubelet --toString'],
    });
    expect(isRemovedFlag('constructor', '1.99')).toBe(false);
  });

  it('is removed from its version on, whether or not a patch is given', () => {
    const name = 'pod-infra-container-image';
    expect(
      ['1.34', '1.34.9', '1.35', '1.35.0', '1.36.3'].map((version) => isRemovedFlag(name, version)),
    ).toEqual([false, false, true, true, true]);
  });
});
