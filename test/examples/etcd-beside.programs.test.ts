import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const example = join(import.meta.dirname, '../../examples/etcd-beside');

/** What the programs answer that a script reads; stacks and the key exist once they are made. */
const stands = {
  aws: `case "$*" in
  'kms describe-key '*) [[ -e $MADE/key ]] && echo arn:aws:kms:eu-central-1:123456789012:key/1 ;;
  'kms create-key '*) : >"$MADE/key"; echo 1 ;;
  'cloudformation deploy '*) : >"$MADE/stack-$4" ;;
  'cloudformation delete-stack '*) rm "$MADE/stack-$4" ;;
  'cloudformation describe-stacks '*) [[ -e $MADE/stack-$4 ]] && sed -n "s/.*OutputKey=='\\([A-Za-z]*\\)'.*/the-\\1/p" <<<"$*" ;;
  'ec2 describe-launch-templates '*) echo 2 ;;
  'autoscaling describe-lifecycle-hooks '*) echo 'drover-etcd drover-node-leaving' ;;
  'autoscaling describe-auto-scaling-groups '*) echo 0 ;;
esac`,
  drover: `[[ $1 != pki || $2 != --domain ]] || { mkdir -p pki; : >pki/ca.key; }`,
  kubectl: `[[ "$*" != 'get nodes --no-headers' ]] || for one in 1 2 3; do echo "node-$one Ready control-plane"; done`,
  sleep: ':',
};

/** A folder as the README asks for it, with programs that write down how they are called. */
function createFolder() {
  const root = mkdtempSync(join(tmpdir(), 'drover-example-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (path: string): string => join(root, path);
  for (const folder of ['bin', 'made', 'release/functions']) mkdirSync(at(folder), { recursive: true });
  writeFileSync(at('release/drover-1.2.3.template.json'), '{}');
  copyFileSync(join(example, 'settings.example'), at('settings'));
  for (const [name, body] of Object.entries(stands)) {
    writeFileSync(at(`bin/${name}`), `#!/bin/bash\necho "${name} $*" >>"$MADE/calls"\n${body}\n`);
    chmodSync(at(`bin/${name}`), 0o755);
  }
  const run = (script: string, input = '') => {
    rmSync(at('made/calls'), { force: true });
    const { status, stderr } = spawnSync('bash', [join(example, script)], {
      cwd: root,
      input,
      encoding: 'utf8',
      env: { PATH: `${at('bin')}:/usr/bin:/bin`, MADE: at('made') },
    });
    const calls = existsSync(at('made/calls')) ? readFileSync(at('made/calls'), 'utf8') : '';
    return { status, stderr, calls: calls.trim().split('\n') };
  };
  return { run };
}

const deployed = (calls: readonly string[]): readonly (readonly string[])[] =>
  calls
    .filter((call) => call.startsWith('aws cloudformation deploy'))
    .map((call) => [
      /--stack-name (\S+)/.exec(call)?.[1] ?? '',
      / --parameter-overrides (.*)/.exec(call)?.[1] ?? '',
    ]);

describe('examples/etcd-beside/create', () => {
  it('makes the zone, Drover and the empty group before the user data and the size', () => {
    const { status, stderr, calls } = createFolder().run('create');
    expect([status, stderr]).toEqual([0, '']);
    const stacks = deployed(calls);
    expect(stacks.map(([name]) => name)).toEqual(['prod-zone', 'drover-prod', 'prod', 'drover-prod', 'prod']);
    expect(stacks[1]?.[1]).toContain('EtcdDomain=etcd.prod.example.com EtcdZoneId=the-ZoneId');
    expect(stacks[2]?.[1]).toContain('ClusterClientSecurityGroupId=the-ClusterClientSecurityGroupId');
    expect(stacks[4]?.[1]).toBe('ControlPlaneVersion=2 ControlPlaneSize=3 ControlPlaneMaxSize=4');
    const indexOf = (part: string) => calls.findIndex((call) => call.includes(part));
    expect(indexOf('--new-version-of prod-control-plane')).toBeLessThan(indexOf('ControlPlaneSize=3'));
    expect(indexOf('ControlPlaneSize=3')).toBeLessThan(indexOf('drover kubeconfig'));
  });

  it('makes no second key, no second authority and no smaller group if it runs again', () => {
    const { run } = createFolder();
    run('create');
    const { status, calls } = run('create');
    expect(status).toBe(0);
    expect(calls.filter((call) => /kms create-key|pki --domain/.test(call))).toEqual([]);
    // Parameters that are not given keep their values, so that the first of both changes no size.
    expect(deployed(calls)[2]?.[1]).not.toMatch(/ControlPlane(Size|Version)=/);
  });
});

describe('examples/etcd-beside/delete', () => {
  it('deletes nothing if the answer is not the name of the cluster', () => {
    const { run } = createFolder();
    run('create');
    expect(run('delete', 'yes\n')).toMatchObject({ status: 1, calls: [''] });
  });

  it('removes hooks, instances and records before the stacks, which it deletes in the reverse order', () => {
    const { run } = createFolder();
    run('create');
    const { status, stderr, calls } = run('delete', 'prod\n');
    expect([status, stderr]).toEqual([0, '']);
    const changes = calls.filter((call) => !/ describe-| wait /.test(call));
    expect(changes.map((call) => call.split(' ').slice(0, 3).join(' '))).toEqual([
      'drover hooks remove',
      'drover hooks remove',
      'aws autoscaling update-auto-scaling-group',
      'drover etcd cleanup',
      'aws elbv2 modify-load-balancer-attributes',
      'aws cloudformation delete-stack',
      'aws cloudformation delete-stack',
      'aws cloudformation delete-stack',
    ]);
    expect(changes.slice(-3).map((call) => call.split(' ').at(-1))).toEqual([
      'prod',
      'drover-prod',
      'prod-zone',
    ]);
  });
});
