import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { redactText } from '../../../shared/base/redact.ts';
import { consoleOutputOf, diagnose } from '../../../shared/joining/diagnosis.ts';
import { growthOf, linearGrowth } from '../../support/growth.ts';
import { joinedNode } from '../../support/joining-context.ts';

test('an instance without a certificate request is described from its boot on', () => {
  expect(
    diagnose({
      ec2: { state: 'running' },
      reason: 'it has no node yet; it has made no certificate request',
      node: undefined,
      console: { userData: 'failed', lastLines: [] },
    }),
  ).toEqual([
    'EC2 calls the instance running',
    'cloud-init reports that its user data failed: the last lines of the console may show why',
    'it has no node yet; it has made no certificate request',
  ]);
});

test('a Node that is not Ready is described with each bad condition and each taint', () => {
  const node = joinedNode({ ready: 'False' });
  const pressure = {
    type: 'DiskPressure',
    status: 'True',
    reason: 'KubeletHasDiskPressure',
    message: 'full',
  };
  const terse = { type: 'PIDPressure', status: 'True', reason: 'KubeletHasPIDPressure' };
  const fine = { type: 'MemoryPressure', status: 'False' };
  expect(
    diagnose({
      ec2: { state: 'running' },
      reason: 'node a is not Ready',
      node: {
        ...node,
        spec: { ...node.spec, taints: [{ key: 'node.cilium.io/agent-not-ready', effect: 'NoExecute' }] },
        status: { conditions: [...(node.status?.conditions ?? []), terse, pressure, fine] },
      },
      console: { userData: 'finished', lastLines: [] },
    }).slice(2),
  ).toEqual([
    'node a is not Ready',
    'its condition Ready is False:  container runtime network not ready',
    'its condition PIDPressure is True: KubeletHasPIDPressure',
    'its condition DiskPressure is True: KubeletHasDiskPressure full',
    'it has the taint node.cilium.io/agent-not-ready:NoExecute',
  ]);
});

test('what could not be read is named, and the rest is still described', () => {
  expect(
    diagnose({ ec2: undefined, reason: 'it has no node yet', node: undefined, console: undefined }),
  ).toEqual(['EC2 does not know the instance', 'its console could not be read', 'it has no node yet']);
});

test('a Node whose kubelet has reported nothing yet adds nothing', () => {
  const input = { ec2: { state: 'running' }, reason: 'node a is not Ready', console: undefined } as const;
  expect(diagnose({ ...input, node: {} })).toEqual(diagnose({ ...input, node: undefined }));
});

const read = (...lines: readonly string[]) => consoleOutputOf(lines.join('\r\n'), redactText);
const finished =
  'Cloud-init v. 24.1.4 finished at Mon, 23 Nov 2026 08:00:00 +0000. Datasource DataSourceEc2Local.  Up 21.07 seconds';

