import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../../../shared/runtime/config.ts';

describe('the configuration', () => {
  it('reads the requested settings, with defaults for unset variables', () => {
    const config = readConfig({ DROVER_CLUSTER: 'prod', DROVER_DRAIN_TIMEOUT: '10m' }, [
      'clusterName',
      'drainTimeoutSeconds',
      'leavingHookName',
      'drainOnRebalance',
      'annotationTimeoutSeconds',
    ]);
    expect(config).toEqual({
      clusterName: 'prod',
      drainTimeoutSeconds: 600,
      leavingHookName: 'drover-node-leaving',
      drainOnRebalance: false,
      annotationTimeoutSeconds: 86_400,
    });
  });

  it('reports every mistake at once, by name and with the allowed values', () => {
    const environment = { DROVER_DRAIN_TIMEOUT: 'soon', DROVER_ON_FAILURE: 'IGNORE', AWS_REGION: '' };
    const read = () => readConfig(environment, ['clusterName', 'drainTimeoutSeconds', 'onFailure', 'region']);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/DROVER_CLUSTER is not set: it takes the cluster name/);
    expect(read).toThrow(/DROVER_DRAIN_TIMEOUT is malformed: it takes a duration/);
    expect(read).toThrow(/DROVER_ON_FAILURE is malformed: it takes CONTINUE or ABANDON/);
    expect(read).toThrow(/AWS_REGION is not set/);
  });

  it.each([
    ['system:bootstrappers:drover:worker,system:bootstrappers:kubeadm:default-node-token', true],
    ['system:bootstrappers:drover:worker,system:bootstrappers:drover:control-plane', false],
    ['system:bootstrappers:drover:etcd', false],
    ['system:masters', false],
  ])('takes the groups %s of worker tokens: %j', (groups, isTaken) => {
    const read = () => readConfig({ DROVER_BOOTSTRAP_GROUPS: groups }, ['bootstrapGroups']);
    if (isTaken) expect(read().bootstrapGroups).toBe(groups);
    else expect(read).toThrow(/DROVER_BOOTSTRAP_GROUPS is malformed: .* none of another role/);
  });

  it.each([
    ['worker', ['worker']],
    ['control-plane,worker', ['worker', 'control-plane']],
    ['etcd', undefined],
    ['worker,worker', undefined],
  ])('takes %s as the roles that get tokens: %j', (text, roles) => {
    const read = () => readConfig({ DROVER_BOOTSTRAP_ROLES: text }, ['bootstrapRoles']);
    if (roles) expect(read().bootstrapRoles).toEqual(roles);
    else expect(read).toThrow(/DROVER_BOOTSTRAP_ROLES is malformed/);
  });

  it('does not quote a malformed value, which may be a secret', () => {
    const read = () => readConfig({ DROVER_CLUSTER: 'hunter2 hunter2' }, ['clusterName']);
    expect(read).toThrow(ConfigError);
    expect(read).not.toThrow(/hunter2/);
  });
});