describe('the console of an instance', () => {
  it.each([
    ['nothing', [], 'unknown'],
    ['only a kernel', ['[    0.000000] Linux version 6.1.0'], 'unknown'],
    ['a boot that goes on', ["cloud-init[1201]: Cloud-init v. 24.1.4 running 'modules:final'"], 'running'],
    [
      'the last words of cloud-init',
      ["cloud-init[1201]: Cloud-init v. 24.1.4 running 'init'", finished],
      'finished',
    ],
    [
      'a script that failed',
      [
        'cloud-init[1301]: Failed to run module scripts-user (scripts in /var/lib/cloud/instance/scripts)',
        finished,
      ],
      'failed',
    ],
    [
      'a module that failed, as other versions say it',
      ['cc_scripts_user.py[WARNING]: Failed to run module scripts_user cloud-init'],
      'failed',
    ],
    [
      'a module that failed, with its path between',
      ["cloud-init: Running module scripts-user (<module 'cc_scripts_user'>) failed"],
      'failed',
    ],
    [
      'a service that failed',
      ['[FAILED] Failed to start cloud-final.service - Cloud-init: Final Stage.'],
      'failed',
    ],
  ])('says %s', (_, lines, userData) => {
    expect(read(...lines).userData).toBe(userData);
  });

  it('is shown by its last fifteen lines, without colours and empty lines, each cut to a readable length', () => {
    const { lastLines } = read(
      ...Array.from({ length: 30 }, (_, index) => `line ${index}`),
      '',
      '\u001b[32m OK \u001b[0m Reached target Multi-User',
      'x '.repeat(500),
    );
    expect(lastLines).toHaveLength(15);
    expect(lastLines[0]).toBe('line 17');
    expect(lastLines.at(-2)).toMatch(/^OK {2,3}Reached target Multi-User$/);
    expect(lastLines.at(-1)?.length).toBeLessThanOrEqual(200);
  });

  const key = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  it.each([
    ['a private key', ['-----BEGIN RSA PRIVATE KEY-----', key, key, '-----END RSA PRIVATE KEY-----']],
    ['a private key whose beginning EC2 has dropped', [key, 'short+tail=', '-----END PRIVATE KEY-----']],
    [
      'a private key of RSA whose beginning EC2 has dropped',
      [key, 'short+tail=', '-----END RSA PRIVATE KEY-----'],
    ],
    ['a private key that is still written', ['-----BEGIN PRIVATE KEY-----', key, 'short+tail=']],
    ['a bootstrap token', ['+ kubeadm join --token abcdef.0123456789abcdef 10.0.0.1:6443']],
    ['a password', ['password: short+tail=']],
    ['a password of a command', ['+ mount --password short+tail= //server/share']],
    ['a password of a flag with one dash', ['+ mount -password short+tail= //server/share']],
    ['a password of a flag with a longer name', ['+ restore --db-password=short+tail= dump']],
    ['a password after several spaces', ['+ restore --password   short+tail= dump']],
    ['a token where a long line is cut', [`${'x '.repeat(97)}abcdef.0123456789abcdef`]],
    ['a hexadecimal key', ['key 00112233445566778899aabbccddeeff']],
    [
      'a key of PGP',
      ['-----BEGIN PGP PRIVATE KEY BLOCK-----', 'short+tail=', '-----END PGP PRIVATE KEY BLOCK-----'],
    ],
    ['a secret key of AWS', ['export AWS_SECRET_ACCESS_KEY=short+tail=']],
    ['a token of a service account', ['Bearer eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJrdWJlIn0.c2lnbmF0dXJl']],
  ])('shows nothing of %s', (_, lines) => {
    const shown = read('before', ...lines).lastLines.join('\n');
    for (const secret of [key, 'short+tail=', '01234567', '00112233', 'eyJpc3MiOiJrdWJlIn0'])
      expect(shown).not.toContain(secret);
  });

  it.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'])(
    'shows the text before and after a %s',
    (kind) => {
      const { lastLines } = read(
        '-----BEGIN CERTIFICATE-----',
        'before',
        `-----BEGIN ${kind}-----`,
        key,
        `-----END ${kind}-----`,
        'after',
      );
      expect(lastLines).toEqual(['-----BEGIN CERTIFICATE-----', 'before', '[redacted]', 'after']);
    },
  );

  it('shows the name of a certificate request, which an operator needs, but no longer or shorter text like it', () => {
    const name = `node-csr-${'aB3_-'.repeat(9).slice(0, 43)}`;
    expect(read(`kubelet: request ${name} of csr/${name} is denied`).lastLines).toEqual([
      `kubelet: request ${name} of csr/${name} is denied`,
    ]);
    for (const other of [`${name}x`, name.slice(0, -1), `x${name}`, `a/b/${name}`])
      expect(read(`kubelet: ${other}`).lastLines).toEqual(['kubelet: [redacted]']);
  });

  it.each([
    ['dashes', '-'],
    ['short flags', '-a'],
    ['signature headers', 'X-Amz-Signature'],
    ['flags without a value', '--token'],
    ['messages of cloud-init', 'cloud-init Running module scripts-user '],
    ['services that start', 'cloud-init Failed to start '],
    ['ends of keys', '-----END '],
    ['beginnings of keys', '-----BEGIN '],
    ['escape sequences', '\u001b['],
  ])('costs little if it is full of %s', (_, unit) => {
    expect(growthOf((length) => read(unit.repeat(length / unit.length)), 65_536)).toBeLessThan(linearGrowth);
  });

  it('shows a long path that has no digit, and flags that hold no secret', () => {
    const lines = [
      '/usr/lib/systemd/system/kubelet-extra-arguments.service',
      '+ kubelet --node-labels=tier --volume-plugin-dir /opt',
    ];
    expect(read(...lines).lastLines).toEqual(lines);
  });

  it('cuts a long line only after the secret in it is removed', () => {
    const cut = `${'x '.repeat(95)}token=`;
    expect(read(`${cut}hunter2hunter2`).lastLines.join('')).not.toContain('hunt');
    expect(read(`${'x '.repeat(91)}abcdef.0123456789abcdef`).lastLines.join('')).not.toContain('0123');
  });

  it('shows no base64 or hexadecimal text, wherever it is in a line', () => {
    const secret = fc
      .uint8Array({ minLength: 36, maxLength: 90 })
      .map((bytes) => Buffer.from(bytes).toString('base64').replaceAll('=', ''))
      .filter((text) => /\d/.test(text));
    const words = fc.stringMatching(/^[a-z ]{0,40}$/);
    fc.assert(
      fc.property(words, secret, words, (before, text, after) => {
        const { lastLines } = read(`${before} ${text} ${after}`, 'login:');
        expect(lastLines).toEqual([`${before} [redacted] ${after}`.trim(), 'login:']);
      }),
    );
  });
});
